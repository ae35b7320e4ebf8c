/** What the readable formats say, before any markup. */
import { capitalised, spentCost, wholeNumber } from '../core/basics.ts'
import type { SessionEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { numberText } from '../core/reply.ts'
import { seatOf } from '../core/session.ts'
import { type BookLetter, lettersIn } from '../count/letters.ts'
import { roundPhrase, toleranceText } from '../count/tally.ts'
import { kindSentence } from '../words/asking.ts'
import {
  type BetweenRounds,
  betweenRoundsOf,
  claimedChange,
  creditWords,
  digestParts,
  directionWords,
  moveWords,
  type Names,
  ownWordLine,
  persuasive,
  quoteWords,
  type ReadingText,
  readingTexts,
  reasonWords,
  unsupportedWords,
  wayWords,
  wonOver,
} from '../words/moves.ts'
import { bookLine, bookTitle, letterNote, seatNotes, sessionTitle } from '../words/story.ts'
import {
  cachedWords,
  confidenceWords,
  driftWords,
  failureName,
  howOftenRightSentence,
  lateWord,
  rangeWords,
  searchWords,
} from '../words/words.ts'
import { documentOf, type HandedInDocument, type SessionDocument } from './json.ts'

type RoundDocument = SessionDocument['rounds'][number]
type GivenDocument = Extract<HandedInDocument, { status: 'given' }>

export const titleOf = ({ format, rounds, seats }: SessionDocument): string =>
  sessionTitle(
    format,
    rounds.some(round => !round.sealed),
    seats.length,
  )

export const nameOf = (document: SessionDocument, seat: string): string =>
  document.seats.find(one => one.id === seat)?.name ?? seat

/** The letter by which peers and the report speak of a seat. */
export const letterOf = (document: SessionDocument, seat: string): string =>
  document.seats.find(one => one.id === seat)?.alias ?? seat

export const namesOf = (document: SessionDocument, seats: readonly string[]): string =>
  seats.map(seat => nameOf(document, seat)).join(', ')

/** The round whose answers are the table's: the last one, or in a stopped session the last with a quorum. */
export const finalRound = ({ rounds, verdict }: SessionDocument): RoundDocument | undefined =>
  rounds.find(round => round.index === verdict.final?.round)

export const changedMind = ({ verdict, imported }: SessionDocument, seat: string): boolean =>
  imported?.changed.includes(seat) ?? verdict.ledger.some(flip => flip.seat === seat)

/** A closed answer's value; undefined for open ones, whose headline says it. */
export const closedValue = (document: SessionDocument, answer: GivenDocument): string | undefined => {
  if (answer.choice !== undefined) return answer.choice
  if (answer.ranking !== undefined) return answer.ranking.join(' > ')
  return answer.number === undefined ? undefined : numberText(answer.number, document.unit)
}

/** The rounds, up to the one with this answer, in which its seat changed its mind. */
const changedIn = ({ rounds, verdict }: SessionDocument, answer: HandedInDocument): number[] => {
  const last = rounds.find(round => round.answers.includes(answer))?.index ?? 0
  return verdict.ledger.flatMap(({ seat, round }) => (seat === answer.seat && round <= last ? [round] : []))
}

/** An imported transcript marks those who changed their mind, and says nothing of the others. */
const wayText = (document: SessionDocument, answer: HandedInDocument): string[] => {
  if (answer.status !== 'given' || !answer.move) return []
  if (!document.imported) return [wayWords(document.format, answer.move, changedIn(document, answer))]
  return answer.move === 'switched' ? [claimedChange] : []
}

/** "60 to 120 km · 80% sure · refined its position · late · answered in fr" */
export const remarksOn = (document: SessionDocument, answer: HandedInDocument): string[] => {
  const given = answer.status === 'given' ? answer : undefined
  const range = given && rangeWords(document, given)
  return [
    ...(range === undefined ? [] : [range]),
    ...(given?.confidence != null ? [confidenceWords(given.confidence)] : []),
    ...wayText(document, answer),
    ...(given?.late === undefined ? [] : [lateWord]),
    ...(given?.drifted ? [`${driftWords}${given.language ? ` (${given.language})` : ''}`] : []),
  ]
}

export interface QuoteText {
  readonly words: string
  readonly from: string
  /** "found in its answer" */
  readonly verdict: string
}

const creditText = (document: SessionDocument, credit: GivenDocument['credit']): QuoteText | undefined =>
  credit
    ? {
        words: credit.quote,
        from: nameOf(document, credit.seat),
        verdict: creditWords(credit.verified),
      }
    : undefined

export interface OwnWordText {
  /** "Says it kept its answer, conceding a point (a peer's point)" */
  readonly line: string
  readonly quote?: QuoteText
}

/** What became of an answer in the seat's own word, and the words that it credits. */
export const ownWordOf = (document: SessionDocument, answer: GivenDocument): OwnWordText | undefined => {
  const line = ownWordLine(answer, document.imported ? null : answer.move)
  if (line === undefined) return undefined
  const quote = creditText(document, answer.credit)
  return {
    line: capitalised(line),
    ...(quote && { quote }),
  }
}

export interface PointText extends QuoteText {
  /** "holds", "does not hold", "cannot be checked" */
  readonly judgement: string
  readonly why: string
}

export const pointsOf = (document: SessionDocument, { points = [] }: GivenDocument): PointText[] =>
  points.map(({ seat, quote, verified, judgement, why }) => ({
    words: quote,
    from: nameOf(document, seat),
    verdict: quoteWords(verified),
    judgement,
    why,
  }))

/** "Silent: timed out (504)", with what the provider said. */
export const absenceText = (
  answer: Exclude<HandedInDocument, { status: 'given' }>,
): { readonly what: string; readonly words: string } => {
  if (answer.status === 'abstained') return { what: 'Abstained', words: answer.words }
  return { what: `Silent: ${failureName(answer.error)}`, words: answer.error.message }
}

export interface TallyRow {
  readonly label: string
  /** Null if the session has no such tally. */
  readonly sealed: readonly string[] | null
  readonly final: readonly string[] | null
  readonly leads: boolean
}

/**
 * Camps of the sealed and of the final vote side by side, then who did not vote. Nobody grouped the
 * open answers of an imported transcript, and a row for each would contradict the agreement it claims.
 */
export const tallyRows = ({ verdict, imported, format }: SessionDocument): TallyRow[] => {
  if (imported && format === 'open') return []
  const { sealed, final } = verdict
  const camps = new Map([...(final?.camps ?? []), ...(sealed?.camps ?? [])].map(camp => [camp.id, camp]))
  const seatsOf = (tally: typeof sealed, id: string): readonly string[] | null =>
    tally && (tally.camps.find(camp => camp.id === id)?.seats ?? [])
  const absent = (['silent', 'abstained'] as const).map(status => ({
    label: status === 'silent' ? 'Silent' : 'Abstained',
    sealed: sealed?.[status] ?? null,
    final: final?.[status] ?? null,
    leads: false,
  }))
  return [
    ...[...camps.values()].map(({ id, label }) => ({
      label,
      sealed: seatsOf(sealed, id),
      final: seatsOf(final, id),
      leads: id === verdict.leading,
    })),
    ...absent.filter(row => row.sealed?.length || row.final?.length),
  ]
}

/** "Answers count as the same if the largest of them is at most about 3 times the smallest.", below the tally of numbers. */
export const sameNumbers = ({ verdict, unit }: SessionDocument): string | undefined =>
  verdict.final?.tolerance && toleranceText(verdict.final.tolerance, unit)

export interface ChangeText {
  readonly who: string
  /** "changed its mind in open round 1, from “No” to “Yes” (new evidence)" */
  readonly how: string
  readonly quote?: QuoteText
}

export const changesOf = (document: SessionDocument): ChangeText[] => {
  const camps = new Map(document.rounds.flatMap(round => round.camps.map(camp => [camp.id, camp.label])))
  const label = (id: string | null): string => (id === null ? 'no camp' : `“${camps.get(id) ?? id}”`)
  return document.verdict.ledger.map(({ seat, round, from, to, direction, reason, credit, unsupported }) => {
    const sides = document.imported
      ? 'as the transcript says'
      : `from ${label(from)} to ${label(to)}${direction ? `, ${directionWords[direction]}` : ''}`
    const quote = creditText(document, credit)
    return {
      who: nameOf(document, seat),
      how: `${moveWords.switched} in ${roundPhrase({ index: round, sealed: false })}, ${sides}${reason ? ` (${reasonWords[reason]})` : ''}${unsupported ? `; ${unsupportedWords(unsupported)}` : ''}`,
      ...(quote && { quote }),
    }
  })
}

const namesIn = (document: SessionDocument): Names => {
  const camps = new Map(document.rounds.flatMap(round => round.camps.map(({ id, label }) => [id, label])))
  return { unit: document.unit, seat: id => nameOf(document, id), camp: id => camps.get(id) ?? id }
}

type RoundParts = Parameters<typeof betweenRoundsOf>[0]

/** The document's turns and rulings are those of the state, with null for what is missing. */
const partsOf = ({ digest, statements, rulings, said }: RoundDocument): RoundParts => ({
  ...(said && { said }),
  ...(digest && { digest }),
  ...(statements && { statements: statements as RoundParts['statements'] }),
  ...(rulings && { rulings: rulings.map(ruling => ruling ?? undefined) }),
})

/** Figures, stakes, advocates' turns and a judge's rulings after a round. */
export const betweenRoundsTexts = (document: SessionDocument, round: RoundDocument): BetweenRounds[] =>
  betweenRoundsOf(partsOf(round), {
    ...namesIn(document),
    isLast: document.outcome !== undefined && round === document.rounds.at(-1),
  })

/** The positions as they were summed up for the next round. */
export const digestTexts = (document: SessionDocument, round: RoundDocument): BetweenRounds[] =>
  digestParts(partsOf(round), namesIn(document))

export interface UsageRow {
  readonly label: string
  readonly input: string
  readonly output: string
  readonly cost: string
}

/** Every seat, the moderator, and the sum. */
export const usageRows = (document: SessionDocument): UsageRow[] => {
  const row = (label: string, usage: SessionDocument['usage']): UsageRow => ({
    label,
    input: `${wholeNumber(usage.inputTokens)}${cachedWords(usage)}`,
    output: `${wholeNumber(usage.outputTokens)}${usage.estimated ? ' (estimated)' : ''}`,
    cost: `${spentCost(usage)}${searchWords(usage)}`,
  })
  return [
    ...document.seats.flatMap(seat => {
      const usage = document.usageBySeat[seat.id]
      return usage ? [row(seat.name, usage)] : []
    }),
    row('Moderator', document.moderatorUsage),
    row('Total', document.usage),
  ]
}

/** "Asked 2026-05-01T10:00:00Z · protocol hybrid · seed 7 · session abc" */
export const provenance = (document: SessionDocument): string =>
  [
    document.openedAt,
    `protocol ${document.protocol}`,
    `names ${document.names}`,
    `moderator ${document.moderator ?? 'none'}`,
    `seed ${document.seed}`,
    `session ${document.id}`,
  ].join(' · ')

export interface PullText {
  readonly who: string
  /** "2 of 5 (40%)" */
  readonly followed: string
  readonly credited: string
}

/** Seats that somebody followed. */
export const pullsOf = (document: SessionDocument): PullText[] =>
  persuasive(document.influence.pull).map(pull => ({
    who: nameOf(document, pull.seat),
    followed: wonOver(pull),
    credited: `${pull.credited}`,
  }))

/** "A matter of taste: no answer is right, so read the positions. (Chosen by the moderator.)" */
export const kindTextOf = ({ kind, kindBy }: SessionDocument): string | undefined =>
  kind && kindBy && kindSentence(kind, kindBy)

export const howOftenRightOf = ({ howOftenRight }: SessionDocument): string | undefined =>
  howOftenRight && howOftenRightSentence(howOftenRight)

export const readingTextsOf = (document: SessionDocument): ReadingText[] =>
  readingTexts({
    level: document.verdict.level,
    readings: document.readings ?? [],
    name: seat => nameOf(document, seat),
  })

export const resolvedText = ({ resolved, verdict, seats }: SessionDocument): string | undefined => {
  if (!resolved) return undefined
  const camps = verdict.final?.camps.filter(camp => resolved.camps.includes(camp.id)) ?? []
  const right = camps.flatMap(camp => camp.seats).length
  return `Right answer: ${resolved.answer} (${right} of ${seats.length} had it at the end; resolved on ${resolved.at.slice(0, 10)})`
}

// book: A book of letters as its exports see it.

export interface ExportedLetter extends BookLetter {
  /** "Rewritten after reading the others"; empty if there is nothing to say. */
  readonly note: string
}

export interface ExportedBook {
  readonly title: string
  readonly line: string
  readonly task: string
  readonly notes: readonly string[]
  readonly letters: readonly ExportedLetter[]
  readonly thread?: { readonly answer: string; readonly each: string; readonly byCode: boolean }
  /** Seats that wrote no letter. */
  readonly silent: readonly string[]
  readonly provenance: string
}

export const isBook = (events: readonly SessionEvent[]): boolean =>
  events[0]?.type === 'session-opened' && events[0].book !== undefined

export const bookOf = (events: readonly SessionEvent[]): ExportedBook => {
  const session = fold(events)
  const letters = lettersIn(session)
  const { report, reportBy } = session
  const wrote = new Set(letters.map(({ seat }) => seat))
  return {
    title: bookTitle(session),
    line: bookLine(letters),
    task: session.question.text,
    notes: seatNotes(session.seats),
    letters: letters.map(letter => ({
      ...letter,
      note: letterNote(letter, seat => seatOf(session, seat).name),
    })),
    ...(report && {
      thread: { answer: report.answer, each: report.summary, byCode: reportBy === 'code' },
    }),
    silent: session.seats.filter(({ id }) => !wrote.has(id)).map(({ name }) => name),
    provenance: provenance(documentOf(events)),
  }
}
