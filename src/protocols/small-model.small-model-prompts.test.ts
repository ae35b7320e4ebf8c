import { expect, test } from 'vitest'
import type { Happening, SessionEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { questionSchema } from '../core/question.ts'
import type { Session } from '../core/session.ts'
import { groupingOf } from '../count/settle.ts'
import { verdictOf } from '../count/verdict.ts'
import { hybrid } from './hybrid.ts'
import { moderatorStep } from './index.ts'
import { sealedPrompt } from './prompt.ts'

const brief = 'Think of what could go wrong.'
const opened = (question: object): Happening => ({
  ...{ type: 'session-opened', id: 'x', names: 'hidden', language: 'en', seed: 'seed', deadline: 60 },
  question: questionSchema.parse(question),
  seats: ['A', 'B', 'C'].map((alias, index) => ({
    ...{ id: `s${index + 1}`, alias, name: `Tiny ${alias}`, model: 'house/tiny', small: true, brief },
  })),
  ...{ moderator: 'house/tiny', smallModerator: true, protocol: 'hybrid', rounds: 1 },
})
const session = (question: object, ...happenings: readonly Happening[]): Session =>
  fold(
    [opened(question), ...happenings].map(
      (happening, position): SessionEvent => ({ ...happening, position, at: '2026-01-01T00:00:00.000Z' }),
    ),
  )
const round = (index: number): Happening => ({ type: 'round-opened', round: index, sealed: index === 0 })
const said = (seat: string, headline: string): Happening => ({
  ...{ type: 'answer-given', round: 0, seat },
  answer: { headline, reasoning: `${headline} Tiny B would know.`, confidence: null, language: 'en' },
})
const checked = (seat: string, exemplar: string, relation: 'same' | 'different'): Happening => ({
  ...{ type: 'membership-checked', round: 0, seat, exemplar, relation },
})
const open = { text: 'What is best?', format: 'open' }
const answered = [round(0), said('s1', 'Tea.'), said('s2', 'Coffee.'), said('s3', 'Tea it is.')]
const next = (...more: readonly Happening[]) => hybrid().next(session(open, ...answered, ...more))

test.each([
  open,
  { text: 'Tea?', format: 'choice', options: ['Yes', 'No'] },
  { text: 'In which order?', format: 'ranking', options: ['Tea', 'Milk'] },
  { text: 'How many?', format: 'number', unit: 'cups' },
])('[D16] a small seat is asked in few words, and reasons first: $format', question => {
  const prompt = sealedPrompt(session(question), 's1')
  expect(prompt).toMatchSnapshot()
  const keys = Object.keys(prompt.shape.json.properties as object)
  expect(keys.slice(0, 2)).toEqual(['question', 'reasoning'])
})

test('[D16] a small seat reads the others between marks, masked, and its own last answer', () => {
  expect(hybrid().prompt(session(open, ...answered, round(1)), 's1', 1)).toMatchSnapshot()
})

test('[D39] a small seat that reads answers gets no example of another question, and no cut text', () => {
  const long = { ...said('s2', 'Coffee.') } as Happening & { type: 'answer-given' }
  const reasoning = `It wakes people up. It smells good ${'and warms '.repeat(30)}`
  const talkative = { ...long, answer: { ...long.answer, reasoning } }
  const { system, user } = hybrid().prompt(
    session(open, round(0), said('s1', 'Tea.'), talkative, said('s3', 'Tea it is.'), round(1)),
    's1',
    1,
  )
  expect(system).not.toContain('Example')
  expect(user.join('\n')).toContain(
    '{"question":"What is best?","reasoning":"It wakes people up.","conclusion":"Coffee."}',
  )
  const alone = session(open, round(0), said('s2', 'Coffee.'), round(1))
  expect(hybrid().prompt(alone, 's2', 1).system).not.toContain('Example')
  expect(hybrid().prompt(session(open, round(0), round(1)), 's2', 1).system).toContain('Example')
})

test('[D17] a headline is compared with one camp at a time', () => {
  expect(next()).toEqual([{ type: 'check-membership', round: 0, seat: 's2', exemplar: 's1@0' }])
  const different = checked('s2', 's1@0', 'different')
  expect(next(different)).toEqual([{ type: 'check-membership', round: 0, seat: 's3', exemplar: 's1@0' }])
  const all = session(open, ...answered, different, checked('s3', 's1@0', 'same'))
  expect(verdictOf(all).final?.camps.map(camp => camp.seats)).toEqual([['s1', 's3'], ['s2']])
})

test('[D40] headlines with the same wording need no check, and aren’t a change of mind', () => {
  const sealed = [
    said('s1', 'Close the whole centre to cars.'),
    said('s2', 'Tea.'),
    said('s3', 'Close the whole center to cars.'),
  ]
  const asked = { type: 'check-membership', round: 0, seat: 's2', exemplar: 's1@0' }
  expect(hybrid().next(session(open, round(0), ...sealed))).toEqual([asked])
  const grouped = [round(0), ...sealed, checked('s2', 's1@0', 'different')]
  const again = { ...said('s1', 'Close the whole town centre to cars.'), round: 1 } as Happening
  const later = ['s2', 's3'].map(seat => ({ ...said(seat, 'Tea.'), round: 1 }) as Happening)
  const state = session(open, ...grouped, round(1), again, ...later)
  expect(verdictOf(state).ledger.map(flip => flip.seat)).toEqual(['s3'])
})

test('[D40] headlines of one round with the same wording are one position, whatever was checked before', () => {
  const both = ['Open the whole small town to all cars.', 'Close the centre.', 'Keep it.']
  const sealed = both.map((headline, index) => said(`s${index + 1}`, headline))
  const different = [checked('s2', 's1@0', 'different'), checked('s3', 's1@0', 'different')]
  const apart = checked('s3', 's2@0', 'different')
  const exact = (index: number): Happening => ({ ...round(index), prompts: 5 }) as Happening
  const words = [
    'Put the heart of its community before everything.',
    'Nothing.',
    'Put the heart of the community before everything…',
  ]
  const later = words.map(
    (headline, index) => ({ ...said(`s${index + 1}`, headline), round: 1 }) as Happening,
  )
  const found = { ...checked('s1', 's1@0', 'same'), round: 1 } as Happening
  const state = session(open, exact(0), ...sealed, ...different, apart, exact(1), ...later, found)
  const { camps } = groupingOf(state, state.roundsSoFar[1]!)
  expect(camps.map(({ id, seats }) => [id, ...seats])).toEqual([['c1', 's1', 's3'], expect.anything()])
})

test('[D17] a small moderator says yes or no', () => {
  const { step } = moderatorStep({ type: 'check-membership', round: 0, seat: 's2', exemplar: 's1@0' })
  const command = { type: 'check-membership', round: 0, seat: 's2', exemplar: 's1@0' } as const
  const state = session(open, ...answered)
  expect(step.prompt(state, command)).toMatchSnapshot()
  expect(step.read({ same: 'yes' }, state, command)).toMatchObject({ relation: 'same' })
  expect(step.read({ same: 'no' }, state, command)).toMatchObject({ relation: 'different' })
  expect(step.read({ same: 'perhaps' }, state, command)).toHaveProperty('problem')
})

test('[D17] what a small moderator decided is marked, and it isn’t asked to object', () => {
  const agreed = ['s2', 's3'].map(seat => checked(seat, 's1@0', 'same'))
  expect(next(...agreed)).toEqual([{ type: 'write-report' }])
  expect(verdictOf(session(open, ...answered, ...agreed)).flags).toContain('low confidence')
})

test('[D18] small seats are marked', () => {
  const { flags } = verdictOf(session({ text: 'How many?', format: 'number' }, round(0)))
  expect(flags).toContain('demo-grade')
  expect(flags).not.toContain('low confidence')
})
