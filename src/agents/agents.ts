/** The interface of a command-line agent: how it is found, asked whether it is logged in, called without tools, and read. */

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { constants, rmSync } from 'node:fs'
import { access, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { ModelError, ModelErrorKind } from '../core/basics.ts'
import type { Shape } from '../core/form.ts'
import { makerLabel } from '../models/catalogue.ts'
import { problemFrom, reportedError, schemaInWords } from '../models/http.ts'
import type { ModelCall, ModelFacts, Provider, TokenUsage } from '../models/provider.ts'
import { PartQueue } from '../models/provider.ts'

/** Whoever reads an agent's output tells this what it says. */
export interface AgentListener {
  text(type: 'text' | 'thinking', text: string): void
  usage(usage: TokenUsage): void
  /** The agent's own words for what went wrong; nothing else counts after them. */
  failed(words: string): void
  /** It wants to use a tool. Seats have none, so the call ends here. */
  wantsTool(name: string): void
  /** The reply is complete. */
  done(reason?: 'stop' | 'length'): void
}

export interface AgentReader {
  /** A piece of its output, cut anywhere. */
  data(text: string): void
  /** The output is over. `good`: the program ended without an error. */
  end(good: boolean): void
}

/** Turns what an agent prints into what a listener is told. Throws nothing, whatever is printed. */
export type ReadAgent = (listener: AgentListener) => AgentReader

/** One call of the program. The prompt goes to its standard input: arguments are limited to 128 KiB. */
export interface Invocation {
  readonly args: readonly string[]
  readonly input: string
  /** Besides the scrubbed environment of the person. */
  readonly env?: Readonly<Record<string, string>>
}

/** What a short command of the agent printed. */
export interface Printed {
  readonly good: boolean
  readonly text: string
}

/** A program on this machine that is asked something short. */
export interface Program {
  /** Runs it without a prompt. Never fails: a program that hangs is ended, and isn't good. */
  ask(args: readonly string[]): Promise<Printed>
  /** Whether a file of the person's home has something in it. */
  hasFile(path: string): Promise<boolean>
  readonly env: Readonly<Record<string, string>>
}

/** Which flags and features the installed version has. */
export interface AgentAbilities {
  has(flag: string): boolean
  readonly features: readonly string[]
}

export interface CallPlan extends AgentAbilities {
  /** All that the agent reads. The call itself isn't handed over: its texts are a stranger's as they came. */
  readonly prompt: AgentPrompt
  /** The form of the reply, for an agent that takes it in a file. */
  readonly schema: Shape['json']
  /** Absent: the agent's own default. */
  readonly model?: string
  /** Writes a file beside the working folder, and returns its path. */
  file(name: string, text: string): Promise<string>
}

export type LoginState = 'in' | 'out' | 'unknown'

export interface Agent {
  /** `codex` is seated as `cli:codex`. */
  readonly id: string
  readonly label: string
  /** The maker's id in the catalogue. */
  readonly maker: string
  /** The name of its program. */
  readonly command: string
  /** Models to offer besides its own default. */
  readonly models: readonly string[]
  /** Variables of the person that it finds its login with. */
  readonly keeps: readonly string[]
  /** Variables that must not reach it even so. */
  readonly drops?: readonly string[]
  /** What the person types to log in. */
  readonly logIn: string
  /** Prints its flags. Absent: they aren't looked up, because the person wrote the arguments. */
  readonly help?: readonly string[]
  /** Flags without which its tools can't be turned off: a version that lacks one isn't run. */
  readonly needs: readonly string[]
  /** Prints the names of its features, one on a line; and the one that it must have. */
  readonly featureList?: { readonly args: readonly string[]; readonly needs: string }
  login(program: Program): Promise<LoginState>
  plan(plan: CallPlan): Invocation | Promise<Invocation>
  readonly read: ReadAgent
}

// prompt: The one place where the text that an agent reads is put together.

export interface AgentPrompt {
  readonly system: string
  readonly user: string
  /** Asks for the form of the reply in words. */
  readonly form: string
}

/**
 * Agents put a file in the place of `@/its/path`, a command's output in the place of !`command`, a value in the place of
 * `$NAME` or `{env:NAME}`, and take `/word` at the start of a line for a command: before their model sees the text, and
 * with all tools off. Any peer, page or attachment could have their user's files read that way.
 */
const expanded =
  /@|\$(?=[A-Za-z_{(])|!(?=[`{(])|\{(?=(?:file|env):)|(?<=^[ \t\v\f\u00a0\ufeff\u2000-\u200f\u3000]{0,200})[/!]/gim

/** As JSON writes any character: a line of JSON keeps its meaning, and a reply that copies it is read as the character. */
const harmless = (text: string): string =>
  text.replace(expanded, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

const spelling = 'Some characters of this message are written as JSON writes them: \\u0040 is an at sign.'

export const agentPrompt = ({ system, user, shape }: ModelCall): AgentPrompt => {
  const raw = user.join('\n\n')
  const text = harmless(raw)
  return {
    system: harmless(system),
    user: text === raw ? raw : `${text}\n\n${spelling}`,
    form: harmless(schemaInWords(shape)),
  }
}

/** For an agent that takes one text and nothing else. */
export const wholePrompt = ({ system, user, form }: AgentPrompt): string => [system, user, form].join('\n\n')

// program: Runs a program in an empty folder and in a process group of its own, and ends the whole group.

/** An empty working folder, and a folder beside it for what a call hands over. */
export interface Workplace {
  /** Everything of the call is in here. */
  readonly base: string
  /** The empty folder that the program starts in. */
  readonly folder: string
  /** What it leaves in the folder for temporary files is removed too: some leave megabytes at each start. */
  readonly temporary: string
  file(name: string, text: string): Promise<string>
  remove(): Promise<void>
}

export const makeWorkplace = async (): Promise<Workplace> => {
  const base = await mkdtemp(join(tmpdir(), 'roundtable-agent-'))
  const [folder, temporary] = [join(base, 'empty'), join(base, 'tmp')]
  watchExit()
  workplaces.add(base)
  for (const path of [folder, temporary]) await mkdir(path, { mode: 0o700 })
  return {
    ...{ base, folder, temporary },
    async file(name, text) {
      const path = join(base, name)
      await writeFile(path, text, { mode: 0o600 })
      return path
    },
    async remove() {
      await rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(() => {})
      workplaces.delete(base)
    },
  }
}

export interface ProgramOptions {
  readonly path: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly workplace: Workplace
}

export interface RunningProgram {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** The end of what it wrote to its error output. */
  complaint(): string
  /** Ends it and whatever it started, at once. */
  end(): void
}

/** The last words say what went wrong. */
const longestComplaint = 8_192

/** If this process ends, the groups must not outlive it: nobody would read what they write. */
const underWay = new Set<number>()
const workplaces = new Set<string>()
let watching = false

const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

const watchExit = (): void => {
  if (watching) return
  watching = true
  process.once('exit', () => {
    for (const pid of underWay) killGroup(pid)
    for (const base of workplaces) rmSync(base, { recursive: true, force: true })
  })
}

/** Never throws: a program that can't be started has an `error` event. */
export const startProgram = ({ path, args, env, workplace }: ProgramOptions): RunningProgram => {
  watchExit()
  const child = spawn(path, args, {
    cwd: workplace.folder,
    env: { ...env, TMPDIR: workplace.temporary },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const { pid } = child
  let complaint = ''
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => {
    complaint = (complaint + text).slice(-longestComplaint)
  })
  // A program that ends without reading its prompt closes the pipe.
  child.stdin.on('error', () => {})
  const end = (): void => {
    if (pid === undefined || !underWay.delete(pid)) return
    killGroup(pid)
  }
  if (pid !== undefined) underWay.add(pid)
  // What it started in the background ends with it.
  child.once('exit', end)
  return { child, complaint: () => complaint, end }
}

// shortCommand: Asks a program something short, such as its flags, with a limit of time and of output.

/** The first start of some agents sets up their home. */
const usualPatience = 15_000
/** Whether it is logged in is asked while a person waits. */
const loginPatience = 6_000
const mostOutput = 300_000

const nothing: Printed = { good: false, text: '' }

export const shortCommand = async (
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  patience = usualPatience,
): Promise<Printed> => {
  const workplace = await makeWorkplace()
  const { child, complaint, end } = startProgram({ path, args, env, workplace })
  const { promise, resolve } = Promise.withResolvers<Printed>()
  const timer = setTimeout(() => resolve(nothing), patience)
  let text = ''
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (piece: string) => {
    if (text.length < mostOutput) text += piece
  })
  child.once('error', () => resolve(nothing))
  // Some print their flags to the error output.
  child.once('close', code => resolve({ good: code === 0, text: `${text}\n${complaint()}` }))
  child.stdin.end()
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    end()
    await workplace.remove()
  }
}

export const programAt = (path: string, env: Readonly<Record<string, string>>): Program => ({
  env,
  ask: args => shortCommand(path, args, env, loginPatience),
  async hasFile(name) {
    const file = name.startsWith('/') ? name : join(env.HOME ?? '/', name)
    const found = await stat(file).catch(() => undefined)
    // Smaller files hold an empty object.
    return found?.isFile() === true && found.size > 4
  },
})

// abilities: Finds out which flags and features the installed version of an agent has, once for each file.

/** Names of flags in a help text. */
const flagsIn = (text: string): Set<string> => new Set(text.match(/(?<![\w-])--?[a-z][a-z-]*/gi) ?? [])

const featuresIn = (text: string): string[] =>
  text.split('\n').flatMap(line => /^([a-z][\w.-]{0,99})\s/i.exec(line)?.[1] ?? [])

const looked = new Map<string, Promise<AgentAbilities | string>>()

type Looked = Pick<Agent, 'id' | 'label' | 'help' | 'featureList' | 'needs'>

const look = async (
  agent: Looked,
  path: string,
  env: Readonly<Record<string, string>>,
): Promise<AgentAbilities | string> => {
  const { help, featureList, needs, label } = agent
  if (!help) return { has: () => true, features: [] }
  const [flags, features] = await Promise.all([
    shortCommand(path, help, env).then(({ text }) => flagsIn(text)),
    featureList
      ? shortCommand(path, featureList.args, env).then(({ text }) => featuresIn(text))
      : ([] as string[]),
  ])
  const missing = [
    ...needs.filter(flag => !flags.has(flag)),
    ...(featureList && !features.includes(featureList.needs) ? [featureList.needs] : []),
  ]
  if (missing.length > 0)
    return `this version of ${label} can't be asked without its tools: it doesn't know ${missing.join(', ')}. Update it`
  return { has: (flag: string) => flags.has(flag), features }
}

/** In words, if its tools can't be turned off: then it must not be run. */
export const abilitiesOf = async (
  agent: Looked,
  path: string,
  env: Readonly<Record<string, string>>,
): Promise<AgentAbilities | string> => {
  const version = await stat(path).then(({ mtimeMs, size }) => `${mtimeMs} ${size}`, String)
  const key = `${agent.id} ${path} ${version}`
  const known = looked.get(key) ?? look(agent, path, env)
  looked.set(key, known)
  const abilities = await known
  // A busy machine may have been too slow for an answer: the next call asks again.
  if (typeof abilities === 'string') looked.delete(key)
  return abilities
}

// environment: The environment of an agent: what a program needs to start and to find its login. Everything else stays away, API keys
// above all: with a key in its environment, an agent would bill the key instead of the subscription.

/** A list of what to remove would miss the next maker's key. */
const needed =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|(?:https?|all|no)_proxy|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS)$/i

/** No colours and no progress bars: nobody looks at a terminal. */
const fixed = { TERM: 'dumb', NO_COLOR: '1' }

export const scrubbed = (
  env: Readonly<Record<string, string | undefined>>,
  { keeps, drops = [] }: { readonly keeps: readonly string[]; readonly drops?: readonly string[] },
): Record<string, string> => {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      (needed.test(entry[0]) || keeps.includes(entry[0])) &&
      !drops.includes(entry[0]),
  )
  return { ...Object.fromEntries(kept), ...fixed }
}

// failure: The kind of failure that an agent's words mean.

/** The first match decides. Words are cut before they are matched. */
const rules: readonly { readonly kind: ModelErrorKind; readonly words: RegExp }[] = [
  {
    kind: 'logged-out',
    words:
      /not logged in|log ?in (?:again|required|first)|please (?:run )?\/?log ?in|unauthori[sz]ed|\b401\b|authenticat|no auth type|expired token|token (?:has )?expired/i,
  },
  // The limit of a subscription lasts for hours: asking again in a second doesn't help.
  { kind: 'no-credit', words: /usage limit|quota|limit reached|hit your limit|out of credits/i },
  { kind: 'rate-limit', words: /rate.?limit|too many requests|\b429\b/i },
  { kind: 'overload', words: /overloaded|\b529\b|\b503\b/i },
]

const longestWords = 4_000

/** Unlike a server, a program that fails without a known reason does so again. */
export const agentFailure = (words: string): ModelError => {
  const said = words.trim().slice(0, longestWords)
  const error = reportedError(problemFrom(said), [])
  const found = rules.find(rule => rule.words.test(said))
  const kind = found?.kind ?? (error.kind === 'server-error' ? 'bad-request' : error.kind)
  return { kind, message: error.message }
}

// names: Names of seats that are agents: `cli:codex`, `cli:claude/opus`, `acp:some-agent --acp`.

/** The id of an agent's provider begins with it. */
export const seatPrefix = 'cli:'
/** Whatever the agent itself would take. */
export const defaultModel = 'default'
/** Its name becomes an argument: one that began with a dash would be a flag, such as that of another server. */
const modelName = /^[A-Za-z0-9][\w.:/@+[\]-]{0,199}$/

/** A value that follows its flag as a word of its own could be taken for a flag. */
export const oneWord = (flag: string, value: string): string => `${flag}=${value}`

/** In words, if it can't be the name of an agent's model. A log may be a stranger's, so this is asked before each run too. */
export const modelFault = (model: string): string | undefined =>
  modelName.test(model)
    ? undefined
    : `${JSON.stringify(model.slice(0, 100))} is not the name of a model: write letters, digits and . _ : / @ + - [ ], and begin with a letter or a digit`
/** The provider of agents that speak the Agent Client Protocol; the model is the command. */
export const acpId = 'acp'

/** In a log, `acp:command` is `acp/command`. */
export const isAgentSeat = (name: string): boolean => /^(?:cli:|acp[:/])/.test(name)

/** The command of a seat that names one; undefined if it doesn't. */
export const commandIn = (name: string): string | undefined => /^acp[:/](.+)$/s.exec(name)?.[1]?.trim()

// agentProvider: A command-line agent as a provider: one run of its program for each call.

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
    // A reply in the wrong form is asked for once more, with these words: one wish must not cost the seat its answer.
    wantsTool: name => fail({ kind: 'bad-shape', message: toolWords(label, name) }),
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
  const fault = modelFault(call.model)
  if (fault !== undefined) return fault
  const abilities = await abilitiesOf(agent, path, env)
  if (typeof abilities === 'string') return abilities
  const model = call.model === defaultModel ? {} : { model: call.model }
  return agent.plan({
    ...{ ...abilities, ...model, prompt: agentPrompt(call), schema: call.shape.json },
    file: workplace.file,
  })
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
      ...{ path: settings.path, args: invocation.args, workplace },
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

// findProgram: Looks for a program in the folders of PATH, without running anything.

const isProgram = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

/**
 * The full path of a program; undefined if it isn't installed. Relative folders of PATH are skipped: the working folder
 * may be a stranger's.
 */
export const findProgram = async (command: string, path: string | undefined): Promise<string | undefined> => {
  if (isAbsolute(command)) return (await isProgram(command)) ? command : undefined
  if (command === '' || command.includes('/')) return undefined
  const folders = (path ?? '').split(delimiter).filter(isAbsolute)
  const found = await Promise.all(folders.map(folder => isProgram(join(folder, command))))
  const index = found.indexOf(true)
  return index < 0 ? undefined : join(folders[index]!, command)
}

// jsonLines: Reads lines of JSON out of a stream that may hold anything else too.

export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const recordIn = (value: unknown, key: string): JsonRecord => {
  const inner = isRecord(value) ? value[key] : undefined
  return isRecord(inner) ? inner : {}
}

export const textIn = (value: unknown, key: string): string => {
  const inner = isRecord(value) ? value[key] : undefined
  return typeof inner === 'string' ? inner : ''
}

export const countIn = (value: JsonRecord, key: string): number => {
  const inner = value[key]
  return typeof inner === 'number' && Number.isFinite(inner) && inner > 0 ? inner : 0
}

/** No answer is nearly as long. A longer line isn't kept while it arrives, and isn't read. */
export const longestLine = 4_000_000

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Lines that aren't JSON objects are skipped: programs print warnings and banners between them. */
export const jsonLines = (onObject: (value: JsonRecord) => void) => {
  let pieces: string[] = []
  let length = 0
  const finish = (): void => {
    const line = length > longestLine ? '' : pieces.join('').trim()
    pieces = []
    length = 0
    const value = line.startsWith('{') ? parsed(line) : undefined
    if (isRecord(value)) onObject(value)
  }
  const keep = (piece: string): void => {
    length += piece.length
    if (length > longestLine) pieces = []
    else pieces.push(piece)
  }
  return {
    data(text: string): void {
      let from = 0
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
        keep(text.slice(from, end))
        finish()
        from = end + 1
      }
      keep(text.slice(from))
    },
    /** What stands after the last line break. */
    end: finish,
  }
}
