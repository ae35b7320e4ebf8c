/** A live bench: the table answers every question sealed, debates it by each protocol, and the best seat answers alone. */
import { createHash } from 'node:crypto'
import type { LiveFigures, Trial } from '../bench/live/measure.ts'
import { measure } from '../bench/live/measure.ts'
import type { GoldQuestion } from '../bench/live/questions.ts'
import { type Spent, spentBy } from '../bench/live/spent.ts'
import { type Best, bestSeatOf, devOf, type Polled, samplesFor } from '../bench/live/split.ts'
import { located } from '../core/errors.ts'
import type { SessionEvent } from '../core/log/event.ts'
import type { Session } from '../core/log/state.ts'
import { mostSeats } from '../core/question/ask-input.ts'
import type { Form } from '../core/question/form.ts'
import { localSlots } from '../runtime/slots.ts'
import type { AskInput } from '../table/ask-input.ts'
import { openingOf } from '../table/opening.ts'
import { type Carrier, carry, type Planned } from './carry.ts'
import { spentIn } from './folder.ts'

export interface LiveBench {
  readonly questions: readonly GoldQuestion[]
  /** The seats, and everything else that is the same for every question. */
  readonly table: Omit<AskInput, 'question' | 'protocol' | 'signal' | 'budget'>
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
const idFor = (gold: GoldQuestion, input: AskInput): string => {
  const words = gold.id.replace(/[^A-Za-z0-9-]+/g, '-').slice(0, 40)
  const { protocol } = input
  const digest = createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 12)
  return `${words}-${protocol}-${digest}`
}

export const planned = (
  { table, seed }: Pick<LiveBench, 'table' | 'seed'>,
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
  return { id: idFor(gold, input), input, ...(begins && { begins }) }
}

/** Closed answers need no grouping, so the sealed vote doesn't pay for a moderator. */
export const pollFor = (bench: Pick<LiveBench, 'table' | 'seed'>, gold: GoldQuestion): Planned => {
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
    form: bench.table.form ?? 'reasoning-first',
    seats: seats.map(({ model }) => model),
    dev: dev.size,
    best: best && { ...best, name: seats.find(({ id }) => id === best.seat)?.name ?? best.seat },
    ended: work.ended(),
    left: tested - trials.flat().length,
    spent: await spentIn(carrier.store),
    seed,
  }
}
