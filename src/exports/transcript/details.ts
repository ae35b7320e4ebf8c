/** What a seat says besides its answer, as a transcript writes it, and back. Seats are numbered in their order. */
import type { HandedIn, Session } from '../../core/log/state.ts'
import {
  type Answer,
  type AnswerDecision,
  type Credit,
  decisions,
  judgements,
  type Point,
  reasons,
  textJudgements,
} from '../../core/question/answer.ts'
import { type Citation, isInPicture } from '../../core/question/citation.ts'
import { cameLate, details, field, fieldText } from './lines.ts'
import type { TextSource } from './source.ts'

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
