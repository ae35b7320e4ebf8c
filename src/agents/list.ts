/** One line per agent. */
import { opencode, readOpencode } from './acp.ts'
import { type Agent, type ReadAgent, wholePrompt } from './agents.ts'
import { claude, qwen, readClaude } from './claude.ts'
import { codex, readCodex } from './codex.ts'

const list = { claude, codex, opencode, qwen }

// agents: All agents that are known by name. Faces, line-up and tests derive from this list.

export const agents: readonly Agent[] = Object.values<Agent>(list)

// own: An agent of the person's own, from the configuration.

/** The answer is everything that it prints. */
export const readText: ReadAgent = listener => ({
  data: text => listener.text('text', text),
  end: good => good && listener.done(),
})

/** How the output of an agent of one's own is read. */
export const outputs = { claude: readClaude, codex: readCodex, opencode: readOpencode, text: readText }
export type AgentOutput = keyof typeof outputs
export const outputNames = Object.keys(outputs) as [AgentOutput, ...AgentOutput[]]

export interface OwnAgent {
  /** Seated as `cli:<id>`. */
  readonly id: string
  readonly command: string
  readonly args?: readonly string[] | undefined
  readonly output: AgentOutput
  /** Variables that it must not have, and others that it needs. */
  readonly env?:
    | { readonly unset?: readonly string[] | undefined; readonly keep?: readonly string[] | undefined }
    | undefined
}

/** `{model}` in an argument stands for the model of the seat. */
const withModel = (args: readonly string[], model: string): string[] =>
  args.map(arg => arg.replaceAll('{model}', model))

export const ownAgent = ({ id, command, args = [], output, env = {} }: OwnAgent): Agent => ({
  id,
  label: id,
  maker: id,
  command,
  models: [],
  keeps: env.keep ?? [],
  drops: env.unset ?? [],
  logIn: command,
  needs: [],
  login: async () => 'unknown',
  plan: ({ prompt, model = '' }) => ({ args: withModel(args, model), input: wholePrompt(prompt) }),
  read: outputs[output],
})
