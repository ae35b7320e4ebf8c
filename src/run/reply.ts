/**
 * Reads a JSON object while it is being written, and passes on the text of chosen string fields. A field of the objects
 * in a list is named with the list: `points.why`. It reads each character once, whatever the size of the chunks: parsing
 * the whole text again for every token would take time that grows with the square of its length.
 */
import type { ModelError } from '../core/basics.ts'
import type { DraftField } from '../core/event.ts'
import { withNames } from '../core/mask.ts'
import { isRefusal } from '../core/refusal.ts'
import type { Session } from '../core/session.ts'
import { withKnownCounts } from '../report/report.ts'

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

const quote = 34
const backslash = 92
/** The object itself, a list in it, and an object of that list. What is nested deeper is passed over. */
const deepest = 3

export interface JsonFields {
  push(chunk: string): void
}

export const jsonFields = (
  fields: readonly string[],
  emit: (field: string, text: string) => void,
  begin: (field: string) => void = () => {},
  end: (field: string) => void = () => {},
): JsonFields => {
  let depth = 0
  let inString = false
  /** An escape that isn't complete yet, without its backslash. Undefined outside of one. */
  let escaping: string | undefined
  let atKey = false
  /** By depth: the key that is open there, and whether there is an object. */
  const keys = ['', '', '', '']
  const isObject = [false, true, false, false]
  let isInList = false
  let field = ''
  let role: 'key' | 'value' | 'other' = 'other'
  const wanted = new Set(fields)
  /** Looked up in two steps: joining a long key with every short one in its list would read it again each time. */
  const inLists = Map.groupBy(
    fields.filter(name => name.includes('.')),
    name => name.slice(0, name.indexOf('.')),
  )

  const give = (text: string): void => {
    if (text === '') return
    if (role === 'key') keys[depth] += text
    else if (role === 'value') emit(field, text)
  }

  const throughEscape = (chunk: string, from: number): number => {
    let index = from
    while (escaping !== undefined && index < chunk.length) {
      escaping += chunk[index++]
      if (escaping[0] !== 'u') give(escapes[escaping] ?? escaping)
      else if (escaping.length < 5) continue
      else give(String.fromCharCode(Number.parseInt(escaping.slice(1), 16)))
      escaping = undefined
    }
    return index
  }

  const throughString = (chunk: string, from: number): number => {
    let index = from
    while (index < chunk.length) {
      const code = chunk.charCodeAt(index)
      if (code === quote || code === backslash) break
      index++
    }
    give(chunk.slice(from, index))
    if (index === chunk.length) return index
    if (chunk.charCodeAt(index) === backslash) {
      escaping = ''
      return throughEscape(chunk, index + 1)
    }
    inString = false
    if (role === 'value') end(field)
    return index + 1
  }

  const fieldHere = (): string | undefined => {
    if (depth === 1) return wanted.has(keys[1]!) ? keys[1] : undefined
    return inLists.get(keys[1]!)?.find(name => name.slice(keys[1]!.length + 1) === keys[deepest])
  }

  const startString = (): void => {
    inString = true
    role = 'other'
    if (depth > deepest || !isObject[depth]) return
    if (atKey) {
      role = 'key'
      keys[depth] = ''
      return
    }
    const found = fieldHere()
    if (found === undefined) return
    role = 'value'
    field = found
    begin(field)
  }

  const open = (object: boolean): void => {
    depth++
    if (depth > deepest) return
    if (depth === 2) isInList = !object
    isObject[depth] = depth === 1 || (depth === deepest && object && isInList)
    atKey = isObject[depth]!
  }

  const structure = (character: string): void => {
    if (character === '"' && depth > 0) startString()
    else if (character === '{' || character === '[') open(character === '{')
    else if (character === '}' || character === ']') depth = Math.max(0, depth - 1)
    else if (depth > deepest || !isObject[depth]) return
    else if (character === ',') atKey = true
    else if (character === ':') atKey = false
  }

  return {
    push(chunk) {
      let index = escaping === undefined ? 0 : throughEscape(chunk, 0)
      while (index < chunk.length) {
        if (inString) index = throughString(chunk, index)
        else structure(chunk[index++]!)
      }
    },
  }
}

// draftReader: What watchers see of a reply while it is written.

/** The fields of a reply, and as what they are shown: small models conclude, advocates argue. */
const shownAs: Readonly<Record<string, DraftField>> = {
  'points.quote': 'points',
  'points.why': 'points',
  reasoning: 'reasoning',
  argument: 'reasoning',
  text: 'text',
  headline: 'headline',
  conclusion: 'headline',
  // Of a report.
  'reasons.reason': 'points',
  moved: 'reasoning',
  open: 'reasoning',
  unverified: 'reasoning',
  settle: 'reasoning',
  answer: 'headline',
  // Of a report on texts.
  common: 'reasoning',
  'each.only': 'points',
}

/** Parts of a report that begin on a line of their own. */
const ownLine: ReadonlySet<string> = new Set([
  'reasons.reason',
  'each.only',
  ...['moved', 'open', 'unverified', 'settle'],
])

export interface DraftListener {
  onDelta(field: DraftField, text: string): void
  /** A text is whole: what was held back of it can be shown. */
  onWhole?(field: DraftField): void
}

/** Others' points are shown a line each, as `draftPoint` writes them: their words in quotation marks, then why. */
export const draftReader = ({ onDelta, onWhole }: DraftListener): JsonFields => {
  let isQuoting = false
  let lines = 0
  const begun = new Set<DraftField>()
  const newLine = (): string => (lines++ === 0 ? '' : '\n')
  const begin = (field: string): void => {
    if (field === 'points.quote') {
      onDelta('points', `${isQuoting ? '”' : ''}${newLine()}“`)
      isQuoting = true
    } else if (field === 'points.why') {
      onDelta('points', isQuoting ? '” ' : newLine())
      isQuoting = false
    } else if (ownLine.has(field)) {
      const shown = shownAs[field]!
      if (begun.has(shown)) onDelta(shown, '\n')
      begun.add(shown)
    }
  }
  return jsonFields(
    Object.keys(shownAs),
    (field, text) => onDelta(shownAs[field]!, text),
    begin,
    field => onWhole?.(shownAs[field]!),
  )
}

// replyOutcome: What a finished reply says: a value, that the model declines, or what is wrong with it.

/** Several times what a model may write. More is refused, so that nobody has to store, read or show it. */
export const longestReply = 200_000

/** What came back from a call, as far as it says something. */
export interface Finished {
  readonly text: string
  readonly refusal?: string
  readonly finish?: 'stop' | 'length' | 'filter' | undefined
}

/** How the object of a reply is read. It may say what is wrong with it, or that its writer declines. */
export type ReadObject<T> = (
  raw: Record<string, unknown>,
) => T | { readonly problem: string } | { readonly declines: string }

export type ReplyOutcome<T> =
  | { readonly value: T }
  | { readonly words: string }
  | { readonly error: ModelError }

const isProblem = (value: unknown): value is { problem: string } =>
  typeof value === 'object' && value !== null && 'problem' in value

const isDeclined = (value: unknown): value is { declines: string } =>
  typeof value === 'object' && value !== null && 'declines' in value && !('headline' in value)

/** More objects than these nobody writes by way of drafts. */
const mostDrafts = 20

/** The last object that can be read counts: models write drafts before their answer. */
export const replyOutcome = <T>(heard: Finished, read: ReadObject<T>): ReplyOutcome<T> => {
  if (heard.refusal) return { words: heard.refusal }
  const text = heard.text.trim()
  if (text === '') return { error: emptyReply(heard.finish) }
  if (text.length > longestReply)
    return { error: { kind: 'bad-shape', message: `the reply is longer than ${longestReply} characters` } }
  const objects = objectsIn(text)
  let problem = 'it has no JSON object'
  let found: { value: T } | { words: string } | undefined
  for (const raw of objects.slice(-mostDrafts)) {
    const outcome = objectOutcome(raw, read)
    if ('problem' in outcome) problem = outcome.problem
    else found = outcome
  }
  if (found) return found
  const words = wordsOf(objects.at(-1), text).find(isRefusal)
  if (words !== undefined) return { words }
  if (heard.finish === 'length')
    return { error: { kind: 'cut-off', message: `${problem}; the reply hit its length limit` } }
  if (heard.finish === 'filter') return { error: filtered }
  return { error: { kind: 'bad-shape', message: `${problem}: ${JSON.stringify(text.slice(0, 200))}` } }
}

const filtered: ModelError = { kind: 'content-filter', message: 'the provider filtered the reply' }

const emptyReply = (finish: Finished['finish']): ModelError => {
  if (finish === 'filter') return filtered
  return finish === 'length'
    ? { kind: 'cut-off', message: 'it hit its length limit without a word, perhaps by thinking' }
    : { kind: 'empty', message: 'the reply was empty' }
}

const objectOutcome = <T>(
  raw: Record<string, unknown>,
  read: ReadObject<T>,
): { value: T } | { words: string } | { problem: string } => {
  const value = read(raw)
  if (isDeclined(value)) return { words: value.declines }
  if (!isProblem(value)) return { value: value as T }
  const inner = wrapped(raw)
  const outcome = inner && objectOutcome(inner, read)
  return outcome && !('problem' in outcome) ? outcome : value
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The answer in `{"answer": {…}}` or `{"name": "answer", "arguments": {…}}`, as models that call tools write it. */
const wrapped = (raw: Record<string, unknown>): Record<string, unknown> | undefined => {
  const values = Object.values(raw)
  const [inner, second] = values.filter(isObject)
  return values.length <= 3 && second === undefined ? inner : undefined
}

/** What may be a refusal in a reply without a usable value. */
const wordsOf = (raw: Record<string, unknown> | undefined, text: string): string[] =>
  raw ? Object.values(raw).filter(value => typeof value === 'string') : [afterThinking(text).trim()]

// objectsIn: Finds the JSON objects in a finished reply: alone, in a code fence, behind a draft, or between other words.

/** All that is before the last of these is thought, drafts among it. Some servers send the closing mark alone. */
const thinkingEnds =
  /<\/(?:think|thinking|thought|reasoning)>|\[\/THINK\]|◁\/think▷|<\|channel\|>final<\|message\|>/gi
const thinkingBegins =
  /^\s*(?:<(?:think|thinking|thought|reasoning)>|\[THINK\]|◁think▷|<\|channel\|>analysis)/i

const afterThinking = (text: string): string => {
  const last = [...text.matchAll(thinkingEnds)].at(-1)
  const rest = last ? text.slice(last.index + last[0].length) : text
  return thinkingBegins.test(rest) ? '' : rest
}

/** All top-level objects, in their order. If the last one broke off, those before it are drafts of it. */
export const objectsIn = (text: string): Record<string, unknown>[] => {
  const start = /^\s*(?:```\w*\s*)?(?=\{)/.exec(text.slice(0, 100))
  if (start) {
    const reader = new LenientReader(text, start[0].length)
    const whole = reader.object(1)
    // A reply that is nothing but an object may speak of </think>.
    if (whole !== broken && /^\s*(?:```)?\s*$/.test(text.slice(reader.at, reader.at + 100))) return [whole]
  }
  const quoted = /^\s*"/.test(text.slice(0, 100)) ? parsedText(text) : undefined
  return objectsAmong(quoted ?? afterThinking(text))
}

const parsedText = (text: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

const objectsAmong = (text: string): Record<string, unknown>[] => {
  const reader = new LenientReader(text, 0)
  let objects: Record<string, unknown>[] = []
  let isCut = false
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', reader.at)) {
    reader.at = start
    const object = reader.object(1)
    if (reader.isDeep || reader.steps <= 0) return []
    if (object !== broken) objects.push(object)
    else {
      if (reader.at >= text.length && reader.hasKey && !isCut) {
        isCut = true
        objects = []
      }
      reader.at = start + 1
    }
  }
  return objects
}

/** Deeper nesting is hostile or broken, and would overflow the stack of whatever reads it. */
const deepestJson = 20
/** A text may be read again from many braces. Together that must stay linear in its length. */
const mostPasses = 20

const broken = Symbol('broken')

const closings: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”' }
const literals: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...(['true', 'True', 'TRUE'] as const).map(word => [word, true] as const),
  ...(['false', 'False', 'FALSE'] as const).map(word => [word, false] as const),
  ...(['null', 'None', 'undefined'] as const).map(word => [word, null] as const),
])

/**
 * Reads JSON as models write it: with raw line breaks and quotation marks in strings, escapes that JSON doesn't know, trailing
 * commas, comments, bare keys and the marks of Python. It gives up at the first character that can't be meant as JSON, and a
 * number that a JSON number can't hold stays a text, for whoever reads it to refuse.
 */
class LenientReader {
  readonly #text: string
  at: number
  steps: number
  isDeep = false
  /** The object that was read last had a key, so it wasn't a brace in prose. */
  hasKey = false

  constructor(text: string, at: number) {
    this.#text = text
    this.at = at
    this.steps = mostPasses * text.length + 1_000
  }

  object(depth: number): Record<string, unknown> | typeof broken {
    if (depth === 1) this.hasKey = false
    if (depth > deepestJson) this.isDeep = true
    if (this.isDeep) return broken
    const entries: [string, unknown][] = []
    this.at++
    while (this.#next() !== '}') {
      const key = this.#key()
      if (key === broken || this.#next() !== ':') return broken
      this.hasKey = true
      this.at++
      const value = this.#value(depth)
      if (value === broken) return broken
      entries.push([key, value])
      if (!this.#comma('}')) return broken
    }
    this.at++
    return Object.fromEntries(entries)
  }

  #list(depth: number): unknown[] | typeof broken {
    if (depth > deepestJson) this.isDeep = true
    if (this.isDeep) return broken
    const items: unknown[] = []
    this.at++
    while (this.#next() !== ']') {
      const value = this.#value(depth)
      if (value === broken) return broken
      items.push(value)
      if (!this.#comma(']')) return broken
    }
    this.at++
    return items
  }

  /** Past the comma after an entry, if there is one. */
  #comma(closing: string): boolean {
    const next = this.#next()
    if (next === ',') this.at++
    return next === ',' || next === closing
  }

  /** The next character that isn't a space or part of a comment. Empty at the end. */
  #next(): string {
    while (this.steps-- > 0) {
      const character = this.#text[this.at]
      if (character === undefined) return ''
      if (/\s/.test(character)) this.at++
      else if (character !== '/') return character
      else {
        const closing = this.#text[this.at + 1] === '/' ? '\n' : this.#text[this.at + 1] === '*' ? '*/' : ''
        const end = closing === '' ? -1 : this.#text.indexOf(closing, this.at + 2)
        this.steps -= (end < 0 ? this.#text.length : end) - this.at
        if (end < 0) return '/'
        this.at = end + closing.length
      }
    }
    return ''
  }

  #key(): string | typeof broken {
    if (closings[this.#next()] !== undefined) return this.#string()
    const [word] = this.#match(/[A-Za-z_$][\w$]{0,60}/y)
    return word ?? broken
  }

  #value(depth: number): unknown {
    const first = this.#next()
    if (first === '{') return this.object(depth + 1)
    if (first === '[') return this.#list(depth + 1)
    if (closings[first] !== undefined) return this.#string(',}]')
    const [word] = this.#match(/[^\s,}\]"{[:]{1,400}/y)
    if (word === undefined) return broken
    if (literals.has(word)) return literals.get(word)
    if (/^[+-]?(?:NaN|Infinity)$/.test(word)) return word
    if (!/^[+-]?[\d._]+(?:e[+-]?\d+)?$/i.test(word)) return broken
    const number = Number(word)
    const isKept = Number.isFinite(number) && !/^[+-]?0*[1-9]\d{15}/.test(word)
    return isKept ? number : word
  }

  #match(pattern: RegExp): readonly (string | undefined)[] {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.#text)
    if (found) this.at += found[0].length
    return found ?? []
  }

  /** `followers`: one of these must follow the closing mark; a mark before anything else belongs to the text. */
  #string(followers?: string): string | typeof broken {
    const closing = closings[this.#text[this.at]!]!
    const parts: string[] = []
    let from = ++this.at
    while (this.steps-- > 0 && this.at < this.#text.length) {
      const character = this.#text[this.at]!
      if (character === '\\') {
        parts.push(this.#text.slice(from, this.at), this.#escape())
        from = this.at
      } else if (character === closing && (followers === undefined || this.#isEnd(followers))) {
        parts.push(this.#text.slice(from, this.at++))
        return parts.join('')
      } else this.at++
    }
    return broken
  }

  #isEnd(followers: string): boolean {
    let after = this.at + 1
    while (this.steps-- > 0 && /\s/.test(this.#text[after] ?? '')) after++
    const next = this.#text[after]
    return (
      next === undefined ||
      followers.includes(next) ||
      (next === '/' && '/*'.includes(this.#text[after + 1] ?? ' '))
    )
  }

  /** An escape that JSON doesn't know, as in "\alpha", keeps its backslash; before a sign it goes. */
  #escape(): string {
    const character = this.#text[this.at + 1] ?? ''
    const code = /^[0-9a-f]{4}$/i.exec(this.#text.slice(this.at + 2, this.at + 6))?.[0]
    this.at += 2
    if (character === 'u' && code) {
      this.at += 4
      return String.fromCharCode(Number.parseInt(code, 16))
    }
    const known = escapes[character]
    if (known !== undefined) return known
    return /[A-Za-z0-9([\])]/.test(character) ? `\\${character}` : character
  }
}

// reportPieces: A report for those who watch it being written: placeholders have their counts, and letters of seats are names.

type Emit = DraftListener['onDelta']

/** The end of a text that may still become a placeholder, or the letters of seats. Nobody should see half of them. */
const unfinished = /\{[^{}]{0,40}$|\{\{?[^{}]{0,40}\}$|\b[Ss]eats?\b[^.!?\n]{0,24}$|\S{1,40}$/u

/** Characters. Each placeholder may stand for a whole headline, and every watcher would get it as often. */
const mostFilledIn = 20_000

export const reportPieces = (session: Session, emit: Emit): Required<DraftListener> => {
  const held = new Map<DraftField, string>()
  let filledIn = 0
  const filled = (text: string): string => {
    const whole = withNames(session, withKnownCounts(session, text))
    filledIn += Math.max(0, whole.length - text.length)
    return filledIn > mostFilledIn ? text : whole
  }
  return {
    onDelta(field, text) {
      const all = (held.get(field) ?? '') + text
      const end = unfinished.exec(all)?.index ?? all.length
      held.set(field, all.slice(end))
      if (end > 0) emit(field, filled(all.slice(0, end)))
    },
    onWhole(field) {
      const rest = held.get(field) ?? ''
      held.delete(field)
      if (rest !== '') emit(field, filled(rest))
    },
  }
}

// tokens: Estimates tokens if no provider has counted them: before a call, or if it gave no figures.

/** In twentieths of a token, so that sums are exact. */
const perToken = 20
const latin = 5
const wide = 16

const weightAt = (text: string, index: number): number => (text.charCodeAt(index) > 0x2ff ? wide : latin)

const weightOf = (text: string): number => {
  let weight = 0
  for (let index = 0; index < text.length; index++) weight += weightAt(text, index)
  return weight
}

/** About four Latin characters to a token, and about one character in other scripts. */
export const tokensIn = (text: string): number => Math.ceil(weightOf(text) / perToken)

/** Asks for room for a reply of so many tokens in all. Returns how many it may have. */
export type Allow = (tokens: number) => number

/** Counts a reply while it arrives, as `tokensIn` counts the whole of it, and cuts it where its room ends. */
export const replyCount = (allow: Allow) => {
  let weight = 0
  let allowed = 0
  return {
    /** As much of the text as there is room for. */
    take(text: string): string {
      const whole = weight + weightOf(text)
      const tokens = Math.ceil(whole / perToken)
      if (tokens > allowed) allowed = allow(tokens)
      if (tokens <= allowed) {
        weight = whole
        return text
      }
      let end = 0
      for (; weight + weightAt(text, end) <= allowed * perToken; end++) weight += weightAt(text, end)
      // Half a character can't be stored.
      return text.slice(0, end).replace(/[\ud800-\udbff]$/, '')
    },
  }
}

/** What providers add to the parts of a call: the marks between messages, and how they ask for the form of a reply. */
const addedByProviders = 256

/** No tokeniser makes more tokens of a text than it has bytes, so a budget can rely on this. */
export const mostTokensIn = (parts: readonly string[]): number =>
  parts.reduce((sum, part) => sum + Buffer.byteLength(part), addedByProviders)
