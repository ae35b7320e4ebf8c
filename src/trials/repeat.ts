/** Asks the same table the same question several times, and compares the verdicts. */
import { leadingWords, type Run, type Stability, stabilityOf } from '../bench/stability.ts'
import { groupingOf } from '../core/camps/camps.ts'
import { isWithin } from '../core/camps/tolerance.ts'
import type { Happening, SessionEvent } from '../core/log/event.ts'
import { allStamped } from '../core/log/stamp.ts'
import { fold, type Session } from '../core/log/state.ts'
import { decidingTally, verdictOf } from '../core/verdict/verdict.ts'
import { run } from '../runtime/run.ts'
import type { Carrier } from './carry.ts'

export const runOf = (session: Session): Run => {
  const verdict = verdictOf(session)
  const { level, agree, of, flips } = verdict
  const leading = leadingWords(verdict, session.question.format === 'open')
  return { id: session.id, seed: session.seed, leading, level, agree, of, flips }
}

/**
 * Treats the runs as seats of a table: the leading answer of each run is a sealed answer, and the moderator groups
 * them like the headlines of seats, in two passes and with every membership checked.
 */
const tableOfRuns = (session: Session, runs: readonly Run[], clock: () => number): SessionEvent[] => {
  const seats = runs.map((_, index) => ({
    id: `s${index + 1}`,
    alias: String(index + 1),
    name: `Run ${index + 1}`,
    model: `run/${index + 1}`,
  }))
  const { question, moderator, smallModerator, language, deadline, seed } = session
  const happenings: Happening[] = [
    {
      type: 'session-opened',
      id: `runs-of-${session.id}`,
      question,
      seats,
      moderator,
      ...(smallModerator && { smallModerator }),
      protocol: 'poll',
      rounds: 0,
      names: 'hidden',
      language,
      seed: `${seed} runs`,
      deadline,
    },
    { type: 'round-opened', round: 0, sealed: true },
    ...runs.map(
      ({ leading }, index): Happening => ({
        type: 'answer-given',
        round: 0,
        seat: seats[index]!.id,
        answer: { headline: leading ?? '', reasoning: '', confidence: null, language },
      }),
    ),
  ]
  return allStamped(happenings, 0, clock)
}

/**
 * Two runs have the same number if their medians count as the same: the smallest founds a group, as in camps.
 * Undefined for rounds of older prompts, whose values must be equal.
 */
const numberKeys = (sessions: readonly Session[]): (string | null)[] | undefined => {
  const tallies = sessions.map(session => decidingTally(verdictOf(session)))
  const tolerance = tallies.find(tally => tally?.tolerance)?.tolerance
  if (!tolerance) return undefined
  const founders: number[] = []
  for (const value of tallies.flatMap(tally => tally?.median ?? []).sort((one, other) => one - other))
    if (!founders.some(founder => isWithin(tolerance, founder, value))) founders.push(value)
  return tallies.map(tally => {
    const { median, leading = null } = tally ?? {}
    if (median === undefined || leading === null) return null
    return String(founders.find(founder => isWithin(tolerance, founder, median)))
  })
}

/** Open answers are grouped by the moderator if there is one, otherwise by equal headlines. */
export const stabilityIn = async (
  carrier: Omit<Carrier, 'store'>,
  sessions: readonly Session[],
): Promise<Stability> => {
  const runs = sessions.map(runOf)
  const [first] = sessions
  if (first?.question.format === 'number') return stabilityOf(runs, 'value', numberKeys(sessions))
  if (first?.question.format !== 'open') return stabilityOf(runs, 'value')
  const led = runs.filter(one => one.leading !== null)
  if (first.moderator === null || led.length < 2) return stabilityOf(runs, 'headline')
  const { reach, openQueue, meter, clock, signal } = carrier
  const { providers, protocols } = reach
  const runner = { providers, protocols, openQueue, meter, clock, signal, publish() {} }
  const compared = fold(await run(runner, tableOfRuns(first, led, clock)))
  const { camps, by } = groupingOf(compared, compared.roundsSoFar[0]!)
  const campOf = (one: Run): string | null =>
    camps.find(camp => camp.seats.includes(`s${led.indexOf(one) + 1}`))?.id ?? null
  if (by === 'headline') return stabilityOf(runs, 'headline')
  return stabilityOf(
    runs,
    'moderator',
    runs.map(one => (one.leading === null ? null : campOf(one))),
  )
}
