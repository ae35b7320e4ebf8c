/** Compares what an imported transcript claims with what can be computed from its own texts. */
import { type ModelError, modelErrorKinds, trimmedEnd, UsageError, wordingOf } from '../core/basics.ts'
import type { ChangeWord } from '../core/event.ts'
import {
  type Answer,
  type AnswerDecision,
  type Citation,
  type Credit,
  decisions,
  type Format,
  isInPicture,
  judgements,
  type Point,
  type Question,
  reasons,
  textJudgements,
} from '../core/question.ts'
import { type HandedIn, latestRound, type Session } from '../core/session.ts'
import { groupingOf, isGrouped } from '../count/settle.ts'
import { type Level, tallyOf } from '../count/tally.ts'
import type { Verdict } from '../count/verdict.ts'
import { verdictLine } from '../count/verdict-line.ts'
import { moveWords } from '../words/moves.ts'

export interface CheckedSeat {
  readonly seat: string
  /** The transcript marks the seat as changed. */
  readonly claimed: boolean
  /** What its text says. Null if the quoted proof isn't in the text, or the moderator couldn't read it. */
  readonly says: ChangeWord | null
  readonly quote: string
  /** Whether the mark and the text agree. Null if the text doesn't say. */
  readonly holds: boolean | null
}

export interface TranscriptCheck {
  readonly moderator: string
  readonly claimed: { readonly line: string }
  /** Null if nobody grouped the headlines: different words alone say nothing. */
  readonly computed: { readonly line: string; readonly level: Level | null; readonly agree: number } | null
  readonly contested: boolean
  readonly seats: readonly CheckedSeat[]
}

const checkedSeat = (session: Session, seat: string): CheckedSeat[] => {
  const change = session.changes?.[seat]
  if (!change) return []
  const claimed = session.imported?.changed.includes(seat) ?? false
  const stands = 'says' in change && (change.verified || change.says === 'not told')
  const says = stands ? change.says : null
  const told = says !== null && says !== 'not told'
  const quote = 'quote' in change ? change.quote : ''
  return [{ seat, claimed, says, quote, holds: told ? claimed === (says === 'switched') : null }]
}

/** Null if nobody has checked the session, or it isn't a transcript. */
export const transcriptCheckOf = (session: Session): TranscriptCheck | null => {
  const round = latestRound(session)
  if (!session.imported || !session.changes || session.moderator === null || !round) return null
  const grouping = groupingOf(session, round)
  const tally = tallyOf(session, round)
  const { level, agree } = tally
  const isCounted = isGrouped(grouping) && grouping.by !== 'headline'
  return {
    moderator: session.moderator,
    claimed: { line: session.imported.line },
    computed: isCounted ? { line: verdictLine(session, tally, null), level, agree } : null,
    contested: grouping.contested,
    seats: session.seats.flatMap(({ id }) => checkedSeat(session, id)),
  }
}

// transcriptClaims: What an imported transcript claims beside what its own texts say, row by row.

const says: Record<ChangeWord, string> = {
  held: `says it ${moveWords.held}`,
  refined: `says it ${moveWords.refined}`,
  switched: `says it ${moveWords.switched}`,
  'not told': 'does not say',
}

export interface TranscriptClaim {
  readonly what: string
  readonly claimed: string
  readonly computed: string
  readonly quote: string
  /** Whether claim and text agree; null if that is unknown. */
  readonly holds: boolean | null
}

interface Checked {
  readonly check?: Omit<TranscriptCheck, 'moderator'> | null
  readonly verdict: Pick<Verdict, 'level' | 'agree'>
  readonly seats: readonly { readonly id: string; readonly name: string }[]
}

/** What a transcript claims beside what its own texts say; the agreement first, then every seat. */
export const transcriptClaims = ({ check, verdict, seats }: Checked): TranscriptClaim[] => {
  if (!check) return []
  const name = (seat: string): string => seats.find(({ id }) => id === seat)?.name ?? seat
  const { computed } = check
  const same = computed && computed.level === verdict.level && computed.agree === verdict.agree
  return [
    {
      what: 'Agreement',
      claimed: check.claimed.line,
      computed: computed ? `${computed.line}${check.contested ? ' (contested)' : ''}` : 'not grouped',
      quote: '',
      holds: same,
    },
    ...check.seats.map(seat => ({
      what: name(seat.seat),
      claimed: seat.claimed ? moveWords.switched : 'no change',
      computed: seat.says === null ? 'no quote that proves it' : says[seat.says],
      quote: seat.says === null ? '' : seat.quote,
      holds: seat.holds,
    })),
  ]
}

export const holdsText = (holds: boolean | null): string => {
  if (holds === null) return 'unknown'
  return holds ? 'yes' : 'no'
}

// lines: The lines of a transcript. How a line begins tells structure from text, so a line of text that
// begins like structure gets a backslash in front, and loses it again when it is read.

/** Begins every line but the first of a field, or the field would end at its first line break. */
const continuation = '\\ '

export interface Escaping {
  readonly isStructure: (line: string) => boolean
  /** What makes the line structure; empty if it is text. */
  readonly beginning: (line: string) => string
  readonly mark: (line: string) => string
  readonly unmark: (line: string) => string
}

/** One more backslash on what begins like structure, however many it has: so the way back is exact. */
const escaping = (structure: string): Escaping => {
  const bare = new RegExp(`^(?:${structure})`)
  const perhaps = new RegExp(`^\\\\*(?:${structure})`)
  const escaped = new RegExp(`^\\\\+(?:${structure})`)
  return {
    isStructure: line => bare.test(line),
    beginning: line => bare.exec(line)?.[0] ?? '',
    mark: line => (perhaps.test(line) ? `\\${line}` : line),
    unmark: line => (escaped.test(line) ? line.slice(1) : line),
  }
}

/** What ends a question. Only closed formats have lines between the question and the answer. */
const openQuestion = escaping('Answer: ')
const closedQuestion = escaping(
  '(?:Answer|Options|Items|Unit(?:, log scale)?(?:, tolerance [\\d.e+ %-]+)?): |No unit(?:, log scale)?(?:, tolerance [\\d.e+ %-]+)?$',
)
const textQuestion = escaping('Answer: |Text(?:, \\d+ words)?(?:, grouped by intent)?$')

/** The lines that end a question of a format. */
export const questionLines = (format: Format): Escaping => {
  if (format === 'text') return textQuestion
  return format === 'open' ? openQuestion : closedQuestion
}

const handedIn = '(?:Answer|Silent|Abstained): |Final Summary$'
const quote = 'quote (?:not )?found'
const judged = [...judgements, ...textJudgements].join('|')
/** A line of its own: the round had gone on without the seat. */
export const cameLate = 'Came late, after its round had closed'
const said =
  `${cameLate}$|` +
  '(?:Reads the question as|Its range|What became of its answer' +
  `|Credits model \\d+, ${quote}` +
  `|Cites exhibit \\d+, (?:quote in a picture|${quote})` +
  `|On model \\d+, (?:because|(?:${judged}), ${quote})): `
/** What begins an answer of a seat. */
export const answers = escaping(handedIn)
/** What a seat says besides its answer, after its text. */
export const details = escaping(said)
/** What ends the text of a seat. */
export const responses = escaping(`${handedIn}|${said}`)
/** The same if seats wrote texts: what they say about them comes after them. */
export const textResponses = escaping(`About the text: |${handedIn}|${said}`)

/** A text that begins like the continuation of the field above it would be read as a part of it. */
const guarded = (line: string): string => (/^\\+ /.test(line) ? `\\${line}` : line)
const unguarded = (line: string): string => (/^\\{2,} /.test(line) ? line.slice(1) : line)

/** A short text with a prefix that says what it is. */
export const field = (prefix: string, text: string): string[] => {
  const [first = '', ...more] = text.split('\n')
  return [prefix + first, ...more.map(line => continuation + line)]
}

/** A short text without a prefix: a name, a headline, the verdict. */
export const bareField = (text: string, { mark }: Escaping): string[] => {
  const [first = '', ...more] = field('', text)
  return [mark(guarded(first)), ...more]
}

/** A long text. An empty one has no line at all. */
export const body = (text: string, { mark }: Escaping): string[] => {
  if (text === '') return []
  const [first = '', ...more] = text.split('\n')
  return [guarded(first), ...more].map(mark)
}

export const isContinuation = (line: string | undefined): boolean => line?.startsWith(continuation) ?? false

export const fieldText = (lines: readonly string[], prefix: string): string =>
  lines.map((line, index) => line.slice(index === 0 ? prefix.length : continuation.length)).join('\n')

export const bareFieldText = ([first = '', ...more]: readonly string[], { unmark }: Escaping): string =>
  fieldText([unguarded(unmark(first)), ...more], '')

export const bodyText = (lines: readonly string[], { unmark }: Escaping): string => {
  const [first = '', ...more] = lines.map(unmark)
  return [unguarded(first), ...more].join('\n')
}

// source: The lines of a transcript that is being read, and errors that name the line.

export interface TextSource {
  readonly lines: readonly string[]
  /** Blank lines between blocks: one, or none in the compact layout. */
  readonly gap: 0 | 1
  fail(index: number, reason: string): never
  /** The lines of the field that begins here, continuation lines included. */
  fieldAt(index: number): readonly string[]
  /** Where the field begins whose last line is this one. */
  fieldEndingAt(index: number): number
  /** The lines of the text between two blocks, given the last line of the one and the first of the other. */
  between(last: number, first: number): readonly string[]
}

const shortened = (line: string): string => (line.length > 60 ? `${line.slice(0, 60)}…` : line)

export const found = (line: string | undefined): string =>
  line === undefined ? 'the text ends' : `found "${shortened(line)}"`

/** Removes line ends of other systems, a byte order mark, and the line of a page that was still loading. */
const withoutWrapping = (text: string): { lines: string[]; skipped: number } => {
  const unmarked = text.replace(/^\uFEFF/, '')
  const windows = /^(?:Loading session\.\.\.\r\n)?\s*AI Roundtable[^\r\n]*\r\n/.test(unmarked)
  const unix = windows ? unmarked.replaceAll('\r\n', '\n') : unmarked
  const lines = trimmedEnd(unix, '\n').split('\n')
  if (lines[0] !== 'Loading session...') return { lines, skipped: 0 }
  const blank = lines.findIndex((line, index) => index > 0 && line !== '')
  const skipped = blank < 0 ? lines.length : blank
  return { lines: lines.slice(skipped), skipped }
}

export const sourceOf = (text: string): TextSource => {
  const { lines, skipped } = withoutWrapping(text)
  const responses = lines.indexOf(
    'Model Responses',
    lines.findIndex(line => line.startsWith('Answer: ')),
  )
  const gap = responses >= 0 && lines[responses + 1] === '' ? 1 : 0
  const fail = (index: number, reason: string): never => {
    throw new UsageError(`Line ${Math.min(index, lines.length) + skipped + 1} of the transcript: ${reason}.`)
  }
  return {
    lines,
    gap,
    fail,
    fieldAt(index) {
      let end = index + 1
      while (isContinuation(lines[end])) end++
      return lines.slice(index, end)
    },
    fieldEndingAt(index) {
      let start = index
      while (start > 0 && isContinuation(lines[start])) start--
      return start
    },
    between(last, first) {
      const all = lines.slice(last + 1, first)
      if (gap === 0) return all
      if (all[0] !== '') return fail(last + 1, `a blank line was expected, ${found(lines[last + 1])}`)
      if (all.length === 1) return []
      if (all.at(-1) !== '' || all.length === 2)
        return fail(first - 1, `a blank line was expected, ${found(lines[first - 1])}`)
      return all.slice(1, -1)
    },
  }
}

// details: What a seat says besides its answer, as a transcript writes it, and back. Seats are numbered in their order.

export type Details = Pick<
  Answer,
  'reading' | 'low' | 'high' | 'decision' | 'reason' | 'credit' | 'points' | 'citations'
> & {
  /** The round had closed without it. */
  readonly late?: true
}

const decisionTexts: Record<AnswerDecision, string> = {
  kept: 'kept',
  conceded: 'kept, conceding a point',
  narrowed: 'narrowed',
  changed: 'changed',
}

const rangeText = ({ low, high }: Details): string | undefined => {
  if (low === undefined && high === undefined) return undefined
  return [low === undefined ? [] : `from ${low}`, high === undefined ? [] : `up to ${high}`].flat().join(' ')
}

/** Behind a quote, for people: it is the number that says which seat is meant. */
const signature = (name: string | undefined): string => ` — ${(name ?? '').replace(/\s+/g, ' ').trim()}`

const inPicture = 'quote in a picture'
const foundText = (verified: boolean): string => (verified ? 'quote found' : 'quote not found')

/** Only words of the second prompts: transcripts of older sessions stay as they were. */
const ownWordLines = ({ decision, reason, credit }: Details, quoted: Quoted): string[] => {
  const said = decisions.find(one => one === decision)
  if (!said) return []
  return [
    `What became of its answer: ${decisionTexts[said]}${reason ? ` (${reason})` : ''}`,
    ...(credit ? quoted('Credits', `, ${foundText(credit.verified)}`, credit) : []),
  ]
}

type Quoted = (before: string, after: string, credit: Credit) => string[]

/** Of an answer, and of when it came. */
export const detailLines = (session: Session, { answer, late }: HandedIn & { status: 'given' }): string[] => [
  ...(late === undefined ? [] : [cameLate]),
  ...saidLines(session, answer),
]

/** The place stands behind the quote, as a name does. */
const citationField = (citation: Citation): string[] => {
  const { exhibit, address, quote, place = address ?? '', verified } = citation
  const found = isInPicture(citation) ? inPicture : foundText(verified)
  return exhibit === undefined
    ? []
    : field(`Cites exhibit ${exhibit}, ${found}: `, quote + signature(place.replaceAll('—', '-')))
}

const saidLines = ({ seats }: Session, answer: Details): string[] => {
  const place = (id: string): number => seats.findIndex(seat => seat.id === id)
  const quoted: Quoted = (before, after, { seat, quote }) =>
    field(`${before} model ${place(seat) + 1}${after}: `, quote + signature(seats[place(seat)]?.name))
  const range = rangeText(answer)
  return [
    ...(answer.reading === undefined ? [] : field('Reads the question as: ', answer.reading)),
    ...(range === undefined ? [] : [`Its range: ${range}`]),
    ...(answer.citations ?? []).flatMap(citationField),
    ...ownWordLines(answer, quoted),
    ...(answer.points ?? []).flatMap(point => [
      ...quoted('On', `, ${point.judgement}, ${foundText(point.verified)}`, point),
      ...(point.why === '' ? [] : field(`On model ${place(point.seat) + 1}, because: `, point.why)),
    ]),
  ]
}

/** Undefined if it isn't the text of a range. */
const readRange = (text: string): Details | undefined => {
  const found = /^(?:from (\S+))?(?:(?:^| )up to (\S+))?$/.exec(text)
  const [low, high] = [found?.[1], found?.[2]].map(one => (one === undefined ? undefined : Number(one)))
  if (!found || [low, high].some(Number.isNaN)) return undefined
  return { ...(low !== undefined && { low }), ...(high !== undefined && { high }) }
}

const readOwnWord = (text: string): Details | undefined => {
  const word = text.replace(/ \([^()]*\)$/, '')
  const said = text.slice(word.length + 2, -1)
  const decision = decisions.find(one => decisionTexts[one] === word)
  const reason = reasons.find(one => one === said)
  if (!decision || (said !== '' && !reason)) return undefined
  return { decision, ...(reason && { reason }) }
}

const readCredit = (prefix: string, text: string, names: readonly string[]): Credit | undefined => {
  const place = Number(/model (\d+)/.exec(prefix)?.[1])
  const signed = signature(names[place - 1])
  if (names[place - 1] === undefined || !text.endsWith(signed)) return undefined
  return {
    seat: `s${place}`,
    quote: text.slice(0, -signed.length),
    verified: !prefix.includes('quote not found'),
  }
}

const readCitation = (prefix: string, text: string, before: Details): Details | undefined => {
  const at = text.lastIndexOf(' — ')
  const exhibit = Number(/\d+/.exec(prefix)?.[0])
  if (at < 0 || !(exhibit >= 1 && exhibit <= 100)) return undefined
  const place = text.slice(at + 3)
  const pictured = prefix.includes(inPicture)
  const citation: Citation = {
    ...{ exhibit, quote: text.slice(0, at) },
    verified: !pictured && !prefix.includes('quote not found'),
    ...(pictured && { unreachable: 'a picture' }),
    ...(place && { place }),
  }
  return { citations: [...(before.citations ?? []), citation] }
}

const readPoint = (prefix: string, text: string, before: Details, names: readonly string[]) => {
  const points = before.points ?? []
  const last = points.at(-1)
  if (prefix.endsWith(', because: ')) {
    const goesOn = last?.why === '' && prefix === `On model ${last.seat.slice(1)}, because: `
    return goesOn ? { points: points.with(-1, { ...last, why: text }) } : undefined
  }
  const credit = readCredit(prefix, text, names)
  const judgement = [...judgements, ...textJudgements].find(one => prefix.includes(`, ${one}, `))
  const point: Point | undefined = credit && judgement && { ...credit, judgement, why: '' }
  return point && { points: [...points, point] }
}

/** What one field adds; undefined if it can't be read. */
const readField = (
  prefix: string,
  text: string,
  before: Details,
  names: readonly string[],
): Details | undefined => {
  if (prefix === cameLate) return { late: true }
  if (prefix === 'Reads the question as: ') return { reading: text }
  if (prefix === 'Its range: ') return readRange(text)
  if (prefix === 'What became of its answer: ') return readOwnWord(text)
  if (prefix.startsWith('Cites ')) return readCitation(prefix, text, before)
  if (prefix.startsWith('On ')) return readPoint(prefix, text, before, names)
  const credit = readCredit(prefix, text, names)
  return credit && { credit }
}

/** The fields from one line up to another. `names` are those of all seats, in their order. */
export const readDetails = (
  source: TextSource,
  from: number,
  to: number,
  names: readonly string[],
): Details => {
  let read: Details = {}
  for (let at = from; at < to; ) {
    const lines = source.fieldAt(at)
    const prefix = details.beginning(lines[0] ?? '')
    const more = prefix && readField(prefix, fieldText(lines, prefix), read, names)
    if (!more) return source.fail(at, 'what a seat says of its answer or of others was expected')
    read = { ...read, ...more }
    at += lines.length
  }
  return read
}

// values: Values of closed formats as a transcript writes them, and back.

type Mark = '|' | '>'
/** An item that holds the mark as a word of its own would be read as two. */
const escapedItem = (item: string, mark: Mark): string =>
  item.replace(new RegExp(`(^| )(\\\\*)\\${mark}(?= |$)`, 'g'), `$1\\$2${mark}`)
const unescapedItem = (item: string, mark: Mark): string =>
  item.replace(new RegExp(`(^| )\\\\(\\\\*)\\${mark}(?= |$)`, 'g'), `$1$2${mark}`)

export const joined = (items: readonly string[], mark: Mark): string =>
  items.map(item => escapedItem(item, mark)).join(` ${mark} `)

export const separated = (text: string, mark: Mark): string[] =>
  text === '' ? [] : text.split(` ${mark} `).map(item => unescapedItem(item, mark))

/** What stands after a seat's `Answer: `. */
export const writtenValue = (question: Question, answer: Answer): string => {
  switch (question.format) {
    case 'open':
    case 'text':
      return answer.headline
    case 'choice':
      return answer.choice ?? ''
    case 'ranking':
      return joined(answer.ranking ?? [], '>')
    case 'number':
      return answer.number === undefined ? '' : String(answer.number)
    default:
      return question.format satisfies never
  }
}

/** Undefined if the text isn't a value of that format. */
export const readValue = (format: Question['format'], text: string): Partial<Answer> | undefined => {
  if (format === 'open' || format === 'text' || text === '') return {}
  if (format === 'choice') return { choice: text }
  if (format === 'ranking') return { ranking: separated(text, '>') }
  const number = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? { number } : undefined
}

/** Stands for the options that nobody chose, if a transcript does not list them. */
export const optionNotShown = '(not shown)'

/** The options as far as the answers show them; a list that says no more is left out. */
export const shownOptions = (choices: readonly string[]): string[] => {
  const shown = new Map<string, string>()
  for (const choice of choices.map(one => one.trim()).filter(one => one !== '')) {
    if (!shown.has(choice.toLowerCase())) shown.set(choice.toLowerCase(), choice)
  }
  return shown.size === 1 ? [...shown.values(), optionNotShown] : [...shown.values()]
}

/** "timed out: …", "server error (500): …" */
export const writtenError = ({ kind, status, message }: ModelError): string =>
  `${wordingOf(kind).short}${status === undefined ? '' : ` (${status})`}: ${message}`

export const readError = (text: string): ModelError | undefined => {
  for (const kind of modelErrorKinds) {
    const { short } = wordingOf(kind)
    if (!text.startsWith(short)) continue
    const found = /^(?: \((-?\d+)\))?: (.*)$/s.exec(text.slice(short.length))
    if (!found) continue
    const [, status, message = ''] = found
    return { kind, message, ...(status !== undefined && { status: Number(status) }) }
  }
  return undefined
}
