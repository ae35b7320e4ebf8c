/** Figures of the group that a protocol tells the next round: statistics, or prices. */
import { z } from 'zod'
import { longestName, mostSeats, boundedText as text } from '../log/bounds.ts'

/** What a seat's confidence was worth at the price it saw. */
export const stakeSchema = z.object({
  seat: z.string().max(longestName),
  option: text,
  /** The price that the seat saw. In the sealed round all options cost the same. */
  price: z.number().min(0).max(1),
  /** The part of its purse that the seat staked on its option. */
  stake: z.number().min(0).max(1),
  /** How much its purse would grow, as a natural logarithm: its log score against the price. */
  ifRight: z.number(),
  ifWrong: z.number(),
})
export type Stake = z.infer<typeof stakeSchema>

export const figuresSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('quartiles'), low: z.number(), median: z.number(), high: z.number() }),
  z.object({
    kind: z.literal('shares'),
    shares: z.array(z.object({ position: text, share: z.number().min(0).max(1) })).max(mostSeats),
  }),
  z.object({
    kind: z.literal('places'),
    places: z.array(z.object({ option: text, median: z.number() })).max(mostSeats),
  }),
  z.object({
    kind: z.literal('prices'),
    prices: z.array(z.object({ option: text, price: z.number().min(0).max(1) })).max(mostSeats),
    stakes: z.array(stakeSchema).max(mostSeats),
  }),
])
export type Figures = z.infer<typeof figuresSchema>
