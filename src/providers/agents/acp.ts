/**
 * Any agent that speaks the Agent Client Protocol. It gets an empty folder, no files, no terminal and no tool servers, and
 * every permission that it asks for is refused.
 */
import { Readable, Writable } from 'node:stream'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { PartQueue } from '../http/part-queue.ts'
import type { ModelCall, Provider } from '../provider.ts'
import { schemaInWords } from '../sdk/schema-in-words.ts'
import type { AgentListener } from './agent.ts'
import { agentParts, endWords, gone, mostOutputBytes, partsListener } from './agent-provider.ts'
import { scrubbed } from './environment.ts'
import { findProgram } from './find-program.ts'
import { longestLine, textIn } from './json-lines.ts'
import { acpId } from './names.ts'
import { makeWorkplace, type RunningProgram, startProgram } from './program.ts'

export interface AcpSettings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Only the person at this machine may say which commands are run: a request or a log may be a stranger's. */
  readonly isAllowed: (command: string) => boolean
}

/** A program and its arguments, separated by spaces. */
const wordsOf = (command: string): readonly string[] => command.trim().split(/\s+/)

export const notAllowed = (command: string): string =>
  `"${command.slice(0, 100)}" isn't run: only commands that you type yourself, or that a seat or line-up in your own configuration folder names, are run`

const hear = (update: SessionUpdate, listener: AgentListener): void => {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      if (update.content.type === 'text') listener.text('text', update.content.text)
      return
    case 'agent_thought_chunk':
      if (update.content.type === 'text') listener.text('thinking', update.content.text)
      return
    case 'tool_call':
      listener.wantsTool(update.title)
      return
    default:
  }
}

/** The message of a protocol error is only its kind: what went wrong is in its data. */
const wordsIn = (error: unknown): string => {
  const { data } = (error ?? {}) as { readonly data?: unknown }
  const details = textIn(data, 'details') || textIn(data, 'message')
  return details || (error instanceof Error ? error.message : String(error))
}

/** The SDK is loaded at the first call. */
const talk = async (
  { child }: RunningProgram,
  call: ModelCall,
  cwd: string,
  listener: AgentListener,
): Promise<void> => {
  const { client, ndJsonStream, PROTOCOL_VERSION } = await import('@agentclientprotocol/sdk')
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin),
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    { maxMessageBytes: longestLine },
  )
  const app = client({ name: 'roundtable' })
    .onRequest('session/request_permission', ({ params }) => {
      listener.wantsTool(params.toolCall.title ?? 'a tool')
      return { outcome: { outcome: 'cancelled' } }
    })
    .onNotification('session/update', ({ params }) => hear(params.update, listener))
  await app.connectWith(stream, async agent => {
    await agent.request('initialize', {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    })
    const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [] })
    const text = [call.system, ...call.user, schemaInWords(call.shape)].join('\n\n')
    const { stopReason } = await agent.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text }],
    })
    if (stopReason === 'refusal') listener.failed('it declined to answer')
    else listener.done(stopReason === 'max_tokens' ? 'length' : 'stop')
  })
}

const run = async (settings: AcpSettings, call: ModelCall, parts: PartQueue, over: Promise<boolean>) => {
  const [command = '', ...args] = wordsOf(call.model)
  const label = command.split('/').at(-1) ?? command
  let stop = (): void => {}
  const listener = partsListener(parts, label, () => stop())
  if (!settings.isAllowed(call.model)) return listener.failed(notAllowed(call.model))
  const env = scrubbed(settings.env, { keeps: [] })
  const path = await findProgram(command, env.PATH)
  if (path === undefined) return listener.failed(`${label} isn't installed: there is no program "${command}"`)
  const workplace = await makeWorkplace()
  try {
    const program = startProgram({ path, args, env, cwd: workplace.folder })
    const { child, complaint, end } = program
    stop = end
    let bytes = 0
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > mostOutputBytes) end()
    })
    child.once('close', (code, signal) => {
      if (!parts.over) listener.failed(endWords(label, code, signal, complaint()))
    })
    child.once('error', error => listener.failed(`${label} can't be started: ${error.message}`))
    const talking = talk(program, call, workplace.folder, listener).catch(error =>
      // If the program ended, its own words say more.
      setImmediate(() => listener.failed(complaint() || wordsIn(error))),
    )
    const answered = Promise.race([over, talking.then(() => over)])
    // It waits for the next prompt, so it is ended as soon as the answer is there.
    await gone(
      program,
      answered.then(() => false),
    )
  } finally {
    await workplace.remove()
  }
}

export const acpProvider = (settings: AcpSettings): Provider => ({
  id: acpId,
  label: 'Agent Client Protocol',
  subscription: true,
  limits: { concurrency: 2 },
  stream: call => agentParts(call, (parts, over) => run(settings, call, parts, over)),
  known: () => ({}),
  facts: async () => ({}),
  list: async () => ({ models: [] }),
})
