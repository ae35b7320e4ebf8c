/** Which rule speaks in a verdict, and what the others that apply would have said. */
import { borda } from '../aggregation/borda.ts'
import { logOddsOf, shrunkAccuracy } from '../aggregation/log-odds.ts'
import { meanLogOdds } from '../aggregation/mean-log-odds.ts'
import { geometric, trimmed } from '../aggregation/number.ts'
import type { Rule, Vote } from '../aggregation/rule.ts'
import { sealedConfidence } from '../aggregation/sealed-confidence.ts'
import { surprisinglyPopular } from '../aggregation/surprisingly-popular.ts'
import { trajectory } from '../aggregation/trajectory.ts'
import { groupingOf } from '../camps/camps.ts'
import { answerIn, type Round, roundAt, type Session } from '../log/state.ts'
import { predictedShares } from '../question/prediction.ts'
import type { Format } from '../question/question.ts'
import { numberText } from '../wording/values.ts'
import type { Tally } from './tally.ts'

export interface OtherRule {
  /** Id of the rule; `sealed-…` is the speaking rule on the sealed vote, `final-…` on the last round. */
  readonly rule: string
  /** Null where that rule finds a tie. */
  readonly answer: string | null
}

/** The counts that a verdict is made of. */
export interface Spoken {
  readonly sealed: Tally | null
  readonly final: Tally | null
  readonly herding: boolean
}

const speaking: Record<Format, string> = {
  open: 'majority',
  choice: 'majority',
  ranking: 'schulze',
  number: 'median',
}

/** The rule that spoke. Nobody counted what an imported transcript claims. */
export const ruleOf = (session: Session, herding: boolean): string | null =>
  session.imported ? null : `${herding ? 'sealed-' : ''}${speaking[session.question.format]}`

const hasVoted = (tally: Tally | null): tally is Tally => tally !== null && tally.level !== 'no-quorum'

/** The vote that did not speak, where the sealed and the last one are two. */
const unspoken = ({ sealed, final, herding }: Spoken): readonly ['sealed' | 'final', Tally][] => {
  if (!sealed || !final || sealed.round === final.round) return []
  const [name, tally] = herding ? (['final', final] as const) : (['sealed', sealed] as const)
  return hasVoted(tally) ? [[name, tally]] : []
}

const campsIn = (session: Session, round: Round): Map<string, string> =>
  new Map(groupingOf(session, round).camps.flatMap(camp => camp.seats.map(seat => [seat, camp.id])))

const votesIn = (session: Session, last: Round): Vote[] => {
  const rounds = session.roundsSoFar
    .filter(round => round.index <= last.index)
    .map(round => campsIn(session, round))
  const sealed = session.roundsSoFar.find(round => round.sealed)
  return [...campsIn(session, last)].map(([seat, value]) => {
    const { confidence = null } = answerIn(sealed, seat) ?? {}
    return {
      seat,
      value,
      rounds: rounds.map(camps => camps.get(seat) ?? null),
      ...(confidence !== null && { sealedConfidence: confidence }),
    }
  })
}

/** Log-odds weights from what the table's models had been right about when the session was opened. */
const recorded = ({ seats, record = {}, question }: Session): Rule[] => {
  const known = seats.flatMap(({ id, model }): [string, number][] =>
    record[model] ? [[id, shrunkAccuracy(record[model])]] : [],
  )
  if (known.length === 0) return []
  const families = new Map(seats.map(({ id, maker, model }) => [id, maker ?? model.split('/')[0]!]))
  return [logOddsOf(new Map(known), Math.max(2, question.options.length), seat => families.get(seat) ?? seat)]
}

/** How much more of the table than expected: a hair's breadth would be noise. */
const leastSurprise = 0.1

/** What the seats expected is known of the sealed vote only. */
const surprising = (session: Session, sealed: Tally | null): OtherRule[] => {
  const round = sealed ? roundAt(session, sealed.round) : undefined
  if (!round || !hasVoted(sealed) || session.question.format !== 'choice') return []
  const votes = votesIn(session, round).map(vote => {
    const predicted = predictedShares(session.question.options, answerIn(round, vote.seat))
    return { ...vote, ...(predicted && { predicted }) }
  })
  if (!votes.some(vote => vote.predicted)) return []
  const rule = surprisinglyPopular()
  const { value, scores } = rule.decide(votes, session.question)
  return value !== null && scores[value]! >= leastSurprise ? [{ rule: rule.id, answer: value }] : []
}

const byCamp = (session: Session, spoken: Spoken, last: Round): OtherRule[] => {
  const votes = votesIn(session, last)
  const rules = [
    ...(last.index > 0 ? [trajectory()] : []),
    ...(votes.some(vote => vote.sealedConfidence !== undefined) ? [sealedConfidence()] : []),
    ...recorded(session),
  ]
  return [
    ...unspoken(spoken).map(([name, tally]) => ({ rule: `${name}-majority`, answer: tally.leading })),
    ...rules.map(rule => ({ rule: rule.id, answer: rule.decide(votes, session.question).value })),
    ...surprising(session, spoken.sealed),
  ]
}

const byRanking = (session: Session, spoken: Spoken, last: Round): OtherRule[] => {
  const votes = session.seats.flatMap(({ id }): Vote<readonly string[]>[] => {
    const value = answerIn(last, id)?.ranking
    return value ? [{ seat: id, value }] : []
  })
  const order = (ranking: readonly string[] | null | undefined): string | null => ranking?.join(' > ') ?? null
  return [
    ...unspoken(spoken).map(([name, tally]) => ({ rule: `${name}-schulze`, answer: order(tally.ranking) })),
    { rule: 'borda', answer: order(borda().decide(votes, session.question).value) },
  ]
}

/** What a probability of 1 is called in the question's unit; undefined where it asks for no probability. */
const certainty = (unit = ''): number | undefined => {
  if (/^(%|percent|per cent)$/i.test(unit.trim())) return 100
  return /^probability$/i.test(unit.trim()) ? 1 : undefined
}

/** With fewer numbers a trimmed mean is the median. */
const enoughToTrim = 10

const byNumber = (session: Session, spoken: Spoken, last: Round): OtherRule[] => {
  const { unit, scale } = session.question
  const values = session.seats.flatMap(({ id }) => answerIn(last, id)?.number ?? [])
  const whole = certainty(unit)
  const isProbability = whole !== undefined && values.every(value => value >= 0 && value <= whole)
  const said = (rule: Rule<number>, of = 1): OtherRule => {
    const votes = values.map((value, index) => ({ seat: String(index), value: value / of }))
    const { value } = rule.decide(votes, { options: [] })
    return { rule: rule.id, answer: value === null ? null : rounded(value * of, unit) }
  }
  return [
    ...unspoken(spoken).flatMap(([name, { median }]) =>
      median === undefined ? [] : [{ rule: `${name}-median`, answer: rounded(median, unit) }],
    ),
    ...(scale === 'log' ? [said(geometric())] : []),
    ...(values.length >= enoughToTrim ? [said(trimmed())] : []),
    ...(isProbability ? [said(meanLogOdds(), whole)] : []),
  ]
}

/** Two means of the same numbers always differ somewhere; three digits are a difference worth a word. */
const rounded = (value: number, unit?: string): string => numberText(Number(value.toPrecision(3)), unit)

/** What the verdict says, as the other rules would have to say it. */
const spokenAnswer = ({ question }: Session, tally: Tally): string | null => {
  if (tally.ranking) return tally.ranking.join(' > ')
  return tally.median === undefined ? tally.leading : rounded(tally.median, question.unit)
}

const labelled = (session: Session, { rule, answer }: OtherRule): OtherRule => {
  const camps = session.roundsSoFar.flatMap(round => groupingOf(session, round).camps)
  return { rule, answer: camps.find(camp => camp.id === answer)?.label ?? answer }
}

/** Rules that apply, have what they need, and say something else than the verdict does. */
export const otherRules = (session: Session, spoken: Spoken): OtherRule[] => {
  const spoke = spoken.herding ? spoken.sealed : spoken.final
  const last = spoken.final ? roundAt(session, spoken.final.round) : undefined
  if (session.imported || !hasVoted(spoke) || !last) return []
  const { format } = session.question
  const ways = { open: byCamp, choice: byCamp, ranking: byRanking, number: byNumber }
  const verdict = spokenAnswer(session, spoke)
  return ways[format](session, spoken, last)
    .filter(({ answer }) => answer !== verdict)
    .map(other => labelled(session, other))
}
