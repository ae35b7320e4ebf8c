/** What the readable forms say, in plain words and before any markup. */

import type { Direction, Move } from '../core/camps/moves.ts'
import { wordingOf } from '../core/errors.ts'
import { type Flag, flags } from '../core/verdict/verdict.ts'
import {
  type BetweenRounds,
  betweenRoundsOf,
  digestParts,
  type Names,
} from '../core/wording/between-rounds.ts'
import { numberText } from '../core/wording/values.ts'
import type { HandedInDocument, SessionDocument } from './document.ts'

type RoundDocument = SessionDocument['rounds'][number]
type GivenDocument = Extract<HandedInDocument, { status: 'given' }>

export const models = (count: number): string => `${count} ${count === 1 ? 'model' : 'models'}`

/** "Open Debate": by format, and by whether any seat saw what others wrote. */
export const kindText = (format: string, rounds: readonly { readonly sealed: boolean }[]): string =>
  `${format === 'open' ? 'Open ' : ''}${rounds.some(round => !round.sealed) ? 'Debate' : 'Poll'}`

export const titleOf = ({ format, rounds, seats }: SessionDocument): string =>
  `AI Roundtable ${kindText(format, rounds)} · ${models(seats.length)}`

export const nameOf = (document: SessionDocument, seat: string): string =>
  document.seats.find(one => one.id === seat)?.name ?? seat

export const namesOf = (document: SessionDocument, seats: readonly string[]): string =>
  seats.map(seat => nameOf(document, seat)).join(', ')

export const roundTitle = ({ index, sealed }: RoundDocument): string =>
  sealed ? 'Sealed round' : `Open round ${index}`

/** The round whose answers stand as the table's: the last, or the last with a quorum of a stopped session. */
export const finalRound = ({ rounds, verdict }: SessionDocument): RoundDocument | undefined =>
  rounds.find(round => round.index === verdict.final?.round)

export const changedMind = ({ verdict, imported }: SessionDocument, seat: string): boolean =>
  imported?.changed.includes(seat) ?? verdict.ledger.some(flip => flip.seat === seat)

const moveWords: Record<Move, string> = {
  held: 'held its position',
  refined: 'refined its position',
  switched: 'changed its mind',
  silent: 'fell silent',
  abstained: 'abstained',
}

export const percent = (share: number): string => `${Math.round(share * 100)}%`

/** A closed answer's value; undefined for open ones, where the headline says it. */
export const closedValue = (document: SessionDocument, answer: GivenDocument): string | undefined => {
  if (answer.choice !== undefined) return answer.choice
  if (answer.ranking !== undefined) return answer.ranking.join(' > ')
  return answer.number === undefined ? undefined : numberText(answer.number, document.unit)
}

/** "confidence 80% · refined its position · answered in fr" */
export const remarksOn = (document: SessionDocument, answer: HandedInDocument): string[] => {
  const given = answer.status === 'given' ? answer : undefined
  const claimed = document.imported ? ' (as the transcript says)' : ''
  return [
    ...(given?.confidence != null ? [`confidence ${percent(given.confidence)}`] : []),
    ...(given?.move ? [`${moveWords[given.move]}${claimed}`] : []),
    ...(given?.drifted
      ? [`answered in another language${given.language ? ` (${given.language})` : ''}`]
      : []),
  ]
}

/** "Silent (timed out, status 504)", with what the provider said. */
export const absenceText = (
  answer: Exclude<HandedInDocument, { status: 'given' }>,
): { readonly what: string; readonly words: string } => {
  if (answer.status === 'abstained') return { what: 'Abstained', words: answer.words }
  const { kind, status, message } = answer.error
  const code = status === undefined ? '' : `, status ${status}`
  return { what: `Silent (${wordingOf(kind).short}${code})`, words: message }
}

export interface TallyRow {
  readonly label: string
  /** Null where the session has no such tally. */
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

export interface ChangeText {
  readonly who: string
  /** "changed its mind in open round 1, from “No” to “Yes” (new evidence)" */
  readonly how: string
  readonly quote?: { readonly words: string; readonly from: string; readonly verdict: string }
}

export const directionWords: Record<Direction, string> = {
  toward: 'toward the plurality',
  away: 'away from the plurality',
  aside: 'beside the plurality',
}

export const changesOf = (document: SessionDocument): ChangeText[] => {
  const camps = new Map(document.rounds.flatMap(round => round.camps.map(camp => [camp.id, camp.label])))
  const label = (id: string | null): string => (id === null ? 'no camp' : `“${camps.get(id) ?? id}”`)
  return document.verdict.ledger.map(({ seat, round, from, to, direction, reason, credit }) => {
    const sides = document.imported
      ? 'as the transcript says'
      : `from ${label(from)} to ${label(to)}${direction ? `, ${directionWords[direction]}` : ''}`
    const quote = credit && {
      words: credit.quote,
      from: nameOf(document, credit.seat),
      verdict: credit.verified
        ? 'the words stand there'
        : 'no such words stand there, so this does not count',
    }
    return {
      who: nameOf(document, seat),
      how: `changed its mind in open round ${round}, ${sides}${reason ? ` (${reason})` : ''}`,
      ...(quote && { quote }),
    }
  })
}

const namesIn = (document: SessionDocument): Names => {
  const camps = new Map(document.rounds.flatMap(round => round.camps.map(({ id, label }) => [id, label])))
  return { unit: document.unit, seat: id => nameOf(document, id), camp: id => camps.get(id) ?? id }
}

type Shown = Parameters<typeof betweenRoundsOf>[0]

/** The document's turns and rulings are those of the state, with null for what is not there. */
const showing = ({ digest, statements, rulings }: RoundDocument): Shown => ({
  ...(digest && { digest }),
  ...(statements && { statements: statements as Shown['statements'] }),
  ...(rulings && { rulings: rulings.map(ruling => ruling ?? undefined) }),
})

/** Figures, stakes, advocates' turns and a judge's rulings of a round. */
export const exhibitTexts = (document: SessionDocument, round: RoundDocument): BetweenRounds[] =>
  betweenRoundsOf(showing(round), namesIn(document))

/** The positions as they were summed up for the next round. */
export const digestTexts = (document: SessionDocument, round: RoundDocument): BetweenRounds[] =>
  digestParts(showing(round), namesIn(document))

const isFlag = (flag: string): flag is Flag => flag in flags

export const flagTexts = ({ verdict }: SessionDocument): { flag: string; explanation: string }[] =>
  verdict.flags.map(flag => ({ flag, explanation: isFlag(flag) ? flags[flag] : '' }))

export const costText = (costUsd: number | null): string =>
  costUsd === null ? 'unknown' : `$${costUsd === 0 ? '0' : costUsd.toFixed(costUsd < 1 ? 4 : 2)}`

export const countText = (count: number): string => count.toLocaleString('en-US')

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
    input: countText(usage.inputTokens),
    output: `${countText(usage.outputTokens)}${usage.estimated ? ' (estimated)' : ''}`,
    cost: costText(usage.costUsd),
  })
  return [
    ...document.seats.flatMap(seat => {
      const usage = document.usageBySeat[seat.id]
      return usage ? [row(seat.name, usage)] : []
    }),
    row('Moderator', document.moderatorUsage),
    row('Together', document.usage),
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

export const scriptedNote = ({ seats }: SessionDocument): string | undefined => {
  const scripted = seats.filter(seat => seat.scripted)
  if (scripted.length === 0) return undefined
  const who = scripted.length === seats.length ? 'all seats' : scripted.map(seat => seat.name).join(', ')
  return `Scripted: the replies of ${who} were written in advance, not by a model.`
}

/** How the question is to be answered, where that is not in free words. */
export const formatNote = ({ format, options, unit, scale }: SessionDocument): string | undefined => {
  switch (format) {
    case 'open':
      return undefined
    case 'choice':
      return `One of: ${options.join(' | ')}`
    case 'ranking':
      return `To be ranked: ${options.join(' | ')}`
    case 'number':
      return `A number${unit ? ` in ${unit}` : ''}${scale === 'log' ? ', on a log scale' : ''}`
    default:
      return format satisfies never
  }
}
