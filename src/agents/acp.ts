/**
 * Any agent that speaks the Agent Client Protocol. It gets an empty folder, no files, no terminal and no tool servers, and
 * every permission that it asks for is refused. What an agent does without asking, the protocol can't stop: agents that
 * are known here start with permissions that refuse everything, and others in a sandbox.
 */

import { basename } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { ModelCall, PartQueue, Provider, TokenUsage } from '../models/provider.ts'
import {
  type Agent,
  type AgentListener,
  abilitiesOf,
  acpId,
  agentParts,
  agentPrompt,
  countIn,
  endWords,
  findProgram,
  gone,
  type JsonRecord,
  jsonLines,
  longestLine,
  makeWorkplace,
  mostOutputBytes,
  oneWord,
  partsListener,
  type ReadAgent,
  type RunningProgram,
  recordIn,
  scrubbed,
  startProgram,
  textIn,
  type Workplace,
  wholePrompt,
} from './agents.ts'
import { qwenFlags, qwenNeeds } from './claude.ts'
import { type AcpPlace, inSandbox, type SandboxOptions, type Start } from './sandbox.ts'

export interface AcpSettings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Only the person at this machine may say which commands are run: a request or a log may be a stranger's. */
  readonly isAllowed: (command: string) => boolean
  /** What the person's own configuration says about a command. */
  readonly places?: Readonly<Record<string, AcpPlace>> | undefined
  readonly sandbox?: typeof inSandbox
}

/** A program and its arguments, separated by spaces. */
const wordsOf = (command: string): readonly string[] => command.trim().split(/\s+/)

export const notAllowed = (command: string): string =>
  `"${command.slice(0, 100)}" isn't run: only commands that you type yourself, or that a seat or line-up in your own configuration folder names, are run`

/** An agent whose tools can be turned off by those who start it. */
interface KnownAgent {
  readonly label: string
  /** Whether a command with these arguments speaks the protocol. */
  speaks(args: readonly string[]): boolean
  readonly help: readonly string[]
  /** Without one of these it isn't run. */
  readonly needs: readonly string[]
  start(
    workplace: Workplace,
  ): Promise<{ readonly args: readonly string[]; readonly env?: Record<string, string> }>
}

const byFlag = (args: readonly string[]): boolean =>
  ['--acp', '--experimental-acp'].some(flag => args.includes(flag))

/** The highest of its priorities, in the highest of its tiers. */
const geminiPolicy = '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n'

const known: Readonly<Record<string, KnownAgent>> = {
  opencode: {
    label: 'opencode',
    speaks: ([first]) => first === 'acp',
    help: ['acp', '--help'],
    needs: ['--pure'],
    start: async () => ({ args: ['--pure'], env: { OPENCODE_CONFIG_CONTENT: settingsFor() } }),
  },
  qwen: {
    label: 'Qwen Code',
    speaks: byFlag,
    help: ['--help'],
    needs: qwenNeeds,
    start: async () => ({ args: qwenFlags }),
  },
  gemini: {
    label: 'Gemini CLI',
    speaks: byFlag,
    help: ['--help'],
    needs: ['--approval-mode', '--admin-policy'],
    start: async ({ file }) => ({
      args: ['--approval-mode', 'plan', '--admin-policy', await file('policy.toml', geminiPolicy)],
    }),
  },
}

const outside = (label: string, command: string): string =>
  `${label} isn't known to Roundtable, so it runs only in a sandbox, and this system has none. Install bubblewrap; or, if it may do whatever you may, write "acp": {${JSON.stringify(command)}: {"sandbox": false}} into the file of your own configuration folder`

/** How an agent is started, or why it isn't. */
const startOf = async (
  command: string,
  { path, args, env, workplace }: SandboxOptions,
  { sandbox, ...place }: AcpPlace,
  contain: typeof inSandbox,
): Promise<Start | string> => {
  const [id, agent] = Object.entries(known).find(([name]) => name === basename(path)) ?? []
  if (id !== undefined && agent?.speaks(args)) {
    const abilities = await abilitiesOf({ ...agent, id: `acp ${id}` }, path, env)
    if (typeof abilities === 'string') return abilities
    const more = await agent.start(workplace)
    return { path, args: [...args, ...more.args], env: { ...env, ...more.env } }
  }
  if (sandbox === false) return { path, args, env }
  return (await contain({ path, args, env, workplace, ...place })) ?? outside(basename(path), command)
}

const hear = (update: SessionUpdate, listener: AgentListener): void => {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      if (update.content.type === 'text') listener.text('text', update.content.text)
      return
    case 'agent_thought_chunk':
      if (update.content.type === 'text') listener.text('thinking', update.content.text)
      return
    case 'tool_call':
    case 'tool_call_update':
      listener.wantsTool(update.title ?? 'a tool')
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

/** The code for an agent that wants a login. It isn't asked to begin one: it would open a browser, and wait. */
const needsLogin = -32_000

const failureWords = (error: unknown, label: string, complaint: string, inside: boolean): string => {
  const { code } = (error ?? {}) as { readonly code?: unknown }
  // If the program ended, its own words say more.
  if (code !== needsLogin) return complaint || wordsIn(error)
  const advice = inside
    ? `It runs in a sandbox and sees nothing of your home: name the folder of its login under "acp" in your own configuration, as something to copy`
    : `Log in with ${label} itself first, in a terminal`
  return `${label} is not logged in. ${advice}. It says: ${wordsIn(error)}`
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
    const text = wholePrompt(agentPrompt(call))
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
    const { places = {}, sandbox = inSandbox } = settings
    const place = Object.hasOwn(places, call.model) ? places[call.model]! : {}
    const start = await startOf(call.model, { path, args, env, workplace }, place, sandbox)
    if (typeof start === 'string') return listener.failed(start)
    if (parts.over) return
    const program = startProgram({ ...start, workplace })
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
      setImmediate(() => listener.failed(failureWords(error, label, complaint(), start.path !== path))),
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

// opencode: opencode, with whichever providers the person has connected to it.

const usageFrom = (tokens: JsonRecord): TokenUsage => {
  const cache = recordIn(tokens, 'cache')
  const cachedTokens = countIn(cache, 'read')
  const cacheWriteTokens = countIn(cache, 'write')
  const reasoningTokens = countIn(tokens, 'reasoning')
  return {
    inputTokens: countIn(tokens, 'input') + cachedTokens + cacheWriteTokens,
    outputTokens: countIn(tokens, 'output') + reasoningTokens,
    ...(cachedTokens > 0 && { cachedTokens }),
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    ...(reasoningTokens > 0 && { reasoningTokens }),
  }
}

const failureIn = (event: JsonRecord): string => {
  const error = recordIn(event, 'error')
  return textIn(recordIn(error, 'data'), 'message') || textIn(error, 'message') || textIn(error, 'name')
}

export const readOpencode: ReadAgent = listener => {
  const lines = jsonLines(event => {
    const part = recordIn(event, 'part')
    if (event.type === 'error') listener.failed(failureIn(event))
    else if (event.type === 'tool_use') listener.wantsTool(textIn(part, 'tool') || 'a tool')
    else if (event.type === 'reasoning') listener.text('thinking', textIn(part, 'text'))
    else if (event.type === 'text') listener.text('text', textIn(part, 'text'))
    else if (event.type === 'step_finish') {
      const reason = textIn(part, 'reason')
      if (reason === 'tool-calls') return listener.wantsTool('a tool')
      listener.usage(usageFrom(recordIn(part, 'tokens')))
      listener.done(reason === 'length' ? 'length' : 'stop')
    }
  })
  return { data: lines.data, end: lines.end }
}

/** The name of the agent that may do nothing but answer. */
const seat = 'roundtable-seat'

const settingsFor = (prompt?: string): string =>
  JSON.stringify({
    share: 'disabled',
    autoupdate: false,
    snapshot: false,
    permission: { '*': 'deny' },
    // The person's own agents may allow something by name, and that would come after what is denied here.
    default_agent: seat,
    agent: { [seat]: { mode: 'primary', prompt, permission: { '*': 'deny' }, tools: { '*': false } } },
  })

export const opencode: Agent = {
  id: 'opencode',
  label: 'opencode',
  maker: 'opencode',
  command: 'opencode',
  models: [],
  keeps: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR'],
  logIn: 'opencode auth login',
  help: ['run', '--help'],
  needs: ['--format', '--agent', '--pure'],
  async login({ env, hasFile }) {
    const data = env.XDG_DATA_HOME ?? '.local/share'
    const config = env.XDG_CONFIG_HOME ?? '.config'
    const files = [`${data}/opencode/auth.json`, `${config}/opencode/opencode.json`]
    return (await Promise.all(files.map(hasFile))).includes(true) ? 'in' : 'out'
  },
  plan: ({ prompt, model, has }) => ({
    args: [
      ...['run', '--format', 'json', '--pure', '--agent', seat],
      // Without a title it asks a model for one.
      ...(has('--title') ? ['--title', 'Roundtable'] : []),
      ...(model === undefined ? [] : [oneWord('--model', model)]),
    ],
    input: [prompt.user, prompt.form].join('\n\n'),
    env: { OPENCODE_CONFIG_CONTENT: settingsFor(prompt.system) },
  }),
  read: readOpencode,
}
