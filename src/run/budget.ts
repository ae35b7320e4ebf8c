/** The budget of a session in dollars and tokens: no call is started that would exceed it. */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { counted, type ModelError, utcDayText } from '../core/basics.ts'
import type { Usage } from '../core/event.ts'
import type { Budget } from '../core/opening.ts'
import { dearestSearch, type Limits, type Price, type Provider, type TokenUsage } from '../models/provider.ts'
import { type Charge, type Ledger, type Shortage, teamPayer } from '../store/archive.ts'

/**
 * The price that counts against a budget for a model of unknown price: that of the most expensive models in wide use.
 * Its cost is still shown as unknown, but a budget can't ignore it.
 */
export const ceiling: Price = { input: 15, output: 75, search: dearestSearch }

/** What a call costs on top of a subscription. */
const onTop: Price = { input: 0, output: 0, search: 0 }

/** The price of a model, as far as it is known; a subscription pays for every model of its agent. */
export const priceOf = (
  provider: Pick<Provider, 'subscription'>,
  known: Price | undefined,
): Price | undefined => (provider.subscription ? onTop : known)

/** A fee that nobody knows counts as the highest. */
const feeFor = (searches: number, { search = dearestSearch }: Price): number => searches * search

export const costOf = (usage: TokenUsage, price: Price): number => {
  const { inputTokens, outputTokens, searches = 0 } = usage
  const { cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage
  const cached = Math.min(cachedTokens, inputTokens)
  const written = Math.min(cacheWriteTokens, inputTokens - cached)
  const reasoning = Math.min(reasoningTokens, outputTokens)
  const dollars =
    (inputTokens - cached - written) * price.input +
    cached * (price.cachedInput ?? price.input) +
    written * (price.cacheWrite ?? price.input) +
    (outputTokens - reasoning) * price.output +
    reasoning * (price.reasoning ?? price.output)
  return dollars / 1e6 + feeFor(searches, price)
}

/**
 * Our count of a reply can be higher than its maker's, whose tokens may be longer than ours. But a reply that has so many
 * times the tokens that it was allowed, by our count, has ignored its limit.
 */
export const mostOvercount = 4

/** What a call may use: its input, its searches, and between the least that is worth a call and the most that it can need. */
export interface Wanted {
  readonly inputTokens: number
  /** Absent: it can't search. */
  readonly searches?: number
  readonly leastOutput: number
  readonly mostOutput: number
}

export interface Reservation {
  /** How many tokens the reply may take: no more than is left. */
  readonly outputTokens: number
  /**
   * Asks for room for a reply of so many tokens by our count, while it arrives. Returns how many there is room for: all
   * without a budget, and otherwise no more than is left and than our count can be too high. Never waits.
   */
  extend(outputTokens: number): number
  settle(usage: Usage | undefined): void
}

export interface Meter {
  /**
   * Reserves everything that a call may use. If there is no room, it waits for the calls under way, because they may
   * use less than was reserved for them. Undefined: there is no room, or the signal aborted.
   */
  reserve(wanted: Wanted, price: Price | undefined, signal?: AbortSignal): Promise<Reservation | undefined>
  /** Calls have used more than the budget, because a provider used more than it was allowed. */
  readonly exceeded: boolean
  /** Why there is no room, in words. */
  readonly words: string
}

export const capWords = (budget: Budget): string =>
  [
    budget.usd !== undefined && `$${budget.usd}`,
    budget.tokens !== undefined && counted(budget.tokens, 'token'),
  ]
    .filter(Boolean)
    .join(' and ')

/** The highest price that a token can have: input may be written to a cache, and output may be reasoning. */
export const worst = (price: Price): Price => {
  const { input, output, cachedInput = 0, cacheWrite = 0, reasoning = 0 } = price
  return { ...price, input: Math.max(input, cachedInput, cacheWrite), output: Math.max(output, reasoning) }
}

/** Sums of dollars are a little off: that isn't spending. */
const roundingError = 1e-9

export const amountOf = (usage: TokenUsage, price: Price): Charge => ({
  usd: costOf(usage, price),
  tokens: usage.inputTokens + usage.outputTokens,
})

/** What was paid, by the log. */
const chargeOf = (usage: Usage): Charge => {
  const { usd, tokens } = amountOf(usage, ceiling)
  return { usd: usage.costUsd ?? usd, tokens }
}

const sum = (amounts: Iterable<Charge>): Charge => {
  let [usd, tokens] = [0, 0]
  for (const amount of amounts) {
    usd += amount.usd
    tokens += amount.tokens
  }
  return { usd, tokens }
}

/** What a call uses whatever it replies. */
type Before = Pick<Wanted, 'inputTokens' | 'searches'>

/** How many output tokens there is room for beside input and searches, if so much is left. Negative: not even for those. */
export const outputRoom = (left: Charge, { inputTokens, searches = 0 }: Before, price: Price): number => {
  const usd = left.usd - (inputTokens * price.input) / 1e6 - feeFor(searches, price)
  const tokens = left.tokens - inputTokens
  if (usd < 0 || tokens < 0) return -1
  const affordable = price.output > 0 ? (usd / price.output) * 1e6 : Infinity
  return Math.floor(Math.min(affordable, tokens))
}

/** Half of the room, so that one call that may use much doesn't make all others wait for it. */
export const outputFor = ({ leastOutput, mostOutput }: Wanted, room: number): number =>
  Math.min(mostOutput, Math.max(leastOutput, Math.floor(room / 2)))

/** What two calls used together. An unknown cost stays unknown. */
export const plus = (one: Usage | undefined, other: Usage): Usage => {
  if (!one) return other
  const cost = one.costUsd === null || other.costUsd === null ? null : one.costUsd + other.costUsd
  const sum = (key: 'cachedTokens' | 'cacheWriteTokens' | 'reasoningTokens' | 'searches' | 'excessTokens') =>
    one[key] === undefined && other[key] === undefined ? {} : { [key]: (one[key] ?? 0) + (other[key] ?? 0) }
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...sum('cachedTokens'),
    ...sum('cacheWriteTokens'),
    ...sum('reasoningTokens'),
    ...sum('searches'),
    ...sum('excessTokens'),
    costUsd: cost,
    ...((one.estimated || other.estimated) && { estimated: true }),
    ...((one.subscription || other.subscription) && { subscription: true as const }),
  }
}

/** The most that a call may use, as the log holds it until the call has come to something. */
const mostUsed = (wanted: Wanted, outputTokens: number, known: Price | undefined): Usage => {
  const { inputTokens, searches } = wanted
  const usage = { inputTokens, outputTokens, ...(searches && { searches }) }
  return { ...usage, costUsd: known ? costOf(usage, worst(known)) : null, estimated: true }
}

/** Gets what all tries of a call used so far. */
interface Holder {
  /** A try may use so much. Resolves once that can't be lost. */
  begin(held: Usage, used: Usage | undefined): Promise<void>
  end(used: Usage | undefined): void
}

/** A meter for one command. What was used for it before counts already. */
export const heldMeter = (meter: Meter, before: Usage | undefined, holder: Holder): Meter => {
  let used = before
  return {
    get words() {
      return meter.words
    },
    get exceeded() {
      return meter.exceeded
    },
    async reserve(wanted, price, signal) {
      const reserved = await meter.reserve(wanted, price, signal)
      if (!reserved) return undefined
      const giveBack = (): void => reserved.settle(undefined)
      try {
        await holder.begin(mostUsed(wanted, reserved.outputTokens, price), used)
      } catch (error) {
        giveBack()
        throw error
      }
      if (signal?.aborted) {
        giveBack()
        return undefined
      }
      return {
        ...reserved,
        settle(usage) {
          if (usage) used = plus(used, usage)
          holder.end(used)
          reserved.settle(usage)
        },
      }
    },
  }
}

export const meterFor = (budget: Budget | undefined, before: readonly Usage[] = []): Meter => {
  const limit = { usd: budget?.usd ?? Infinity, tokens: budget?.tokens ?? Infinity }
  let used = sum(before.map(chargeOf))
  const underWay = new Set<Charge>()
  let waiting: (() => void)[] = []

  const wake = (): void => {
    const woken = waiting
    waiting = []
    for (const go of woken) go()
  }

  /** How many output tokens there is room for, beside the input, the searches and everything that is reserved. */
  const roomFor = (before: Before, price: Price): number => {
    const taken = sum([used, ...underWay])
    return outputRoom({ usd: limit.usd - taken.usd, tokens: limit.tokens - taken.tokens }, before, price)
  }

  const tryToReserve = (wanted: Wanted, known: Price | undefined) => {
    const { inputTokens, searches, leastOutput } = wanted
    const before: Before = { inputTokens, ...(searches && { searches }) }
    const price = known ?? ceiling
    const room = roomFor(before, worst(price))
    if (room < leastOutput) return undefined
    const outputTokens = outputFor(wanted, room)
    let extended = outputTokens
    let reserved = amountOf({ ...before, outputTokens }, worst(price))
    underWay.add(reserved)
    return {
      outputTokens,
      extend(wanted: number) {
        const room = roomFor({ inputTokens: 0 }, worst(price))
        const most = room === Infinity ? Infinity : outputTokens * mostOvercount
        const more = Math.min(wanted - extended, most - extended, room)
        if (more <= 0 || !underWay.delete(reserved)) return extended
        extended += more
        reserved = amountOf({ ...before, outputTokens: extended }, worst(price))
        underWay.add(reserved)
        return extended
      },
      settle(usage: Usage | undefined) {
        if (!underWay.delete(reserved)) return
        if (usage) used = sum([used, amountOf(usage, price)])
        wake()
      },
    }
  }

  const whenSettled = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise(resolve => {
      const go = (): void => {
        signal?.removeEventListener('abort', go)
        resolve()
      }
      signal?.addEventListener('abort', go)
      waiting.push(go)
    })

  return {
    words: `The budget of ${capWords(budget ?? {})} has no room for another call.`,
    get exceeded() {
      return used.tokens > limit.tokens || used.usd > limit.usd * (1 + roundingError)
    },
    async reserve(wanted, price, signal) {
      while (!signal?.aborted) {
        const reservation = tryToReserve(wanted, price)
        if (reservation || underWay.size === 0) return reservation
        await whenSettled(signal)
      }
      return undefined
    },
  }
}

// slots: A limited number of slots: a caller waits until one is free.

/** Counted in this process, or across all processes that share a database. */
export interface Slots {
  /** Waits for one of so many slots under a name, and returns how to free it. */
  take(name: string, of: number): Promise<() => void>
}

interface SlotGroup {
  taken: number
  readonly waiting: (() => void)[]
}

export const localSlots = (): Slots => {
  const groups = new Map<string, SlotGroup>()
  const leave = (group: SlotGroup): void => {
    const next = group.waiting.shift()
    if (next) next()
    else group.taken--
  }
  return {
    async take(name, of) {
      const group = groups.get(name) ?? { taken: 0, waiting: [] }
      groups.set(name, group)
      if (group.taken < of) group.taken++
      else await new Promise<void>(resolve => group.waiting.push(resolve))
      return () => leave(group)
    },
  }
}

// limits: Keeps each provider's limits, and lets sessions take turns so that a large one doesn't hold up the others.

/** One session's calls on their way to the providers. */
export interface CallQueue {
  /** Runs the call when the provider has room for it. Rejects if the signal aborts while it waits. */
  run<T>(provider: Provider, signal: AbortSignal, call: () => Promise<T>): Promise<T>
  /** The provider asks to wait. Every call of this process that goes to it does, whichever session it is of. */
  holdBack(provider: Provider, milliseconds: number, why: ModelError): void
  /** Waits as long as the provider asks to. Undefined: it may be called; otherwise why not, in its own words. Rejects if the signal aborts. */
  whenCalled(provider: Provider, signal: AbortSignal, waiting: WaitingCall): Promise<ModelError | undefined>
}

export interface WaitingCall {
  /** By `performance.now()`. It isn't worth waiting for longer. Asked only if there is something to wait for. */
  readonly endsAt: () => number
  /** How much later than allowed it comes, from 0 to 1: calls that were refused together must not come back together. */
  readonly later: number
  readonly onWait?: ((milliseconds: number) => void) | undefined
}

/** Opens the queue of a new session. Sessions that wait for the same provider take turns. */
export type OpenQueue = () => CallQueue

/** Room for one call. */
interface CallSlot {
  /** Starts to use it, and returns what to do when the call is over. */
  use(): () => void
  giveBack(): void
}

const minute = 60_000
/** With more calls a minute, several share a slot in turn: a database can't hold thousands of locks. */
const mostSlots = 300

const nothing = (): void => {}

/** A slot of a limit per minute stays taken from the start of its call until its share of a minute is over. */
const freeSlot = async (id: string, limits: Limits, slots: Slots): Promise<CallSlot> => {
  const { concurrency, requestsPerMinute: often } = limits
  const most = Math.min(often ?? 0, mostSlots)
  const inMinute = often ? await slots.take(`${id} by the minute`, most) : nothing
  const atOnce = concurrency ? await slots.take(`${id} at once`, concurrency) : nothing
  return {
    use() {
      if (often) setTimeout(inMinute, (minute * most) / often).unref()
      return atOnce
    },
    giveBack() {
      inMinute()
      atOnce()
    },
  }
}

type Waiting = (slot: CallSlot) => void

/** The queue in front of one provider: one call of each session in turn. */
const providerQueue = (free: () => Promise<CallSlot>) => {
  const bySession = new Map<object, Waiting[]>()
  let serving = false
  const next = (): Waiting | undefined => {
    const [first] = bySession
    if (!first) return undefined
    const [session, [waiting, ...rest]] = first
    bySession.delete(session)
    if (rest.length > 0) bySession.set(session, rest)
    return waiting
  }
  const serve = async (): Promise<void> => {
    serving = true
    while (bySession.size > 0) {
      const slot = await free()
      const waiting = next()
      if (waiting) waiting(slot)
      else slot.giveBack()
    }
    serving = false
  }
  const leave = (session: object, waiting: Waiting): void => {
    const rest = bySession.get(session)?.filter(other => other !== waiting) ?? []
    if (rest.length > 0) bySession.set(session, rest)
    else bySession.delete(session)
  }
  return (session: object, signal: AbortSignal): Promise<CallSlot> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const stop = (): void => {
        leave(session, waiting)
        reject(signal.reason)
      }
      const waiting = (slot: CallSlot): void => {
        signal.removeEventListener('abort', stop)
        resolve(slot)
      }
      signal.addEventListener('abort', stop)
      bySession.set(session, [...(bySession.get(session) ?? []), waiting])
      if (!serving) void serve()
    })
}

// holds: A provider that asks to wait gets it from all calls. If each call found out by itself, a large table would use up its tries
// in a second, and the provider would count all of them against its limit.

interface Hold {
  readonly until: number
  readonly milliseconds: number
  readonly why: ModelError
}

/** A provider that asks for a year is asked again after this: it may have been a mistake. */
const longestHold = 300_000
/** The part of a hold over which the calls that it refused spread themselves. */
const spread = 1 / 4

/** Rejects as soon as the signal aborts, and leaves no timer that would keep the process. */
const waited = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })

/** By the provider itself and not by its name: a person's own key has a limit of its own. */
const providerHolds = (): Pick<CallQueue, 'holdBack' | 'whenCalled'> => {
  const holds = new WeakMap<Provider, Hold>()
  return {
    holdBack(provider, wanted, why) {
      const milliseconds = Math.min(wanted, longestHold)
      const until = performance.now() + milliseconds
      if (until > (holds.get(provider)?.until ?? 0)) holds.set(provider, { until, milliseconds, why })
    },
    async whenCalled(provider, signal, { endsAt, later, onWait }) {
      for (;;) {
        const hold = holds.get(provider)
        const now = performance.now()
        if (!hold || hold.until <= now) return undefined
        const wait = hold.until - now + hold.milliseconds * spread * later
        if (now + wait > endsAt()) return hold.why
        onWait?.(hold.until - now)
        await waited(wait, signal)
      }
    },
  }
}

/** Queues are kept by the name and the limits of a provider: one that is connected anew stays in its queue. */
export const callQueues = (slots: Slots = localSlots()): OpenQueue => {
  const queues = new Map<string, ReturnType<typeof providerQueue>>()
  const holds = providerHolds()
  const queueOf = ({ id, limits }: Provider) => {
    if (!limits?.concurrency && !limits?.requestsPerMinute) return undefined
    const name = JSON.stringify([id, limits.concurrency, limits.requestsPerMinute])
    const queue = queues.get(name) ?? providerQueue(() => freeSlot(id, limits, slots))
    queues.set(name, queue)
    return queue
  }
  return () => {
    const session = {}
    return {
      ...holds,
      async run(provider, signal, call) {
        const slotFor = queueOf(provider)
        if (!slotFor) return call()
        const over = (await slotFor(session, signal)).use()
        return call().finally(over)
      },
    }
  }
}

// payerMeter: The budgets of the person who asked and of the team, by the ledger, besides the session's own.

export interface Payer {
  /** A person's id, or the team's. */
  readonly id: string
  /** For messages. */
  readonly name?: string | undefined
}

export interface PayerMeter extends Meter {
  /** Resolves when every call that was reserved has ended and is in the ledger. */
  settled(): Promise<void>
}

export interface PayerOptions {
  readonly ledger: Ledger
  readonly payers: readonly Payer[]
  /** Absent: a call outside of any session. */
  readonly session?: string
  readonly clock: () => number
}

/** Nobody tells of a call that ended in another process: whoever waits looks again. */
const lookEvery = 100

const whoseWords = (payer: Payer | undefined): string =>
  !payer || payer.id === teamPayer ? "The team's budget" : `The budget of ${payer.name ?? 'this person'}`

/** When the next day or month begins. */
const renewal = (period: Shortage['period'], at: number): Date => {
  const now = new Date(at)
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  return new Date(period === 'day' ? Date.UTC(year, month, now.getUTCDate() + 1) : Date.UTC(year, month + 1))
}

const shortageWords = (short: Shortage, payers: readonly Payer[], at: number): string => {
  const { payer, period, budget, tooSmall } = short
  const whose = whoseWords(payers.find(({ id }) => id === payer))
  const cap = `${whose}, ${capWords(budget)} a ${period},`
  if (tooSmall) return `${cap} is smaller than this call. Ask an admin to raise it.`
  const again = utcDayText(renewal(period, at).getTime())
  return `${cap} has no room for another call. There is room again from 00:00 UTC on ${again}, or when an admin raises it.`
}

/**
 * Our count of a reply may be too high, and the ledger can't be asked for more while it arrives. So a call holds more than
 * its reply may take, as far as that is less than half of what is left.
 */
const heldOutput = (outputTokens: number, room: number): number =>
  Math.max(outputTokens, Math.min(outputTokens * mostOvercount, Math.floor(room / 2)))

/** Before a reply is there, only its limits are known; `choose` fills them in from what is left. */
const holdFor = (wanted: Wanted, price: Price) => {
  const { inputTokens, searches, leastOutput } = wanted
  const chosen = { outputTokens: 0, most: 0 }
  return {
    chosen,
    choose(left: Charge): Charge | undefined {
      const room = outputRoom(left, wanted, worst(price))
      if (room < leastOutput) return undefined
      chosen.outputTokens = outputFor(wanted, room)
      const held = heldOutput(chosen.outputTokens, room)
      chosen.most = room === Infinity ? Infinity : held
      return amountOf({ inputTokens, outputTokens: held, ...(searches && { searches }) }, worst(price))
    },
  }
}

export const payerMeter = ({ ledger, payers, session, clock }: PayerOptions): PayerMeter => {
  const open = new Map<string, Promise<void>>()
  let words = ''

  const reservation = (
    id: string,
    price: Price,
    chosen: ReturnType<typeof holdFor>['chosen'],
  ): Reservation => {
    const { promise, resolve } = Promise.withResolvers<void>()
    open.set(id, promise)
    const { outputTokens, most } = chosen
    let extended = outputTokens
    let over = false
    return {
      outputTokens,
      extend(wanted) {
        extended = Math.max(extended, Math.min(wanted, most))
        return extended
      },
      settle(usage) {
        if (over) return
        over = true
        const used = usage ? amountOf(usage, price) : { usd: 0, tokens: 0 }
        // If it can't be stored, the hold stays, and the next runner of the session counts all of it as used.
        void ledger
          .settle(id, used)
          .catch(() => {})
          .finally(() => {
            open.delete(id)
            resolve()
          })
      },
    }
  }

  return {
    get words() {
      return words
    },
    // The ledger refuses the next call of whoever used more than they may.
    exceeded: false,
    async reserve(wanted, known, signal) {
      const price = known ?? ceiling
      const id = randomUUID()
      const ids = payers.map(payer => payer.id)
      while (!signal?.aborted) {
        const at = clock()
        const { chosen, choose } = holdFor(wanted, price)
        const reply = await ledger.hold({ id, session, payers: ids, at, choose })
        if ('held' in reply) return reservation(id, price, chosen)
        if ('short' in reply) {
          words = shortageWords(reply.short, payers, at)
          return undefined
        }
        await sleep(lookEvery, undefined, { signal }).catch(() => undefined)
      }
      return undefined
    },
    async settled() {
      await Promise.all(open.values())
    },
  }
}

/** A call needs room in both. The session's own budget is asked first: it is in this process. */
export const bothMeters = (own: Meter, payer: Meter | undefined): Meter => {
  if (!payer) return own
  let refusing = own
  return {
    get words() {
      return refusing.words
    },
    get exceeded() {
      return own.exceeded || payer.exceeded
    },
    async reserve(wanted, price, signal) {
      const first = await own.reserve(wanted, price, signal)
      if (!first) {
        refusing = own
        return undefined
      }
      const mostOutput = first.outputTokens
      const asked = { ...wanted, mostOutput, leastOutput: Math.min(wanted.leastOutput, mostOutput) }
      const second = await payer.reserve(asked, price, signal).catch(error => {
        first.settle(undefined)
        throw error
      })
      if (!second) {
        refusing = payer
        first.settle(undefined)
        return undefined
      }
      return {
        outputTokens: second.outputTokens,
        extend: tokens => Math.min(first.extend(tokens), second.extend(tokens)),
        settle(usage) {
          first.settle(usage)
          second.settle(usage)
        },
      }
    },
  }
}
