/** What a seat is asked when it sees prices: its confidence is its stake. */
import { roundAt, type Session } from '../../core/log/state.ts'
import { sideLines } from '../argument-per-side.ts'
import { figuresPrompt } from '../open-round-prompt.ts'
import type { Prompt } from '../protocol.ts'

/** Tokens of a price for each option, and one argument for each that somebody chose. */
export const marketTokens = 400

export const stakePrompt = (session: Session, seat: string, round: number): Prompt => {
  const digest = roundAt(session, round - 1)?.digest
  const figures = digest?.figures
  const prices = figures?.kind === 'prices' ? figures.prices : []
  const whole = [
    JSON.stringify({
      prices: Object.fromEntries(prices.map(({ option, price }) => [option, Number(price.toFixed(2))])),
    }),
  ]
  return figuresPrompt(session, seat, round, { whole, positions: sideLines(session, digest) }, [
    'Between the marks stand a price from 0 to 1 for each option, which is what the group would pay for 1 if that',
    'option is right, and one argument for each option that somebody chose.',
    'Your confidence is your stake: at a price below it you buy, the more the further below, and your purse grows or',
    'shrinks by the logarithm of how right you were. Nothing pays better than to say what you really believe; a price',
    'is no reason to change your answer.',
  ])
}
