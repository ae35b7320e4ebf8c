/** The rule that decides a verdict, and what other rules would have decided. */
import { canBeRight } from '../core/form.ts'
import type { Format } from '../core/question.ts'
import { numberText } from '../core/reply.ts'
import {
  borda,
  firstOf,
  geometric,
  logOddsOf,
  meanLogOdds,
  orderText,
  type Rule,
  roundedTo,
  sealedConfidence,
  shrunkAccuracy,
  trajectory,
  trimmed,
  type Vote,
} from '../core/rules.ts'
import { answerIn, type Round, roundAt, type Session } from '../core/session.ts'
import { newestIn, newestOf } from './camps.ts'
import { campIds, groupingOf } from './settle.ts'
import { type Tally, tallyOf } from './tally.ts'

export interface OtherRule {
  /** The rule's id. `sealed-…` is the deciding rule on the sealed vote. */
  readonly rule: string
  /** Null if that rule finds a tie. */
  readonly answer: string | null
}

/** The counts that a verdict is made of. */
export interface CountedVotes {
  readonly sealed: Tally | null
  readonly final: Tally | null
}

/** Nothing decides between texts. */
const decidingRules: Record<Format, string | null> = {
  open: 'majority',
  choice: 'majority',
  ranking: 'schulze',
  number: 'median',
  text: null,
}

/** The rule that decided. Null for texts, and for an imported transcript: nobody counted what it claims. */
export const ruleOf = (session: Session): string | null =>
  session.imported ? null : decidingRules[session.question.format]

const hasVoted = (tally: Tally | null): tally is Tally => tally !== null && tally.level !== 'no-quorum'

/** The sealed vote, if the last one is another. */
const sealedVote = ({ sealed, final }: CountedVotes): readonly Tally[] =>
  hasVoted(sealed) && final && sealed.round !== final.round ? [sealed] : []

const votesIn = (session: Session, last: Round): Vote[] => {
  const rounds = session.roundsSoFar
    .filter(round => round.index <= last.index)
    .map(round => campIds(session, round))
  const sealed = session.roundsSoFar.find(round => round.sealed)
  const newest = tallyOf(session, last).camps.flatMap(({ id, seats }) =>
    seats.map((seat): [string, string] => [seat, id]),
  )
  return newest.map(([seat, value]) => {
    const { confidence = null } = answerIn(sealed, seat) ?? {}
    return {
      seat,
      value,
      rounds: rounds.map(camps => camps.get(seat) ?? null),
      ...(confidence !== null && { sealedConfidence: confidence }),
    }
  })
}

/** Log-odds weights from the track record that the models had when the session was opened. */
const recorded = ({ seats, record = {}, question }: Session): Rule[] => {
  const known = seats.flatMap(({ id, model }): [string, number][] =>
    record[model] ? [[id, shrunkAccuracy(record[model])]] : [],
  )
  if (known.length === 0) return []
  const families = new Map(seats.map(({ id, maker, model }) => [id, maker ?? model.split('/')[0]!]))
  return [logOddsOf(new Map(known), Math.max(2, question.options.length), seat => families.get(seat) ?? seat)]
}

const byCamp = (session: Session, counted: CountedVotes, last: Round): OtherRule[] => {
  const votes = votesIn(session, last)
  const likelier = [
    ...(votes.some(vote => vote.sealedConfidence !== undefined) ? [sealedConfidence()] : []),
    ...recorded(session),
  ]
  // In a matter of taste nobody is likelier to be right than anybody else.
  const settles = canBeRight(session)
  const rules = [...(last.index > 0 ? [trajectory()] : []), ...(settles ? likelier : [])]
  return [
    ...sealedVote(counted).map(({ leading }) => ({ rule: 'sealed-majority', answer: leading })),
    ...rules.map(rule => ({ rule: rule.id, answer: rule.decide(votes, session.question).value })),
  ]
}

/** Null if several share the first place. */
const decidedOrder = (ranking: Tally['ranking']): string | null =>
  ranking && firstOf(ranking) !== undefined ? orderText(ranking) : null

const byRanking = (session: Session, counted: CountedVotes, last: Round): OtherRule[] => {
  const votes = session.seats.flatMap(({ id }): Vote<readonly string[]>[] => {
    const value = newestOf(session, last, id)?.ranking
    return value ? [{ seat: id, value }] : []
  })
  return [
    ...sealedVote(counted).map(({ ranking }) => ({ rule: 'sealed-schulze', answer: decidedOrder(ranking) })),
    { rule: 'borda', answer: borda().decide(votes, session.question).value?.join(' > ') ?? null },
  ]
}

/** The value of certainty in the question's unit. Undefined if the question doesn't ask for a probability. */
const certainty = (unit = ''): number | undefined => {
  if (/^(%|percent|per cent)$/i.test(unit.trim())) return 100
  return /^probability$/i.test(unit.trim()) ? 1 : undefined
}

/** With fewer numbers a trimmed mean is the median. */
const enoughToTrim = 10

const byNumber = (session: Session, counted: CountedVotes, last: Round): OtherRule[] => {
  const { scale, unit } = session.question
  const rounded = roundedFor(session, counted.final)
  const values = newestIn(session, last).flatMap(({ answer }) => answer.number ?? [])
  const whole = certainty(unit)
  const isProbability = whole !== undefined && values.every(value => value >= 0 && value <= whole)
  const said = (rule: Rule<number>, of = 1): OtherRule => {
    const votes = values.map((value, index) => ({ seat: String(index), value: value / of }))
    const { value } = rule.decide(votes, { options: [] })
    return { rule: rule.id, answer: value === null ? null : rounded(value * of) }
  }
  return [
    ...sealedVote(counted).flatMap(({ median }) =>
      median === undefined ? [] : [{ rule: 'sealed-median', answer: rounded(median) }],
    ),
    ...(scale === 'log' ? [said(geometric())] : []),
    ...(values.length >= enoughToTrim ? [said(trimmed())] : []),
    ...(isProbability ? [said(meanLogOdds(), whole)] : []),
  ]
}

/**
 * Two means of the same numbers always differ in some digit. What the verdict's own figure is rounded to is worth a
 * mention, or else the first three digits.
 */
const roundedFor =
  ({ question }: Session, tally: Tally | null) =>
  (value: number): string => {
    const step = tally?.figure?.step
    return numberText(step ? roundedTo(step, value) : Number(value.toPrecision(3)), question.unit)
  }

/** The verdict's answer in the form in which the other rules give theirs. */
const verdictAnswer = (session: Session, tally: Tally): string | null => {
  if (tally.ranking) return decidedOrder(tally.ranking)
  return tally.median === undefined ? tally.leading : roundedFor(session, tally)(tally.median)
}

const labelled = (session: Session, { rule, answer }: OtherRule): OtherRule => {
  const camps = session.roundsSoFar.flatMap(round => groupingOf(session, round).camps)
  return { rule, answer: camps.findLast(camp => camp.id === answer)?.label ?? answer }
}

/** The rules that apply, have what they need, and decide otherwise than the verdict. */
export const otherRules = (session: Session, counted: CountedVotes): OtherRule[] => {
  const { final } = counted
  const last = final ? roundAt(session, final.round) : undefined
  if (session.imported || !hasVoted(final) || !last) return []
  const { format } = session.question
  const ways = { open: byCamp, choice: byCamp, ranking: byRanking, number: byNumber, text: () => [] }
  const verdict = verdictAnswer(session, final)
  return ways[format](session, counted, last)
    .filter(({ answer }) => answer !== verdict)
    .map(other => labelled(session, other))
}
