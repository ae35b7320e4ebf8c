/** What a seat is asked when it sees prices: its confidence is its stake. */
import { canBeSettled } from '../core/form.ts'
import { answerBefore, type Round, roundAt, type Session } from '../core/session.ts'
import { marketOf, priceShift, shiftBetween, statisticsOf } from '../count/group.ts'
import { figuresPrompt, sealedPrompt } from './prompt.ts'
import type { Prompt, Protocol } from './protocol.ts'
import { argumentsOf, sharesIn, sideLines, tokensPerRead, unchosenIn, whatLettersAre } from './statements.ts'
import { expectFigures, isKindOpen, untilStable } from './steps.ts'

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

// market: Seats stake their confidence at prices that they see. A purse from the track record decides how much it counts.

/** If no price moves by more than this, the market is stable. */
const stablePrice = 0.02

/** Without prices, the part of the group that may still move. */
const stableShift = 0.05

const isStable = (session: Session, round: Round): boolean => {
  const before = roundAt(session, round.index - 1)
  if (round.sealed || !before) return false
  return canBeSettled(session)
    ? priceShift(session, round) <= stablePrice
    : shiftBetween(session, before, round) <= stableShift
}

export const market = (): Protocol => ({
  id: 'market',
  label: 'Market',
  summary: 'Seats bet on the options with their confidence and see the prices, until no price moves.',
  rounds: { usual: 2, most: 4 },
  stopsEarly: true,
  formats: ['choice'],
  tellsFigures: true,
  next(session) {
    const commands = untilStable(session, isStable)
    // What the seats are shown depends on the kind of question, so the first open round waits for it.
    const waits = commands.some(({ type }) => type === 'write-digest') && isKindOpen(session)
    return waits ? [] : commands
  },
  prompt: (session, seat, round) =>
    round === 0 ? sealedPrompt(session, seat) : stakePrompt(session, seat, round),
  digest: (session, round) => ({
    positions: argumentsOf(session, round),
    figures: canBeSettled(session) ? marketOf(session, round) : statisticsOf(session, round),
  }),
  expect: load => expectFigures(load, tokensPerRead(load.answer)),
})
