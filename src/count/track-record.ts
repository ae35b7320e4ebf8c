import type { Score } from '../core/rules.ts'
import { median } from '../core/rules.ts'
import { answerIn, type HandedIn, type Round, type Session } from '../core/session.ts'
import { moveOf, resolutionOf, wasRight } from './moves.ts'
import { groupingOf } from './settle.ts'
import { type SplitOutcome, splitOutcomeOf, splitScoresOf } from './splits.ts'
import { type Tally, tallyOf } from './tally.ts'
import { type Influence, influenceOf, verdictOf } from './verdict.ts'

export interface Agreement {
  /** Two models in alphabetical order. */
  readonly one: string
  readonly other: string
  readonly same: number
  readonly of: number
}

export interface Pair {
  readonly one: string
  readonly other: string
  readonly same: boolean
}

/** If nobody grouped the headlines, different words don't mean disagreement. */
export const pairsIn = (session: Session): Pair[] => {
  const round = session.roundsSoFar.find(({ sealed }) => sealed)
  const grouping = round && groupingOf(session, round)
  if (!round || !grouping || grouping.by === 'headline') return []
  const placed = session.seats.flatMap(({ id, model, scripted, outside }) => {
    const camp = grouping.camps.find(({ seats }) => seats.includes(id))?.id
    return scripted || outside || camp === undefined
      ? []
      : [{ model: round.handedIn[id]?.by?.model ?? model, camp }]
  })
  return placed.flatMap((first, index) =>
    placed
      .slice(index + 1)
      .filter(second => second.model !== first.model)
      .map(second => {
        const [one, other] = [first.model, second.model].sort()
        return { one: one!, other: other!, same: first.camp === second.camp }
      }),
  )
}

export const agreementOf = (pairs: readonly Pair[]): Agreement[] => {
  const byPair = Map.groupBy(pairs, ({ one, other }) => JSON.stringify([one, other]))
  return [...byPair.values()]
    .map(own => ({
      one: own[0]!.one,
      other: own[0]!.other,
      same: own.filter(({ same }) => same).length,
      of: own.length,
    }))
    .sort((a, b) => (`${a.one} ${a.other}` < `${b.one} ${b.other}` ? -1 : 1))
}

// appearance: One model at one table. A model's record is made of these.

export type Call = Pick<HandedIn, 'status' | 'usage' | 'timing'>

export interface Appearance {
  readonly model: string
  readonly name: string
  /** Whether its sealed and its last answer were right. Null if it gave none, or nobody knows. */
  readonly sealed: boolean | null
  readonly final: boolean | null
  /** As given in the sealed round. */
  readonly confidence: number | null
  /** Changes of mind from a right to a wrong answer, and the other way round. */
  readonly rightToWrong: number
  readonly wrongToRight: number
  readonly exposures: number
  readonly adopters: number
  /** How often it answered again while another camp led, and how often it then stayed in its camp. */
  readonly opposed: number
  readonly stayed: number
  /** Everything it handed in, without the words. */
  readonly calls: readonly Call[]
}

/** A session, with what is the same for all of its seats. */
interface CountedSession {
  readonly session: Session
  readonly influence: Influence
  readonly tallies: readonly Tally[]
}

/** Who held the seat in that round. */
const holderIn = (session: Session, round: Round, seat: string): { model: string; name: string } => {
  const sitting = session.seats.find(({ id }) => id === seat)!
  return round.handedIn[seat]?.by ?? sitting
}

/** The moves of a transcript are its own claims, and say nothing about a model. */
const flipsAcross = (session: Session, rounds: readonly Round[], seat: string) => {
  const flips = verdictOf(session).ledger.filter(
    flip => flip.seat === seat && rounds.some(({ index }) => index === flip.round),
  )
  const right = resolutionOf(session)
  const known = right && !session.imported ? flips : []
  const was = (camp: string | null): boolean => camp !== null && Boolean(right?.camps.includes(camp))
  return {
    rightToWrong: known.filter(({ from, to }) => was(from) && !was(to)).length,
    wrongToRight: known.filter(({ from, to }) => !was(from) && was(to)).length,
  }
}

const stance = ({ session, tallies }: CountedSession, rounds: readonly Round[], seat: string) => {
  const asked = session.imported ? [] : rounds.filter(round => !round.sealed && answerIn(round, seat))
  const opposed = asked.filter(round => {
    const tally = tallies.findLast(one => one.round < round.index)
    const own = tally?.camps.find(camp => camp.seats.includes(seat))?.id
    return tally?.leading && own !== undefined && own !== tally.leading
  })
  const stayed = opposed.filter(round => moveOf(session, round, seat) !== 'switched')
  return { opposed: opposed.length, stayed: stayed.length }
}

const appearanceOf = (
  counted: CountedSession,
  seat: string,
  holder: { readonly model: string; readonly name: string },
): Appearance => {
  const { session, influence } = counted
  const rounds = session.roundsSoFar.filter(
    round => round.handedIn[seat] && holderIn(session, round, seat).model === holder.model,
  )
  const sealed = rounds.find(round => round.sealed)
  const last = rounds.find(round => round.index === verdictOf(session).final?.round)
  // An earlier holder's answers may have won others over, so pull counts only if the seat had one holder.
  const alone = rounds.length === session.roundsSoFar.filter(round => round.handedIn[seat]).length
  const pull = alone ? influence.pull.find(one => one.seat === seat) : undefined
  const before = session.roundsSoFar.flatMap(round => round.before.filter(one => one.seat === seat))
  const sitting = session.seats.find(({ id }) => id === seat)!
  const earlier = before
    .map(({ handedIn }) => handedIn)
    .filter(handedIn => (handedIn.by?.model ?? sitting.model) === holder.model)
  return {
    ...holder,
    sealed: wasRight(session, sealed, seat),
    final: wasRight(session, last, seat),
    confidence: answerIn(sealed, seat)?.confidence ?? null,
    ...flipsAcross(session, rounds, seat),
    exposures: pull?.exposures ?? 0,
    adopters: pull?.adopters ?? 0,
    ...stance(counted, rounds, seat),
    calls: [...earlier, ...rounds.flatMap(round => round.handedIn[seat] ?? [])].map(
      ({ status, usage, timing }) => ({ status, usage, timing }),
    ),
  }
}

export const appearancesIn = (session: Session): Appearance[] => {
  const tallies = session.roundsSoFar.map(round => tallyOf(session, round))
  const counted = { session, influence: influenceOf(session), tallies }
  return session.seats
    .filter(seat => !seat.scripted && !seat.outside)
    .flatMap(({ id }) => {
      const holders = session.roundsSoFar
        .filter(round => round.handedIn[id])
        .map(round => holderIn(session, round, id))
      const each = new Map(holders.map(({ model, name }) => [model, { model, name }]))
      return [...each.values()].map(holder => appearanceOf(counted, id, holder))
    })
}

// calibration: Whether a model's sealed confidence means what it says.

export interface Forecast {
  readonly confidence: number
  readonly right: boolean
}

export interface CalibrationBin {
  /** The range of confidence. */
  readonly from: number
  readonly to: number
  readonly count: number
  /** The mean confidence, and how often the answers were right. */
  readonly said: number
  readonly right: number
}

/** Few enough that fifty answers fill them all. */
const bins = 5

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** The mean squared distance between confidence and outcome: 0 is perfect, 0.25 is what a coin gets. */
export const brierOf = (forecasts: readonly Forecast[]): number | null =>
  forecasts.length === 0
    ? null
    : mean(forecasts.map(({ confidence, right }) => (confidence - (right ? 1 : 0)) ** 2))

/** The calibration curve, without empty bins. */
export const calibrationOf = (forecasts: readonly Forecast[]): CalibrationBin[] => {
  const binOf = ({ confidence }: Forecast): number => Math.min(bins - 1, Math.floor(confidence * bins))
  const byBin = Map.groupBy(forecasts, binOf)
  return [...byBin]
    .sort(([one], [other]) => one - other)
    .map(([bin, own]) => ({
      from: bin / bins,
      to: (bin + 1) / bins,
      count: own.length,
      said: mean(own.map(({ confidence }) => confidence)),
      right: own.filter(({ right }) => right).length / own.length,
    }))
}

// modelRecord: The record of one model, summed over every table it sat at.

export interface ModelRecord {
  readonly model: string
  readonly name: string
  /** Tables it sat at, resolved or not. */
  readonly sessions: number
  /** Only resolved questions count here, as in everything about right and wrong. */
  readonly sealed: Score
  readonly final: Score
  /** Of its sealed confidence. Null if it gave none. */
  readonly brier: number | null
  readonly calibration: readonly CalibrationBin[]
  readonly rightToWrong: number
  readonly wrongToRight: number
  /** Persuasiveness: how many readers from other camps joined its camp. */
  readonly persuasion: { readonly adopters: number; readonly exposures: number }
  /** Stubbornness: how often it stayed in its camp while another one led. */
  readonly stubbornness: { readonly stayed: number; readonly opposed: number }
  readonly answers: number
  /** Calls without an answer. */
  readonly silent: number
  /** Null if the price of one of its calls is unknown. */
  readonly costUsd: number | null
  /** The median time of an answer in milliseconds. Null if nobody measured. */
  readonly latency: number | null
}

const scoreOf = (outcomes: readonly (boolean | null)[]): Score => {
  const known = outcomes.filter(outcome => outcome !== null)
  return { right: known.filter(outcome => outcome).length, of: known.length }
}

const costOf = (appearances: readonly Appearance[]): number | null => {
  const calls = appearances
    .flatMap(({ calls }) => calls)
    .filter(call => call.usage || call.status !== 'silent')
  let sum = 0
  for (const { usage } of calls) {
    if (!usage || usage.costUsd === null) return null
    sum += usage.costUsd
  }
  return Number(sum.toPrecision(12))
}

export const recordOf = (model: string, appearances: readonly Appearance[]): ModelRecord => {
  const sum = (
    field: 'rightToWrong' | 'wrongToRight' | 'exposures' | 'adopters' | 'opposed' | 'stayed',
  ): number => appearances.reduce((total, appearance) => total + appearance[field], 0)
  const calls = appearances.flatMap(appearance => appearance.calls)
  const answers = calls.filter(({ status }) => status === 'given')
  const forecasts = appearances.flatMap(({ sealed, confidence }) =>
    sealed === null || confidence === null ? [] : [{ confidence, right: sealed }],
  )
  return {
    model,
    name: appearances[0]?.name ?? model,
    sessions: appearances.length,
    sealed: scoreOf(appearances.map(({ sealed }) => sealed)),
    final: scoreOf(appearances.map(({ final }) => final)),
    brier: brierOf(forecasts),
    calibration: calibrationOf(forecasts),
    rightToWrong: sum('rightToWrong'),
    wrongToRight: sum('wrongToRight'),
    persuasion: { adopters: sum('adopters'), exposures: sum('exposures') },
    stubbornness: { stayed: sum('stayed'), opposed: sum('opposed') },
    answers: answers.length,
    silent: calls.filter(({ status }) => status === 'silent').length,
    costUsd: costOf(appearances),
    latency: median(answers.flatMap(({ timing }) => timing?.total ?? [])) ?? null,
  }
}

// sessionRecord: What one finished session adds to the track record: a few numbers, so that thousands of them fit into memory.

export interface SessionRecord {
  readonly resolved: boolean
  readonly appearances: readonly Appearance[]
  readonly pairs: readonly Pair[]
  /** Undefined if nobody knows the right answer, or it is no question of fact. */
  readonly split: SplitOutcome | undefined
}

/** Undefined while a session runs, and for a fork in the middle: what it copied counts in the other session. */
export const sessionRecordOf = (session: Session): SessionRecord | undefined =>
  session.outcome === undefined || session.forkedFrom?.round !== undefined
    ? undefined
    : {
        resolved: resolutionOf(session) !== undefined,
        appearances: appearancesIn(session),
        pairs: pairsIn(session),
        split: splitOutcomeOf(session),
      }

// trackRecord: The track record of models: how often they were right, from sessions whose right answer became known, and how they
// behave at a table, from every finished session. Scripted seats don't count, and neither do those held from outside.

/** Plain data that survives JSON unchanged. */
export interface TrackRecord {
  /** Finished sessions, and how many of them were resolved. */
  readonly sessions: number
  readonly resolved: number
  /** Most accurate first, by sealed answers. Models without resolved questions come last. */
  readonly models: readonly ModelRecord[]
  /** For each pair that sat together: how often the two were in one camp in the sealed round. */
  readonly agreement: readonly Agreement[]
  /** By how the sealed vote was divided: resolved questions of fact, and how many verdicts were right. */
  readonly splits: Readonly<Record<string, { readonly right: number; readonly of: number }>>
}

const accuracy = ({ sealed }: ModelRecord): number => (sealed.of === 0 ? -1 : sealed.right / sealed.of)

const byAccuracy = (one: ModelRecord, other: ModelRecord): number =>
  accuracy(other) - accuracy(one) || other.sealed.of - one.sealed.of || (one.model < other.model ? -1 : 1)

export const trackRecordFrom = (records: readonly SessionRecord[]): TrackRecord => {
  const byModel = Map.groupBy(
    records.flatMap(({ appearances }) => appearances),
    appearance => appearance.model,
  )
  return {
    sessions: records.length,
    resolved: records.filter(({ resolved }) => resolved).length,
    models: [...byModel].map(([model, own]) => recordOf(model, own)).sort(byAccuracy),
    agreement: agreementOf(records.flatMap(({ pairs }) => pairs)),
    splits: splitScoresOf(records.flatMap(({ split }) => split ?? [])),
  }
}

export const trackRecordOf = (sessions: Iterable<Session>): TrackRecord =>
  trackRecordFrom([...sessions].flatMap(session => sessionRecordOf(session) ?? []))

/** For each model: how many resolved questions it answered in the sealed round, and how many correctly. */
export const scoresOf = ({ models }: TrackRecord): Record<string, { right: number; of: number }> =>
  Object.fromEntries(models.filter(({ sealed }) => sealed.of > 0).map(({ model, sealed }) => [model, sealed]))
