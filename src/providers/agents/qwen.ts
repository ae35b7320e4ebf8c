/** Qwen Code. It offers its tools to the model, and ends the run when the model asks for one. */
import { schemaInWords } from '../sdk/schema-in-words.ts'
import type { Agent } from './agent.ts'
import { readClaude } from './claude.ts'

export const qwen: Agent = {
  id: 'qwen',
  label: 'Qwen Code',
  maker: 'alibaba',
  command: 'qwen',
  models: [],
  keeps: ['QWEN_HOME'],
  logIn: 'qwen',
  help: ['--help'],
  needs: ['--safe-mode', '--approval-mode', '--max-tool-calls', '--output-format'],
  async login({ hasFile }) {
    const files = await Promise.all(['.qwen/oauth_creds.json', '.qwen/settings.json'].map(hasFile))
    return files.includes(true) ? 'in' : 'out'
  },
  plan({ call, model, has }) {
    const hasSystem = has('--system-prompt')
    return {
      args: [
        ...['--output-format', 'stream-json', ...['--include-partial-messages'].filter(has)],
        ...['--safe-mode', '--approval-mode', 'plan', '--max-tool-calls', '0'],
        ...(has('--chat-recording') ? ['--chat-recording', 'false'] : []),
        ...(hasSystem ? ['--system-prompt', call.system] : []),
        ...(model === undefined ? [] : ['--model', model]),
      ],
      input: [...(hasSystem ? [] : [call.system]), ...call.user, schemaInWords(call.shape)].join('\n\n'),
    }
  },
  read: readClaude,
}
