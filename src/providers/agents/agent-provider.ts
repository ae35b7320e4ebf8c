/** A command-line agent as a provider: one run of its program for each call. */
import { StringDecoder } from 'node:string_decoder'
import type { ModelError } from '../../core/errors.ts'
import { makerLabel } from '../catalogue/naming.ts'
import { PartQueue } from '../http/part-queue.ts'
import type { ModelCall, ModelFacts, Provider, TokenUsage } from '../provider.ts'
import { abilitiesOf } from './abilities.ts'
import type { Agent, AgentListener, Invocation } from './agent.ts'
import { scrubbed } from './environment.ts'
import { agentFailure } from './failure.ts'
import { defaultModel, seatPrefix } from './names.ts'
import { makeWorkplace, type RunningProgram, startProgram, type Workplace } from './program.ts'

/** More output of one call isn't read: the program is ended. */
export const mostOutputBytes = 16_000_000
/** A program that has given its answer may tidy up for so long, in milliseconds. */
const afterwards = 2_000

export const cancelledPart = {
  type: 'error',
  error: { kind: 'cancelled', message: 'the call was cancelled' },
} as const

const toolWords = (label: string, name: string): string =>
  `${label} wanted to use a tool (${name.slice(0, 80)}). Seats have no tools, so it was stopped`

/** The parts of one call, from what a reader hears. The first end counts; `end` stops a program that has failed, at once. */
export const partsListener = (parts: PartQueue, label: string, end = (): void => {}): AgentListener => {
  let usage: TokenUsage | undefined
  const fail = (error: ModelError): void => {
    // Before anybody hears of it: a program that wants a tool must not get another moment.
    if (!parts.over) end()
    if (usage) parts.add({ type: 'usage', usage })
    parts.add({ type: 'error', error })
  }
  return {
    text: (type, text) => parts.addText(type, text),
    usage(reported) {
      usage = reported
    },
    failed: words => fail(agentFailure(words || `${label} failed without a word`)),
    wantsTool: name => fail({ kind: 'bad-request', message: toolWords(label, name) }),
    done(reason = 'stop') {
      if (usage && usage.inputTokens + usage.outputTokens > 0) parts.add({ type: 'usage', usage })
      parts.add({ type: 'finish', reason })
    },
  }
}

export const endWords = (
  label: string,
  code: number | null,
  signal: string | null,
  complaint: string,
): string => {
  if (complaint.trim() !== '') return complaint
  if (signal !== null) return `${label} was ended by ${signal}`
  return code === 0
    ? `${label} ended before its answer was complete`
    : `${label} ended with the exit code ${code}`
}

/** Feeds a reader with the program's output, and ends the parts when the program ends. */
const follow = (agent: Agent, { child, complaint, end }: RunningProgram, parts: PartQueue): void => {
  const { label } = agent
  const listener = partsListener(parts, label, end)
  const reader = agent.read(listener)
  const decoder = new StringDecoder('utf8')
  let bytes = 0
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= mostOutputBytes) return reader.data(decoder.write(chunk))
    listener.failed(`${label} printed more than ${mostOutputBytes / 1e6} MB, so it was stopped`)
  })
  child.once('error', error => listener.failed(`${label} can't be started: ${error.message}`))
  child.once('close', (code, signal) => {
    reader.end(code === 0)
    if (!parts.over) listener.failed(endWords(label, code, signal, complaint()))
  })
}

export interface AgentSettings {
  /** The full path of its program. */
  readonly path: string
  /** The person's own environment: the agent gets a scrubbed one. */
  readonly env: Readonly<Record<string, string | undefined>>
}

const prepared = async (
  agent: Agent,
  { path }: AgentSettings,
  env: Readonly<Record<string, string>>,
  call: ModelCall,
  workplace: Workplace,
): Promise<Invocation | string> => {
  const abilities = await abilitiesOf(agent, path, env)
  if (typeof abilities === 'string') return abilities
  const model = call.model === defaultModel ? {} : { model: call.model }
  return agent.plan({ ...abilities, ...model, call, file: workplace.file })
}

const run = async (
  agent: Agent,
  settings: AgentSettings,
  call: ModelCall,
  parts: PartQueue,
  over: Promise<boolean>,
) => {
  const env = scrubbed(settings.env, agent)
  const workplace = await makeWorkplace()
  try {
    const invocation = await prepared(agent, settings, env, call, workplace)
    if (typeof invocation === 'string')
      return parts.add({ type: 'error', error: { kind: 'bad-request', message: invocation } })
    if (parts.over) return
    const program = startProgram({
      ...{ path: settings.path, args: invocation.args, cwd: workplace.folder },
      env: { ...env, ...invocation.env },
    })
    follow(agent, program, parts)
    program.child.stdin.end(invocation.input)
    await gone(program, over)
  } finally {
    await workplace.remove()
  }
}

/** Resolves when the program is gone: by itself soon after its answer, or ended at once if nobody wants one. */
export const gone = async ({ child, end }: RunningProgram, over: Promise<boolean>): Promise<void> => {
  const closed = new Promise<void>(resolve => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  const isComplete = await Promise.race([over, closed.then(() => true)])
  if (!isComplete) end()
  const timer = setTimeout(end, afterwards)
  await closed
  clearTimeout(timer)
}

/** The parts of a call, and whether it was answered once it is over. Aborting the signal ends it. */
export const agentParts = (
  call: ModelCall,
  start: (parts: PartQueue, answered: Promise<boolean>) => Promise<unknown>,
): PartQueue => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let last: boolean | undefined
  const stop = (): void => {
    last = false
    parts.add(cancelledPart)
  }
  const parts: PartQueue = new PartQueue(left => {
    call.signal.removeEventListener('abort', stop)
    resolve(!left && last !== false)
  })
  call.signal.addEventListener('abort', stop, { once: true })
  if (call.signal.aborted) stop()
  else
    start(parts, promise).catch(error =>
      parts.add({ type: 'error', error: { kind: 'bad-request', message: String(error?.message ?? error) } }),
    )
  return parts
}

const factsOf = ({ label, maker, models }: Agent, model: string): ModelFacts => {
  if (model === defaultModel) return { name: label, maker: makerLabel(maker) }
  return models.includes(model) ? { name: `${label} (${model})`, maker: makerLabel(maker) } : {}
}

export const agentProvider = (agent: Agent, settings: AgentSettings): Provider => ({
  id: `${seatPrefix}${agent.id}`,
  label: agent.label,
  subscription: true,
  // Each call is a program of its own, with hundreds of megabytes.
  limits: { concurrency: 2 },
  stream: call => agentParts(call, (parts, over) => run(agent, settings, call, parts, over)),
  known: model => factsOf(agent, model),
  facts: async model => factsOf(agent, model),
  list: async () => ({ models: [defaultModel, ...agent.models] }),
})
