/** The budgets of the person who asked and of the team, by the ledger, besides the session's own. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { utcDayText } from '../core/wording/dates.ts'
import type { Price } from '../providers/provider.ts'
import { type Charge, type Ledger, type Shortage, teamPayer } from '../store/ledger/ledger.ts'
import {
  amountOf,
  capWords,
  ceiling,
  type Meter,
  mostOvercount,
  outputFor,
  outputRoom,
  type Reservation,
  type Wanted,
  worst,
} from './budget.ts'

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
