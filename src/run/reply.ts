/**
 * Reads a JSON object while it is being written, and passes on the text of chosen string fields. A field of the objects
 * in a list is named with the list: `points.why`. It reads each character once, whatever the size of the chunks: parsing
 * the whole text again for every token would take time that grows with the square of its length.
 */
import type { DraftField } from '../core/event.ts'
import { withNames } from '../core/mask.ts'
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

// jsonReply: Finds the JSON object in a finished reply: alone, in a code fence, or between other words.

/** Several times what a model may write. More is refused, so that nobody has to store, read or show it. */
export const longestReply = 200_000

/** The first balanced `{…}`. Braces inside strings don't count. */
const firstObject = (text: string): string | undefined => {
  const start = text.indexOf('{')
  if (start < 0) return undefined
  let depth = 0
  let inString = false
  for (let index = start; index < text.length; index++) {
    const character = text[index]
    if (inString) {
      if (character === '\\') index++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return text.slice(start, index + 1)
  }
  return undefined
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Deeper nesting is hostile or broken, and would overflow the stack of whatever reads it. */
const deepestJson = 20

const isDeep = (value: unknown, levels = deepestJson): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(one => isDeep(one, levels - 1)))

/** Undefined if there is none that can be read. */
export const jsonIn = (text: string): Record<string, unknown> | undefined => {
  const whole = parsed(text) ?? parsed(firstObject(text) ?? '')
  return typeof whole === 'object' && whole !== null && !Array.isArray(whole) && !isDeep(whole)
    ? (whole as Record<string, unknown>)
    : undefined
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
