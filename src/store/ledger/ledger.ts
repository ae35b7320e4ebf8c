/** The ledger: what payers may use by day and month, what they used, and what calls under way hold. */
import type { Budget } from '../../core/log/event.ts'

/** Whoever pays for everything, besides the person who asked. */
export const teamPayer = 'team'

export type Period = 'day' | 'month'

/** By day and month in UTC. Absent: as much as you like. */
export type Allowance = { readonly [period in Period]?: Budget }

/** Dollars and tokens. Infinite if there is no limit. */
export interface Charge {
  readonly usd: number
  readonly tokens: number
}

/** What a payer used on one day. */
export interface DaySpending extends Charge {
  readonly payer: string
  /** `2026-11-18`, in UTC. */
  readonly day: string
  readonly calls: number
}

export interface HoldRequest {
  readonly id: string
  /** Absent: a call outside of any session. If its process dies, what it holds counts as used half an hour later. */
  readonly session?: string | undefined
  readonly payers: readonly string[]
  /** Milliseconds since 1970. The call counts for this day, whenever it ends. */
  readonly at: number
  /** What the call holds if so much is left. Undefined: that isn't enough. Called within a transaction. */
  choose(left: Charge): Charge | undefined
}

/** Whose budget has no room. */
export interface Shortage {
  readonly payer: string
  readonly period: Period
  readonly budget: Budget
  /** The budget is smaller than the call, however little is used. */
  readonly tooSmall: boolean
}

export type HoldReply =
  | { readonly held: Charge }
  | { readonly short: Shortage }
  /** There is room once calls under way end, because they may use less than they hold. */
  | { readonly wait: true }

export interface Ledger {
  /** Holds everything that a call may use, of all its payers or of none. However many ask at once, no budget is exceeded. */
  hold(request: HoldRequest): Promise<HoldReply>
  /** The call has ended and used this much. Does nothing if its hold is gone. */
  settle(id: string, used: Charge): Promise<void>
  /** The sessions that hold something. */
  holders(): Promise<readonly string[]>
  /** Counts what a session still holds as used: its runner died, and the provider may have billed it. */
  release(session: string): Promise<void>
}
