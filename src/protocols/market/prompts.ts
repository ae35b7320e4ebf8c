/** What a seat is asked when it sees prices: its confidence is its stake. */
import { answerBefore, roundAt, type Session } from '../../core/log/state.ts'
import { canBeSettled } from '../../core/question/kind.ts'
import { sharesIn, sideLines, unchosenIn, whatLettersAre } from '../argument-per-side.ts'
import { figuresPrompt } from '../open-round-prompt.ts'
import type { Prompt } from '../protocol.ts'

const whatPricesAre = (unchosen: number): string[] => [
  'Between the marks stand the prices of the options that somebody chose, and for each an argument from another seat, if',
  'there is one. A price, from 0 to 1, is what the group would pay for 1 if that option is right.',
  ...(unchosen === 1 ? ['What they lack to 1 is the price of the option that nobody chose.'] : []),
  ...(unchosen > 1 ? ['What they lack to 1 is left for the options that nobody chose.'] : []),
]

/** A stake is weighed against the last one. */
const lastStake = (session: Session, seat: string, round: number): string => {
  const confidence = answerBefore(session, round, seat)?.confidence
  return confidence === undefined ? '' : ` (it was ${confidence})`
}

const howStakesWork = (last: string): string[] => [
  `Your confidence is your stake${last}: at a price below it you buy, the more the further below, and your purse grows or`,
  'shrinks by the logarithm of how right you were. Nothing pays better than to say what you really believe; a price',
  'is not a reason to change your answer.',
]

const whatSharesAre = [
  'Between the marks stands how many chose each option, you among them, and for each an argument from another seat, if',
  'there is one. Nothing will settle this question for everybody: what counts is which arguments you find good. How many',
  'hold one is not an argument.',
]

export const stakePrompt = (session: Session, seat: string, round: number): Prompt => {
  const last = roundAt(session, round - 1)
  const figures = last?.digest?.figures
  if (!canBeSettled(session) || figures?.kind !== 'prices') {
    const positions = sideLines(session, last, seat, sharesIn(session, last))
    return figuresPrompt(session, seat, round, { positions }, [...whatSharesAre, ...whatLettersAre(session)])
  }
  const unchosen = last ? unchosenIn(session, last) : []
  const prices = figures.prices.filter(({ option }) => !unchosen.includes(option))
  const positions = sideLines(session, last, seat, () => ({}))
  const whole = [
    JSON.stringify({
      prices: Object.fromEntries(prices.map(({ option, price }) => [option, Number(price.toFixed(2))])),
    }),
  ]
  return figuresPrompt(session, seat, round, { whole, positions }, [
    ...whatPricesAre(unchosen.length),
    ...howStakesWork(lastStake(session, seat, round)),
    ...whatLettersAre(session),
  ])
}
