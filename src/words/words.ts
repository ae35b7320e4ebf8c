/** What a seat is writing now, in one line: the same on every face. */
import {
  counted,
  duration,
  listed,
  type ModelError,
  models,
  percent,
  shortNumber,
  spentCost,
  wholeNumber,
  wordingOf,
} from '../core/basics.ts'
import type { ModeratorTask, Report } from '../core/event.ts'
import type { Excerpts } from '../core/excerpts.ts'
import { canBeRight } from '../core/form.ts'
import type { Seat } from '../core/opening.ts'
import type { Answer, Question, Source } from '../core/question.ts'
import { numberText, valueText } from '../core/reply.ts'
import { answerIn, type Draft, type HandedIn, roundAt, type Session } from '../core/session.ts'
import type { HowOftenRight, SealedSplit } from '../count/splits.ts'
import { type Flag, flags, verdictOf } from '../count/verdict.ts'
import { excerptWords, unseenWords } from './asking.ts'

/** Enough for a long sentence. */
const longest = 160

/** Where a sentence or a line begins; in scripts without spaces too. */
const beginning = /(?:[.!?][”"’')\]]*\s+|[。！？]\s*|\n\s*)(?=\S)/g

/** The sentence that is being written. A longer one is shown from a word on. */
export const sentenceAt = (text: string): string => {
  const tail = text.slice(-2 * longest).trimEnd()
  const last = [...tail.matchAll(beginning)].at(-1)
  const sentence = last ? tail.slice(last.index + last[0].length) : tail
  if (sentence.length <= longest && (last || text.length <= tail.length)) return sentence
  return `… ${sentence.slice(-longest).replace(/^\S*\s+/, '')}`
}

/** The headline once it comes; before that, the sentence that the seat is at. */
export const draftWords = ({ headline, text, reasoning, points }: Draft): string =>
  headline || sentenceAt(text || reasoning || points)

export const draftState = (draft: Draft): 'thinking' | 'weighing' | 'writing' | 'retrying' => {
  if (draft.retrying) return 'retrying'
  if (draft.headline || draft.text || draft.reasoning) return 'writing'
  return draft.points ? 'weighing' : 'thinking'
}

// handedIn: What a seat handed in for a round, in a line: its answer, or why there is none.

/** Whether a text begins with these words, and not just with the same letters. */
const beginsWith = (text: string, words: string): boolean =>
  text.toLowerCase().startsWith(words.toLowerCase()) && !/^[\p{L}\p{N}.]/u.test(text.slice(words.length))

/** "Yes · Because it is so"; the headline alone if it says the value itself, or the question is open. */
export const answerWords = (question: Pick<Question, 'format' | 'unit'>, answer: Answer): string => {
  const headline = answer.headline.trim()
  if (question.format === 'open') return headline
  const value = valueText(question, answer)
  return beginsWith(headline, value) ? headline : `${value} · ${headline}`
}

/** How sure a seat says it is. */
export const confidenceWords = (confidence: number): string => `${percent(confidence)} sure`

/** "60 to 120 km", "at least 60 km"; undefined if a seat gave no range around its number. */
export const rangeWords = (
  { unit }: Pick<Question, 'unit'>,
  { low, high }: Pick<Answer, 'low' | 'high'>,
): string | undefined => {
  if (low !== undefined && high !== undefined) return `${numberText(low)} to ${numberText(high, unit)}`
  if (low !== undefined) return `at least ${numberText(low, unit)}`
  return high === undefined ? undefined : `at most ${numberText(high, unit)}`
}

/** For an answer that is not in the language of the question. */
export const driftWords = 'answered in another language'

/** "timed out (504)", "wrong key in OPENAI_API_KEY (401)" */
export const failureName = ({ kind, status, variable }: Omit<ModelError, 'message'>): string =>
  `${wordingOf(kind).short}${variable ? ` in ${variable}` : ''}${status === undefined ? '' : ` (${status})`}`

/** "timed out (504): no token for 60 s", with the provider's own words. */
export const failureWords = (error: ModelError): string =>
  [failureName(error), error.message.trim()].filter(Boolean).join(': ')

export const handedInWords = (question: Pick<Question, 'format' | 'unit'>, handedIn: HandedIn): string => {
  switch (handedIn.status) {
    case 'given':
      return answerWords(question, handedIn.answer)
    case 'silent':
      return failureWords(handedIn.error)
    case 'abstained':
      return handedIn.words.trim()
    default:
      return handedIn satisfies never
  }
}

// howOftenRightWords: How often tables like this one were right, in one sentence that every face shows.

const splitWords: Readonly<Record<SealedSplit, string>> = {
  unanimous: 'a sealed vote was unanimous',
  supermajority: 'at least two thirds agreed in the sealed round',
  majority: 'more than half agreed in the sealed round',
  plurality: 'a sealed vote had no majority',
  tie: 'a sealed vote was a tie',
}

const wholePercent = (share: number): string => `${Math.round(share * 100)}%`

const recordedWords = ({ recorded }: HowOftenRight): string =>
  `${wholeNumber(recorded.tables)} recorded debates of real models`

const range = ({ low, high }: HowOftenRight): string => `${Math.round(low * 100)}–${wholePercent(high)}`

/** "Track record: when a sealed vote was unanimous, the answer was right about 90% of the time (5,649 recorded debates …; 81–100% depending on the source)." */
export const howOftenRightSentence = (signal: HowOftenRight, ownShown = 10): string => {
  const { split, right, own, recorded } = signal
  const said = `Track record: when ${splitWords[split]}, the answer was right about ${wholePercent(right)} of the time`
  const bySource = `${range(signal)} depending on the source`
  if (own.of === 0) return `${said} (${recordedWords(signal)}; ${bySource}).`
  const both = `${own.right} of ${own.of} here, and ${wholePercent(recorded.right)} of ${recordedWords(signal)}`
  return own.of < ownShown
    ? `${said} (${both}; ${bySource}).`
    : `${said} (95% interval ${range(signal)}; ${both}).`
}

// outsideWords: Seats that are held from outside, by an agent or a person: what readers of a session are told about them.

type Holder = Pick<Seat, 'name' | 'outside' | 'person'>

/** "3 models, 2 people and 1 seat from outside" */
export const tableWords = (seats: readonly Holder[]): string => {
  const people = seats.filter(seat => seat.person).length
  const outside = seats.filter(seat => seat.outside).length - people
  const rest = seats.length - outside - people
  if (rest === seats.length) return models(seats.length)
  return listed([
    ...(rest > 0 ? [models(rest)] : []),
    ...(people > 0 ? [counted(people, 'person', 'people')] : []),
    ...(outside > 0 ? [`${counted(outside, 'seat')} from outside`] : []),
  ])
}

const agentNote = (names: readonly string[]): string =>
  names.length === 1
    ? `${names[0]} answers from outside: somebody hands in the answers of this seat, and no model is called for it.`
    : `${listed(names)} answer from outside: somebody hands in the answers of these seats, and no model is called for them.`

/** Undefined if models hold all seats. */
export const outsideNote = (seats: readonly Holder[]): string | undefined => {
  const namesOf = (isPerson: boolean): string[] =>
    seats.filter(seat => seat.outside && (seat.person ?? false) === isPerson).map(({ name }) => name)
  const [people, agents] = [namesOf(true), namesOf(false)]
  const notes = [
    ...(people.length > 0
      ? [`${listed(people)} ${people.length === 1 ? 'is a person' : 'are people'} at this table.`]
      : []),
    ...(agents.length > 0 ? [agentNote(agents)] : []),
  ]
  return notes.length > 0 ? notes.join(' ') : undefined
}

/** Where a seat's answers come from: the model's id, a person, or somebody outside. */
export const sourceWords = ({
  model,
  outside,
  person,
}: Pick<Seat, 'model' | 'outside' | 'person'>): string => {
  if (person) return 'a person'
  return outside ? 'answers from outside' : model
}

/** What a seat is doing that was asked and hasn't answered. */
export const outsideWaiting = ({ person }: Pick<Seat, 'person'>): string =>
  person ? 'The table waits for this person.' : 'Its answer is awaited from outside.'

// remarks: What a reader should know about a verdict: its flags, and what went wrong on the way.

const taskWords: Record<ModeratorTask, string> = {
  kind: 'say what kind of question it is',
  readings: 'put together how seats read the question',
  reading: 'read the round in one call',
  group: 'group the answers',
  check: 'check who agrees',
  digest: 'sum up the round',
  challenge: 'look for an objection',
  judge: 'judge the two cases',
  report: 'write the report',
  change: 'check a change of mind',
}

const isTask = (task: string): task is ModeratorTask => Object.hasOwn(taskWords, task)

/** "could not group the answers" */
export const couldNot = (task: string): string => `could not ${isTask(task) ? taskWords[task] : task}`

export interface Remark {
  readonly head: string
  readonly words: string
}

/** A remark with a few words for it that go on after "Read with care:". */
export interface CareRemark extends Remark {
  readonly phrase: string
}

const isFlag = (flag: string): flag is Flag => Object.hasOwn(flags, flag)

/** What some flags count, from a session or its document. */
export interface FlagCounts {
  readonly seats?: readonly Pick<Seat, 'sees'>[]
  readonly excerpts?: Excerpts | undefined
}

/** The words of a flag, with its count if it has one. */
const wordsFor = (flag: string, { seats = [], excerpts }: FlagCounts): string => {
  if (!isFlag(flag)) return ''
  if (flag === 'unseen pictures') return `${sentence(unseenWords(seats))} ${flags[flag]}`
  if (flag === 'excerpts' && excerpts) return `${sentence(excerptWords(excerpts))} ${flags[flag]}`
  return flags[flag]
}

const phraseFor = (flag: Flag, { seats = [], excerpts }: FlagCounts): string => {
  if (flag === 'unseen pictures') return unseenWords(seats)
  return flag === 'excerpts' && excerpts ? excerptWords(excerpts) : flagPhrases[flag]
}

const sentence = (words: string): string =>
  words === '' ? '' : `${words[0]!.toUpperCase()}${words.slice(1)}.`

/** A document of a later version may have flags that this one has no words for. */
export const flagRemarks = (found: readonly string[], counts: FlagCounts): Remark[] =>
  found.map(flag => ({ head: flag, words: wordsFor(flag, counts) }))

interface Problems {
  readonly failures: readonly { readonly task: string; readonly error: ModelError }[]
  /** Why reports of the moderator were not used. */
  readonly rejected: readonly string[]
  readonly stopped?: { readonly reason: string; readonly words: string }
}

export const problemRemarks = ({ failures, rejected, stopped }: Problems): Remark[] => [
  ...failures.map(({ task, error }) => ({
    head: `moderator ${couldNot(task)}`,
    words: failureWords(error),
  })),
  ...rejected.map(words => ({ head: 'report rejected', words })),
  ...(stopped ? [{ head: `stopped (${stopped.reason})`, words: stopped.words }] : []),
]

const flagPhrases: Record<Flag, string> = {
  herding: 'seats joined the largest camp without a reason that checks out',
  'minority overrun': 'a minority gave in without a reason that checks out',
  'length bias': 'the answers that won others over were much longer',
  'contested grouping': 'it is contested who agrees with whom',
  ungrouped: 'only equal headlines count as agreement',
  'low confidence': 'the leading answer is uncertain',
  'judge dissents': 'the judge ruled for another answer',
  'judge swayed by order': 'the order of the cases swayed the judge',
  'market dissents': 'the market prefers another option',
  'unsupported sources': 'an answer cites words that code did not find',
  'without sources': 'the web search failed or found nothing',
  'not all searched': 'some seats could not search the web',
  'unseen pictures': 'some seats cannot see the pictures',
  excerpts: 'the seats read excerpts of what is attached',
  'language drift': 'a seat answered in another language',
  'moderator on panel': 'the moderator also holds a seat',
  'people decided': 'people decided which answer leads',
  'report by code': 'code wrote this report, not a moderator',
  'budget reached': 'the budget ran out',
  'over budget': 'it used more than its budget',
  interrupted: 'it was stopped early',
  failed: 'it could not be finished',
  'demo-grade': 'very small models hold seats',
  'scripted seats': 'scripted seats gave replies that were written in advance',
}

/** A call that the stop itself cut short, or that was never made: the moderator failed at nothing. */
const isOfStop = ({ kind }: ModelError): boolean => kind === 'cancelled' || kind === 'budget'

const endings = { budget: 'budget reached', interrupted: 'interrupted', failed: 'failed' } as const

const isEnding = (reason: string): reason is keyof typeof endings => Object.hasOwn(endings, reason)

/** What the moderator failed at, each once, with every reason and how often it came. */
const failureRemarks = (failures: Problems['failures']): CareRemark[] =>
  [...Map.groupBy(failures, ({ task }) => couldNot(task))].map(([what, same]) => {
    const reasons = [...Map.groupBy(same, ({ error }) => failureWords(error))].map(
      ([words, { length }]) => `${words}${length > 1 ? ` (${length} times)` : ''}`,
    )
    return { head: `moderator ${what}`, words: reasons.join('; '), phrase: `the moderator ${what}` }
  })

/** Flags and what went wrong on the way, each once: a flag isn't repeated by the problem that caused it. */
export const careRemarks = (
  found: readonly string[],
  { failures, rejected, stopped, ...counts }: Problems & FlagCounts,
): CareRemark[] => {
  const ending = stopped && isEnding(stopped.reason) ? endings[stopped.reason] : undefined
  const byCode = found.includes('report by code')
  const flagged = found.map((flag): CareRemark => {
    const words = wordsFor(flag, counts)
    const phrase = isFlag(flag) ? phraseFor(flag, counts) : flag
    if (flag === ending && stopped) return { head: flag, words: stopped.words, phrase }
    if (flag === 'report by code' && rejected.length > 0)
      return { head: flag, words: [words, ...new Set(rejected)].join(' '), phrase }
    return { head: flag, words, phrase }
  })
  return [
    ...flagged,
    ...failureRemarks(failures.filter(({ error }) => !(stopped && isOfStop(error)))),
    ...(byCode ? [] : [...new Set(rejected)]).map(words => ({
      ...{ head: 'report rejected', words },
      phrase: 'the first report was turned down',
    })),
    ...(stopped && !(ending && found.includes(ending))
      ? [{ head: `stopped (${stopped.reason})`, words: stopped.words, phrase: 'it was stopped' }]
      : []),
  ]
}

/** More would not be read. */
const mostPhrases = 3

/** "Read with care: code wrote this report, not a moderator; the judge ruled for another answer." Undefined if there is nothing. */
export const careSentence = (remarks: readonly CareRemark[]): string | undefined => {
  if (remarks.length === 0) return undefined
  const shown = remarks.slice(0, remarks.length === mostPhrases + 1 ? mostPhrases + 1 : mostPhrases)
  const rest = remarks.length - shown.length
  return `Read with care: ${shown.map(({ phrase }) => phrase).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`
}

// reportParts: The parts of a report that follow its answer, with their titles, in the order in which every face shows them.

export interface ReportPart {
  readonly id: 'summary' | 'reasons' | 'moved' | 'counterpoint' | 'open' | 'unverified' | 'settle'
  /** Null: the text speaks for itself. */
  readonly title: string | null
  readonly text: string
}

type Names = (seat: string) => string

/** A reason with the words of the seat that it rests on: "It is cheap (GLM 4.7: “half the price”)". */
const reasonText = (
  { reason, seat, quote }: NonNullable<Report['reasons']>[number],
  nameOf: Names,
): string => (seat && quote ? `${reason} (${nameOf(seat)}: “${quote}”)` : reason)

export const reasonsText = (reasons: Report['reasons'], nameOf: Names): string => {
  const texts = (reasons ?? []).map(reason => reasonText(reason, nameOf))
  return texts.length === 1 ? texts.join('') : texts.map(text => `- ${text}`).join('\n')
}

/** A report with reasons shows them instead of the summary, which says the same in one text. */
export const reportParts = (report: Report, nameOf: Names): ReportPart[] => {
  const { summary, reasons, moved, counterpoint, open, unverified, settle } = report
  const parts: readonly (Omit<ReportPart, 'text'> & { text: string | undefined })[] = [
    reasons
      ? { id: 'reasons', title: 'What carried it', text: reasonsText(reasons, nameOf) }
      : { id: 'summary', title: null, text: summary },
    { id: 'moved', title: 'Who moved whom', text: moved },
    { id: 'counterpoint', title: 'Counterpoint', text: counterpoint },
    { id: 'open', title: 'What stayed open', text: open },
    { id: 'unverified', title: 'What nobody could verify', text: unverified },
    { id: 'settle', title: 'What would settle it', text: settle },
  ]
  return parts.flatMap(({ id, title, text }) => (text ? [{ id, title, text }] : []))
}

/** Every text of a report, to search in. */
export const reportTexts = ({ reasons, ...texts }: Report): string[] => [
  ...Object.values(texts),
  ...(reasons ?? []).flatMap(({ reason, quote }) => [reason, ...(quote ? [quote] : [])]),
]

/** What a seat is doing while a round is under way, in one word. */
export const seatWords = {
  waiting: 'waiting',
  thinking: 'thinking',
  weighing: 'weighing',
  writing: 'writing',
  speaking: 'speaking',
  answered: 'answered',
  late: 'may still answer',
  silent: 'silent',
  abstained: 'abstained',
  notAsked: 'not asked',
} as const

// sourceWords: Sources in words, the same on every face.

export const sourcesTitle = 'Sources of the web search'
export const foundTitle = 'Found by its own search'
export const unsearchedWords =
  'Its maker has no search tool that is known here, so it answered without searching.'

/** "[3] The title, 2026-01-02"; the address is shown apart. `exhibits`: how many have the numbers before. */
export const sourceHead = ({ title, date }: Source, index: number, exhibits: number): string =>
  [`[${exhibits + index + 1}] ${title}`, ...(date === undefined ? [] : [date])].join(', ')

// spentWords: What a call took, in words.

type Spent = Pick<HandedIn, 'usage' | 'timing' | 'late'>

/** For an answer that came after its round had gone on without it. */
export const lateWord = 'late'

/** Nothing if the price is unknown. */
export const knownCost = (usage: Spent['usage']): string => (usage ? spentCost(usage, '') : '')

/** "213", or "~213" if the provider gave no figures. */
export const outputTokens = (usage: NonNullable<Spent['usage']>): string =>
  `${usage.estimated ? '~' : ''}${shortNumber(usage.outputTokens)}`

/** "late", "213 tokens", "4.2 s", "2 tries", "$0.0012" */
export const spentParts = ({ usage, timing, late }: Spent): string[] =>
  [
    late === undefined ? undefined : lateWord,
    usage && `${outputTokens(usage)} tokens`,
    timing && duration(timing.total),
    timing && timing.attempts > 1 ? counted(timing.attempts, 'try', 'tries') : undefined,
    knownCost(usage),
  ].filter((part): part is string => Boolean(part))

/** " (2 searches)", after a cost that has their fees. */
export const searchWords = ({ searches = 0 }: { readonly searches?: number | undefined }): string =>
  searches > 0 ? ` (${counted(searches, 'search', 'searches')})` : ''

/** " (3,200 cached)", after a number of input tokens; nothing if the provider had cached none of them. */
export const cachedWords = ({ cachedTokens = 0 }: { readonly cachedTokens?: number | undefined }): string =>
  cachedTokens > 0 ? ` (${wholeNumber(cachedTokens)} cached)` : ''

// sureWords: How sure the seats say they are, in one sentence beside the verdict.

/** "They say they are 57–80% sure."; undefined without a verdict, where being sure means nothing, or if fewer than two seats say it. */
export const sureSentence = (session: Session): string | undefined => {
  const { final, level } = verdictOf(session)
  if (!final || level === 'no-quorum' || session.imported || !canBeRight(session)) return undefined
  const round = roundAt(session, final.round)
  const said = session.seats.flatMap(({ id }) => answerIn(round, id)?.confidence ?? [])
  if (said.length < 2) return undefined
  const [low, high] = [percent(Math.min(...said)), percent(Math.max(...said))]
  return `They say they are ${low === high ? low : `${low.slice(0, -1)}–${high}`} sure.`
}
