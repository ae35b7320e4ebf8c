/** What is said of a question before it is asked: its format, its kind, its files, its estimate, what is carried over. */

import { counted, dollars, listed, rangeText, shortNumber, spentCost, wholeNumber } from '../core/basics.ts'
import type { Usage } from '../core/event.ts'
import type { Excerpts } from '../core/excerpts.ts'
import type { Kind, KindSource } from '../core/form.ts'
import type { Seat } from '../core/opening.ts'
import { type After, type Carry, type ForkedFrom, type LinkKind, parentOf } from '../core/opening.ts'
import type { Attachment } from '../core/question.ts'
import { type Format, type Question, wordsFor } from '../core/question.ts'
import { numberText } from '../core/reply.ts'

// estimate: What a session is expected to take, in words: calls, tokens, cost, time.

interface Ends {
  readonly low: number
  readonly high: number
}

export interface EstimatedFigures {
  readonly calls: Ends
  readonly inputTokens: Ends
  readonly outputTokens: Ends
  /** Null: the price of a model is unknown. */
  readonly costUsd: Ends | null
  /** A subscription pays for a part of it. */
  readonly subscription?: true | undefined
  readonly seconds: Ends
}

const between = ({ low, high }: Ends, words: (value: number) => string): string =>
  rangeText(words(low), words(high))

/** "$0.03–0.05": the sign once. */
const costRange = ({ low, high }: Ends): string =>
  dollars(low) === dollars(high) ? dollars(low) : `${dollars(low)}–${dollars(high).replace('$', '')}`

const costOf = ({ costUsd, subscription }: EstimatedFigures): string => {
  if (!costUsd) return 'price unknown'
  if (!subscription) return costRange(costUsd)
  return costUsd.high === 0 ? 'subscription' : `${costRange(costUsd)} and subscription`
}

interface Span {
  readonly value: number
  readonly unit: 's' | 'min' | 'h'
}

const spanOf = (seconds: number): Span => {
  if (seconds < 100) return { value: Math.round(seconds), unit: 's' }
  if (seconds < 7_200) return { value: Math.round(seconds / 60), unit: 'min' }
  return { value: Math.round(seconds / 3_600), unit: 'h' }
}

/** "8–40 s", "8 s to 5 min", "3–20 min": nobody counts in hundreds of seconds. */
const timeRange = ({ low, high }: Ends): string => {
  const [least, most] = [spanOf(low), spanOf(high)]
  return least.unit === most.unit
    ? `${rangeText(String(least.value), String(most.value))} ${most.unit}`
    : `${least.value} ${least.unit} to ${most.value} ${most.unit}`
}

export interface EstimateText {
  readonly calls: string
  readonly tokens: string
  readonly cost: string
  readonly time: string
}

export const estimateText = (estimate: EstimatedFigures): EstimateText => ({
  calls: between(estimate.calls, shortNumber),
  tokens: between(
    {
      low: estimate.inputTokens.low + estimate.outputTokens.low,
      high: estimate.inputTokens.high + estimate.outputTokens.high,
    },
    shortNumber,
  ),
  cost: costOf(estimate),
  time: timeRange(estimate.seconds),
})

/** Not a bound: a reply that has to be asked for again comes on top. "Usually: 14–20 calls, 12k–20k tokens, $0.03–0.05, 8 s to 4 min" */
export const estimateLine = (estimate: EstimatedFigures): string => {
  const { calls, tokens, cost, time } = estimateText(estimate)
  return `Usually: ${calls} ${estimate.calls.high === 1 ? 'call' : 'calls'}, ${tokens} tokens, ${cost}, ${time}`
}

// sharpenWords: What every face says about sharper wordings of a question.

export const clearWords = 'The question is clear as it is.'

/** "By lab/moderator: 412 tokens in, 120 out, $0.0012." */
export const sharpenSpent = ({
  moderator,
  usage,
}: {
  readonly moderator: string
  readonly usage: Usage | null
}): string => {
  if (!usage) return `By ${moderator}.`
  const about = usage.estimated ? 'about ' : ''
  const cost = spentCost(usage, 'cost unknown')
  return `By ${moderator}: ${about}${counted(usage.inputTokens, 'token')} in, ${wholeNumber(usage.outputTokens)} out, ${cost}.`
}

// pictureWords: Pictures and excerpts in words, the same on every face.

/** "640 × 480 pixels". */
export const pixelsText = (width: number, height: number): string => `${width} × ${height} pixels`

/** "2 of 3 seats cannot see the pictures that are attached". Empty if all can. */
export const unseenWords = (seats: readonly Pick<Seat, 'sees'>[]): string => {
  const blind = seats.filter(({ sees }) => sees === false).length
  return blind === 0
    ? ''
    : `${blind} of ${counted(seats.length, 'seat')} cannot see the pictures that are attached`
}

/** Said before anybody is asked: "b and c probably can't see the attached pictures." */
export const unseenNote = (names: readonly string[]): string =>
  `${listed(names)} probably can't see the attached pictures.`

/** "12 of 340 passages". */
export const passagesText = ({ given, of }: { readonly given: number; readonly of: number }): string =>
  `${wholeNumber(given)} of ${counted(of, 'passage')}`

export const excerptWords = ({ given, of }: Excerpts): string =>
  `the seats read excerpts of what is attached: ${passagesText({ given: given.length, of })}`

// exhibitWords: How much an exhibit holds, in words.

/** "12 pages", "3 sheets", "1,200 characters", "640 × 480 pixels". */
export const exhibitSize = ({
  media,
  places = [],
  text,
  width,
  height,
}: Pick<Attachment, 'media' | 'places' | 'text' | 'width' | 'height'>): string => {
  if (width !== undefined && height !== undefined) return pixelsText(width, height)
  if (places.length === 0) return counted(text.length, 'character')
  return counted(places.length, media === 'application/pdf' ? 'page' : 'sheet')
}

// kindWords: What kind of question it is, in words that every face shows.

/** "A matter of taste" */
export const kindTitles: Readonly<Record<Kind, string>> = {
  fact: 'A question of fact',
  estimate: 'An estimate',
  judgement: 'A question of judgement',
  taste: 'A matter of taste',
  text: 'A text',
}

/** What a reader can expect of the verdict. */
const meanings: Readonly<Record<Kind, string>> = {
  fact: 'one answer is right, and it can be checked.',
  estimate: 'it can be measured, now or later.',
  judgement: 'reasons can be better or worse, and no source settles it.',
  taste: 'no answer is right, so read the positions.',
  text: 'no text is right or wrong, so read each for what it has.',
}

const sources: Readonly<Record<KindSource, string>> = {
  asker: 'Chosen by the asker',
  format: 'Known from its format',
  moderator: 'Chosen by the moderator',
}

/** "A matter of taste: no answer is right, so read the positions. (Chosen by the moderator.)" */
export const kindSentence = (kind: Kind, by: KindSource): string =>
  `${kindTitles[kind]}: ${meanings[kind]} (${sources[by]}.)`

// askedFor: What a question asks for.

interface AskedFor {
  readonly format: Format
  readonly options: readonly string[]
  readonly unit?: string
  readonly scale?: Question['scale']
  readonly tolerance?: Question['tolerance']
  readonly length?: number
  readonly camps?: Question['camps']
}

/** "A number in km, on a log scale, give or take 10%" */
const numberNote = ({ unit, scale, tolerance }: AskedFor): string => {
  const within = typeof tolerance === 'number' ? numberText(tolerance, unit) : tolerance
  return [
    `A number${unit ? ` in ${unit}` : ''}`,
    ...(scale === 'log' ? ['on a log scale'] : []),
    ...(within === undefined ? [] : [`give or take ${within}`]),
  ].join(', ')
}

/** How the question is to be answered; undefined if in free words. */
export const formatNote = (asked: AskedFor): string | undefined => {
  switch (asked.format) {
    case 'open':
      return undefined
    case 'text':
      return `A text of about ${wholeNumber(wordsFor(asked))} words${asked.camps ? ', grouped by intent' : ''}`
    case 'choice':
      return `Options: ${asked.options.join(' · ')}`
    case 'ranking':
      return `Rank: ${asked.options.join(' · ')}`
    case 'number':
      return numberNote(asked)
    default:
      return asked.format satisfies never
  }
}

/** What the asker wants to be kept in mind, if anything. */
export const instructionNote = ({ instruction }: Pick<Question, 'instruction'>): string | undefined =>
  instruction && `Instruction of the asker: ${instruction}`

// threadWords: How a session belongs to others, in words.

/** A session of a thread, as lists show it. */
export interface ThreadSession {
  readonly id: string
  readonly question: string
  /** Null while it runs. */
  readonly line: string | null
  readonly parent: string | null
  readonly link: LinkKind | null
}

/** Above the sessions that belong together. */
export const threadTitle = 'The thread'

export const linkTitles: Readonly<Record<LinkKind, string>> = { 'follow-up': 'Follow-up', fork: 'Fork' }

/** What seats are told, for a person who chooses it. */
export const carryTitles: Readonly<Record<Carry, string>> = {
  camps: 'the verdict, the camps and the dissent',
  verdict: 'the verdict',
  none: 'nothing',
}

interface Linked {
  readonly after?: After
  readonly forkedFrom?: ForkedFrom
}

const forkNote = ({ session, round }: ForkedFrom): string =>
  round === undefined
    ? `Fork of session ${session}, from the start.`
    : `Fork of session ${session} after ${round === 0 ? 'the sealed round' : `round ${round}`}. What was said before is copied: its cost and tokens count there, not here.`

const afterNote = ({ session, carry }: After): string =>
  `Follow-up to session ${session}. Its seats were told ${carryTitles[carry]} of it.`

/** What a reader must know about where a session comes from. */
export const linkNotes = ({ after, forkedFrom }: Linked): string[] => [
  ...(after ? [afterNote(after)] : []),
  ...(forkedFrom ? [forkNote(forkedFrom)] : []),
]

/** The sessions before, as far as the log itself knows them, and the session. */
export const knownThread = ({
  id,
  question,
  line,
  ...links
}: Linked & Pick<ThreadSession, 'id' | 'question' | 'line'>): ThreadSession[] => {
  const earlier = links.after?.carried ?? []
  const parent = parentOf(links)
  const above = earlier.map(
    (one, index): ThreadSession => ({
      id: one.session,
      question: one.question,
      line: one.line,
      parent: earlier[index - 1]?.session ?? null,
      link: index > 0 ? 'follow-up' : null,
    }),
  )
  return [...above, { id, question, line, parent: parent?.session ?? null, link: parent?.kind ?? null }]
}

/** How many sessions of the thread are above this one. */
export const depthIn = (thread: readonly ThreadSession[], session: ThreadSession): number => {
  const above = new Map(thread.map(one => [one.id, one.parent]))
  let depth = 0
  for (let id = session.parent; id !== null && above.has(id) && depth < thread.length; depth++)
    id = above.get(id) ?? null
  return depth
}

const longestQuestion = 160

const shortQuestion = (question: string): string => {
  const line = question.trim().replace(/\s+/g, ' ')
  return line.length > longestQuestion ? `${line.slice(0, longestQuestion)}…` : line
}

/** One line for each session. Nothing if a session stands alone. */
export const threadTexts = (
  thread: readonly ThreadSession[],
  current: string,
): { readonly depth: number; readonly text: string }[] =>
  thread.length < 2
    ? []
    : thread.map(session => {
        const { id, question, line, link } = session
        const kind = link ? `${linkTitles[link]}: ` : ''
        const here = id === current ? ' (this session)' : ''
        return {
          depth: depthIn(thread, session),
          text: `${kind}${shortQuestion(question)} · ${line ?? 'still running'} · ${id}${here}`,
        }
      })
