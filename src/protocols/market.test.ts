import { expect, test } from 'vitest'
import { questionOf, type Said, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { type Played, play } from '../../test/contracts/protocols-testing.ts'
import type { Kind } from '../core/form.ts'
import { latestRound, type Session } from '../core/session.ts'
import { market } from './market.ts'

type Bet = readonly [choice: string, confidence: number]

const course = (rounds: readonly (readonly Bet[])[], limit = 4, question = yesOrNo): Played =>
  play(market(), table({ seats: rounds[0]!.length, question, rounds: limit, protocol: 'market' }), {
    said(seat, round): Said {
      const bets = rounds[Math.min(round, rounds.length - 1)]!
      const [choice, confidence] = bets[Number(seat.slice(1)) - 1]!
      return { choice, confidence, headline: choice }
    },
  })

const one: readonly Bet[] = [
  ['Yes', 0.9],
  ['Yes', 0.7],
  ['No', 0.6],
]
const other: readonly Bet[] = [
  ['Yes', 0.95],
  ['Yes', 0.9],
  ['Yes', 0.6],
]

test('[P44] seats see the prices of the round before, and prices are in the log', () => {
  const played = course([one, other])
  const { prompt } = played.prompts.find(
    ({ command }) => command.type === 'ask-seat' && command.round === 1 && command.seat === 's3',
  )!
  expect(prompt.user.join('\n')).toContain('{"prices":{"Yes":0.67,"No":0.33}}')
  expect(prompt.user.join('\n')).not.toMatch(/0\.9|0\.7/)
  const { roundsSoFar } = played.log.session
  expect(roundsSoFar[1]?.digest?.figures).toMatchObject({
    kind: 'prices',
    stakes: [{ seat: 's1', option: 'Yes', price: 0.666667 }, {}, {}],
  })
})

test('[P47] the market closes when no price moves, and at the round limit', () => {
  const talks = (played: Played): number => played.log.session.roundsSoFar.length - 1
  expect(talks(course([one, one]))).toBe(1)
  expect(talks(course([one, other, other]))).toBe(2)
  expect(talks(course([one, other, one, other, one]))).toBe(4)
  expect(talks(course([one, other, one], 1))).toBe(1)
  expect(talks(course([one], 0))).toBe(0)
})

test('[P75] an option that nobody chose has no price, and is shown as that', () => {
  const question = questionOf({ format: 'choice', options: ['Yes', 'No', 'Perhaps'] })
  const { prompts } = course([one, one], 1, question)
  const asked = prompts.find(({ command }) => command.type === 'ask-seat' && command.round === 1)!
  const text = asked.prompt.user.join('\n')
  expect(text).toContain('{"position":"Perhaps","note":"Nobody chose it."}')
  expect(text).not.toMatch(/"Perhaps":0/)
})

test('[P122] a seat is told its last stake, and what the rest of 1 is', () => {
  const { prompts } = course([one, other, other])
  const asked = (round: number): string =>
    prompts
      .find(({ command }) => command.type === 'ask-seat' && command.round === round && command.seat === 's1')!
      .prompt.user.join('\n')
  expect(asked(1)).toContain('Your confidence is your stake (it was 0.9):')
  expect(asked(2)).toContain('Your confidence is your stake (it was 0.95):')
  expect(asked(1)).not.toContain('lack to 1')
  expect(asked(2)).toContain('What they lack to 1 is the price of the option that nobody chose.')
})

test('[P121] who came to a side speaks for it first, and a table of one side is asked what it may have missed', () => {
  const { prompts } = course([one, other, other])
  const asked = (seat: string) =>
    prompts.find(
      ({ command }) => command.type === 'ask-seat' && command.round === 2 && command.seat === seat,
    )!
  for (const seat of ['s1', 's2'])
    expect(asked(seat).prompt.user.join('\n')).toContain('"position":"Yes","seat":"C"')
  expect(asked('s3').prompt.user.join('\n')).not.toContain('"seat":"C"')
  expect(asked('s1').prompt.user.join('\n')).toContain('If you all agree')
})

test('[P77] if nothing settles the question, seats see shares and arguments, and no purse', () => {
  const log = table({ seats: 3, question: yesOrNo, rounds: 2, protocol: 'market' }).round(0, [
    'Yes',
    'Yes',
    'No',
  ])
  const asked = (kind: Kind | undefined) => {
    const session: Session = { ...log.session, kind }
    const round = latestRound(session)!
    const digest = market().digest!(session, round)
    const told = { ...session, roundsSoFar: [{ ...round, digest }] }
    return { digest, text: market().prompt(told, 's3', 1).user.join('\n') }
  }
  for (const kind of ['taste', 'judgement', 'text'] as const) {
    const { digest, text } = asked(kind)
    expect(digest.figures?.kind).toBe('shares')
    expect(text).toMatch(/"position":"Yes","seats":"2 of 3"/)
    expect(text).not.toMatch(/purse|stake|price|how right/i)
  }
  for (const kind of [undefined, 'fact', 'estimate'] as const) expect(asked(kind).text).toMatch(/purse/)
})
