/** Many sessions under one budget; each continues from the end of its log, and a run that Ctrl-C stopped can be resumed. */

import { createHash } from 'node:crypto'
import { isAbsolute, resolve } from 'node:path'
import { mostSeats } from '../core/ask.ts'
import { located, UsageError } from '../core/basics.ts'
import { allStamped, type Happening, type SessionEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import type { Form } from '../core/form.ts'
import type { Budget, Carry } from '../core/opening.ts'
import type { Session } from '../core/session.ts'
import { isWithin } from '../count/camps.ts'
import { groupingOf } from '../count/settle.ts'
import { decidingTally, verdictOf } from '../count/verdict.ts'
import { afterOf } from '../protocols/carry.ts'
import { callQueues, localSlots, type Meter, meterFor, type OpenQueue } from '../run/budget.ts'
import { run, usedBefore } from '../run/run.ts'
import { fileStore, type Store } from '../store/store.ts'
import { type AskInput, namesIn } from '../table/ask.ts'
import type { Reach } from '../table/reach.ts'
import { type Links, openingOf } from '../table/resolve.ts'
import { exitCodes } from '../terminal/program-name.ts'
import { type Shell, stepBar } from '../terminal/terminal.ts'
import {
  type Best,
  bestSeatOf,
  type CarryFigures,
  type CarryTrial,
  carryFigures,
  devOf,
  type GoldQuestion,
  type LiveFigures,
  measure,
  type Polled,
  type Spent,
  samplesFor,
  spentBy,
  type Trial,
  together,
} from './live.ts'
import { leadingWords, type Run, type Stability, stabilityOf } from './replay.ts'

export interface Carrier {
  readonly reach: Reach
  readonly openQueue: OpenQueue
  readonly meter: Meter
  readonly store: Store
  readonly clock: () => number
  readonly signal: AbortSignal
  /** Sessions that are stopped early stay open in the store, and the next run continues them. */
  readonly resumes?: boolean
}

/** A seat or moderator that failed only because the run was stopped: the next run asks again. */
const isCutOff = (event: SessionEvent): boolean =>
  (event.type === 'seat-silent' || event.type === 'moderator-failed') &&
  (event.error.kind === 'budget' || event.error.kind === 'cancelled')

/**
 * A session that the budget or Ctrl-C stops stays open, as after a crash. Otherwise it would be finished for good
 * without the missing answers. Answers that arrive meanwhile are paid for, so they are kept.
 */
export const leftOpen = (store: Store): Store => {
  let dropped = 0
  let over = false
  return {
    ...store,
    async append(id, events) {
      const kept: SessionEvent[] = []
      for (const event of events) {
        over ||= event.type === 'session-stopped'
        if (over || isCutOff(event)) dropped++
        else kept.push({ ...event, position: event.position - dropped })
      }
      if (kept.length > 0) await store.append(id, kept)
    },
  }
}

export interface Planned {
  readonly id: string
  readonly input: AskInput
  /** How it belongs to an earlier session. */
  readonly links?: Links
  /** Which of the two comes first in a reply. No request says it: only a bench compares them. */
  readonly form?: Form
  /** Events after the opening of a new session, such as a sealed round that is known already. */
  readonly begins?: readonly SessionEvent[]
}

const begun = async ({ reach, store, clock }: Carrier, planned: Planned): Promise<SessionEvent[]> => {
  const there = await store.read(planned.id)
  if (there.length > 0) return there
  const opening = openingOf(planned.input, planned.id, reach, [], planned.links)
  const first = await opening.first(clock)
  const { form, begins = [] } = planned
  const log = [{ ...first, ...(form && { form }) }, ...begins].map((event, position) => ({
    ...event,
    position,
  }))
  if (opening.files.length > 0) await store.keepFiles(planned.id, opening.files)
  await store.append(planned.id, log)
  return log
}

/** The folder of a bench may be a stranger's: a log in it must not load files that the plan doesn't name. */
const refuseOthers =
  ({ input }: Planned) =>
  (session: Session): void => {
    const planned = namesIn(input)
    const file = namesIn(session).find(
      name => name.startsWith('house/') && isAbsolute(name.slice('house/'.length)) && !planned.includes(name),
    )
    if (file === undefined) return
    throw new UsageError(`The log of session ${session.id} loads a file that was not asked for: ${file}.`)
  }

/** Runs a session to its end. One that is finished in the store costs nothing. */
export const carry = async (carrier: Carrier, planned: Planned): Promise<Session> => {
  const log = await begun(carrier, planned)
  const { reach, openQueue, meter, clock, signal } = carrier
  const store = carrier.resumes ? leftOpen(carrier.store) : carrier.store
  const { providers, protocols } = reach
  const refuse = refuseOthers(planned)
  const runner = { providers, protocols, openQueue, meter, clock, signal, publish() {}, store, refuse }
  return fold(await run(runner, log))
}

// folder: A folder of sessions, and what all of them have cost.

const sessionsIn = async (store: Store): Promise<Session[]> => {
  const listed = await store.list()
  return Promise.all(listed.map(async ({ id }) => fold(await store.read(id))))
}

/** A debate continues from the sealed answers of a poll, which paid for them. */
const paidBy = (session: Session): Session =>
  session.protocol === 'poll'
    ? session
    : { ...session, roundsSoFar: session.roundsSoFar.filter(round => !round.sealed) }

export const spentIn = async (store: Store): Promise<Spent> =>
  together((await sessionsIn(store)).map(session => spentBy(paidBy(session))))

/** One budget for all sessions of the folder, past and future: starting again doesn't raise it. */
export const meterOver = async (store: Store, budget: Budget | undefined): Promise<Meter> => {
  const before = (await sessionsIn(store)).flatMap(session => usedBefore(paidBy(session)))
  return meterFor(budget, before)
}

// live: A live bench: the table answers every question sealed, debates it by each protocol, and the best seat answers alone.

export interface LiveBench {
  readonly questions: readonly GoldQuestion[]
  /** The seats, and everything else that is the same for every question. */
  readonly table: Omit<AskInput, 'question' | 'protocol' | 'signal' | 'budget'>
  /** Absent: seats reason first. */
  readonly form?: Form
  /** Protocols that debate; the sealed vote is always included. */
  readonly protocols: readonly string[]
  readonly seed: string
  /** How many questions choose the best seat. */
  readonly dev?: number
  /** How many questions run at once. */
  readonly parallel: number
}

export interface LiveResult extends LiveFigures {
  /** The order in which seats filled in their reply. */
  readonly form: Form
  readonly seats: readonly string[]
  readonly dev: number
  /** Null if the run ended before a seat could be chosen. */
  readonly best: (Best & { readonly name: string }) | null
  /** Why some questions aren't scored, if any. */
  readonly ended: 'complete' | 'budget' | 'interrupted'
  readonly left: number
  /** By all sessions of the run's folder; each call counts once. */
  readonly spent: Spent
  readonly seed: string
}

export type Progress = (done: number, of: number) => void

/** A session is found again by its input: a changed question or table makes a new session. */
const idFor = (gold: GoldQuestion, input: AskInput & { readonly form?: Form }): string => {
  const words = gold.id.replace(/[^A-Za-z0-9-]+/g, '-').slice(0, 40)
  const { protocol } = input
  const digest = createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 12)
  return `${words}-${protocol}-${digest}`
}

export const planned = (
  { table, seed, form }: Pick<LiveBench, 'table' | 'seed' | 'form'>,
  gold: GoldQuestion,
  own: Partial<AskInput>,
  begins?: readonly SessionEvent[],
): Planned => {
  const { text, format, options, unit, scale } = gold.question
  const question = {
    question: text,
    format,
    ...(options.length > 0 && { options }),
    ...(unit !== undefined && { unit }),
    ...(format === 'number' && { scale }),
  }
  const input: AskInput = { ...table, ...question, seed: `${seed} ${gold.id}`, ...own }
  const id = idFor(gold, { ...input, ...(form && { form }) })
  return { id, input, ...(form && { form }), ...(begins && { begins }) }
}

/** Closed answers need no grouping, so the sealed vote doesn't pay for a moderator. */
export const pollFor = (bench: Pick<LiveBench, 'table' | 'seed' | 'form'>, gold: GoldQuestion): Planned => {
  const { rounds: _rounds, ...table } = bench.table
  const moderator = gold.question.format === 'open' ? {} : { moderator: null }
  return planned({ ...bench, table }, gold, { protocol: 'poll', ...moderator })
}

/** Every debate starts from the same sealed answers: they are paid for once, and debates don't differ by luck. */
const sealedEvents = (log: readonly SessionEvent[]): SessionEvent[] =>
  log.filter(
    event =>
      event.type === 'round-opened' ||
      event.type === 'answer-given' ||
      event.type === 'seat-silent' ||
      event.type === 'seat-abstained',
  )

const samplesPlan = (bench: LiveBench, gold: GoldQuestion, poll: Session, seat: string, count: number) => {
  const { rounds: _rounds, lineup: _lineup, ...table } = bench.table
  const { model, temperature, effort, brief } = poll.seats.find(({ id }) => id === seat)!
  const voice = { ...(temperature !== undefined && { temperature }), ...(effort && { effort }) }
  const seats = Array.from({ length: count }, () => ({ model, ...voice, ...(brief && { brief }) }))
  const again = { seats, protocol: 'poll', moderator: null, seed: `${bench.seed} ${gold.id} again` }
  return planned({ ...bench, table }, gold, again)
}

/** Runs sessions in parallel. When one is stopped early, the rest don't start. */
export const queueOf = (carrier: Carrier, parallel: number, onProgress: Progress, of: () => number) => {
  const slots = localSlots()
  let done = 0
  let ended: LiveResult['ended'] = 'complete'
  const session = async (plan: Planned): Promise<Session | undefined> => {
    if (ended !== 'complete') return undefined
    const found = await carry(carrier, plan)
    if (found.stopped) {
      ended = found.stopped.reason === 'budget' ? 'budget' : 'interrupted'
      return undefined
    }
    onProgress(++done, of())
    return found
  }
  const inTurn = async <T>(task: () => Promise<T>): Promise<T> => {
    const leave = await slots.take('sessions', parallel)
    return task().finally(leave)
  }
  return {
    session,
    all: <T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> => Promise.all(tasks.map(inTurn)),
    ended: () => ended,
  }
}

/** Every protocol debates one question; then the best seat answers it with as many tokens. */
const trialOf = async (
  carrier: Carrier,
  bench: LiveBench,
  work: ReturnType<typeof queueOf>,
  { gold, poll }: Polled,
  best: Best,
  polls: readonly Polled[],
): Promise<Trial[]> => {
  const sealed = sealedEvents(await carrier.store.read(poll.id))
  const debates: Record<string, Session> = {}
  for (const protocol of bench.protocols) {
    const debate = await work.session(planned(bench, gold, { protocol }, sealed))
    if (!debate) return []
    debates[protocol] = debate
  }
  const most = Math.max(...[poll, ...Object.values(debates)].map(session => spentBy(session).tokens))
  const count = samplesFor(most, best.seat, poll, polls, mostSeats)
  const samples = await work.session(samplesPlan(bench, gold, poll, best.seat, count))
  return samples ? [{ gold, poll, debates, samples }] : []
}

/** A protocol may not support a format. That is refused before any money is spent. */
const refuseUnaskable = ({ reach }: Carrier, bench: LiveBench): void => {
  for (const gold of bench.questions) {
    const plans = [
      pollFor(bench, gold),
      ...bench.protocols.map(protocol => planned(bench, gold, { protocol })),
    ]
    try {
      for (const { id, input } of plans) openingOf(input, id, reach)
    } catch (error) {
      throw located(`Question ${gold.id}`, error)
    }
  }
}

export const runLive = async (
  carrier: Carrier,
  bench: LiveBench,
  onProgress: Progress = () => {},
): Promise<LiveResult> => {
  const { questions, protocols, seed } = bench
  refuseUnaskable(carrier, bench)
  const dev = devOf(questions, bench.dev, seed)
  const tested = questions.length - dev.size
  const work = queueOf(
    carrier,
    bench.parallel,
    onProgress,
    () => questions.length + tested * (protocols.length + 1),
  )

  const polled = await work.all(
    questions.map(gold => async (): Promise<Polled[]> => {
      const poll = await work.session(pollFor(bench, gold))
      return poll ? [{ gold, poll }] : []
    }),
  )
  const polls = polled.flat()
  const best = work.ended() === 'complete' ? bestSeatOf(polls.filter(({ gold }) => dev.has(gold.id))) : null
  const scored = best ? polls.filter(({ gold }) => !dev.has(gold.id)) : []
  const trials = best
    ? await work.all(scored.map(one => () => trialOf(carrier, bench, work, one, best, polls)))
    : []
  const seats = polls[0]?.poll.seats ?? []
  return {
    ...measure(trials.flat(), protocols, best?.seat, seed),
    form: bench.form ?? 'reasoning-first',
    seats: seats.map(({ model }) => model),
    dev: dev.size,
    best: best && { ...best, name: seats.find(({ id }) => id === best.seat)?.name ?? best.seat },
    ended: work.ended(),
    left: tested - trials.flat().length,
    spent: await spentIn(carrier.store),
    seed,
  }
}

// carryOver: A live bench of follow-ups: every question is asked, and asked again as a follow-up, with its first verdict and without.

export interface CarryResult extends CarryFigures, Pick<LiveResult, 'ended' | 'left' | 'spent' | 'seed'> {
  readonly carry: Carry
  readonly seats: CarryFigures['seats']
  readonly models: readonly string[]
}

/** Both follow-ups have the same seed, so that nothing differs but what is carried over. */
const againFor = (bench: LiveBench, gold: GoldQuestion, first: Session, carry: Carry): Planned => {
  const { rounds: _rounds, ...table } = bench.table
  const moderator = gold.question.format === 'open' ? {} : { moderator: null }
  const seed = `${bench.seed} ${gold.id} follow-up`
  const own = { protocol: 'poll', seed, after: first.id, carry, ...moderator }
  return { ...planned({ ...bench, table }, gold, own), links: { after: afterOf(first, carry) } }
}

export const runCarryOver = async (
  carrier: Carrier,
  bench: LiveBench,
  carry: Carry,
  onProgress: Progress = () => {},
): Promise<CarryResult> => {
  const { questions, seed } = bench
  const work = queueOf(carrier, bench.parallel, onProgress, () => questions.length * 3)
  const trials = await work.all(
    questions.map(gold => async (): Promise<CarryTrial[]> => {
      const first = await work.session(pollFor(bench, gold))
      const none = first && (await work.session(againFor(bench, gold, first, 'none')))
      const carried = first && none && (await work.session(againFor(bench, gold, first, carry)))
      return first && none && carried ? [{ gold, first, none, carried }] : []
    }),
  )
  const scored = trials.flat()
  return {
    ...carryFigures(scored, seed),
    carry,
    models: scored[0]?.first.seats.map(({ model }) => model) ?? [],
    ended: work.ended(),
    left: questions.length - scored.length,
    spent: await spentIn(carrier.store),
    seed,
  }
}

// repeat: Asks the same table the same question several times, and compares the verdicts.

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

/** Runs many sessions in a folder, under one budget. */
const inFolder = async <T>(
  folder: string,
  reach: Reach,
  budget: Budget | undefined,
  shell: Shell,
  work: (carrier: Carrier, onProgress: Progress) => Promise<T>,
): Promise<T> => {
  const store = fileStore(resolve(shell.cwd, folder))
  const meter = await meterOver(store, budget)
  const ending = new AbortController()
  const bar = stepBar(shell.stderr, 'Sessions')
  const stop = shell.onInterrupt(() => {
    bar.end()
    if (ending.signal.aborted) return shell.quit(exitCodes.interrupted)
    shell.stderr.write('Stopping; all answers so far are kept. Press Ctrl-C again to quit at once.\n')
    ending.abort()
  })
  const openQueue = callQueues()
  const carrier = { reach, openQueue, meter, store, clock: shell.clock, signal: ending.signal, resumes: true }
  try {
    return await work(carrier, bar.step)
  } finally {
    stop()
    bar.end()
  }
}

export const liveIn = (
  folder: string,
  bench: LiveBench,
  reach: Reach,
  budget: Budget | undefined,
  shell: Shell,
): Promise<LiveResult> =>
  inFolder(folder, reach, budget, shell, (carrier, onProgress) => runLive(carrier, bench, onProgress))

export const carryIn = (
  folder: string,
  bench: LiveBench,
  carry: Carry,
  reach: Reach,
  budget: Budget | undefined,
  shell: Shell,
): Promise<CarryResult> =>
  inFolder(folder, reach, budget, shell, (carrier, onProgress) =>
    runCarryOver(carrier, bench, carry, onProgress),
  )
