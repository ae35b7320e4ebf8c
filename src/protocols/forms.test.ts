import { describe, expect, test } from 'vitest'
import { questionOf, type Said, seatsOf, table } from '../../test/contracts/core-testing.ts'
import { play } from '../../test/contracts/protocols-testing.ts'
import type { Form, Shape } from '../core/form.ts'
import { type Format, formats } from '../core/question.ts'
import { moderatorStep, protocols } from './index.ts'
import type { Protocol } from './protocol.ts'

/** What a model settles on, in the keys of any form. */
const settles = new Set([
  ...['choice', 'ranking', 'number', 'low', 'high', 'text', 'headline', 'conclusion', 'confidence'],
  ...['decision', 'judgement', 'relation', 'same', 'side', 'says', 'objection', 'answer'],
])
/** What it settles that on: free text, or a list of points. */
const explains = new Set([
  ...[
    'reading',
    'points',
    'reasoning',
    'argument',
    'reason',
    'reasons',
    'why',
    'quote',
    'summary',
    'tried',
    'common',
  ],
])
/** Forms that sort words of others. What they settle is nested, one by one. */
const sorting = new Set(['digest', 'relations', 'readings'])
/** A very small moderator has to write both headlines before it compares them (decision 21). */
const repeating = new Set(['first', 'second'])

interface Schema {
  readonly type?: string
  readonly enum?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** A reason that is picked from a list explains nothing. */
const isPicked = ({ enum: words, anyOf = [] }: Schema): boolean => words !== undefined || anyOf.some(isPicked)

const isExplaining = (key: string, schema: Schema): boolean =>
  repeating.has(key) || (explains.has(key) && !isPicked(schema))

/** Whatever is wrong with the order of a form's keys, nested ones included. */
const wrongIn = (schema: Schema, at: string): string[] => {
  const entries = Object.entries(schema.properties ?? {})
  const places = (test: (key: string, one: Schema) => boolean): number[] =>
    entries.flatMap(([key, one], index) => (test(key, one) ? [index] : []))
  const settled = places(key => settles.has(key))
  const explained = places(isExplaining)
  const keys = entries.map(([key]) => key).join(', ')
  const nested = entries.flatMap(([key, one]) => wrongIn(one.items ?? one, `${at}.${key}`))
  // Some makers write the required keys first, in the order of that list.
  if (keys !== (schema.required ?? []).join(', ')) return [`${at} requires other keys: ${keys}`, ...nested]
  if (settled.length === 0) return nested
  if (explained.length === 0) return [`${at} has no reasoning: ${keys}`, ...nested]
  return Math.max(...explained) < Math.min(...settled) ? nested : [`${at} settles first: ${keys}`, ...nested]
}

const problemsOf = ({ name, json }: Shape): string[] => {
  const schema = json as Schema
  const known = Object.keys(schema.properties ?? {}).some(key => explains.has(key) || repeating.has(key))
  return known || sorting.has(name) ? wrongIn(schema, name) : [`${name}: which of its keys is its reasoning?`]
}

const questions: Readonly<Record<Format, ReturnType<typeof questionOf>>> = {
  open: questionOf(),
  choice: questionOf({ format: 'choice', options: ['Rail', 'Road'] }),
  ranking: questionOf({ format: 'ranking', options: ['Rail', 'Road'] }),
  number: questionOf({ format: 'number', unit: 'km' }),
  text: questionOf({ format: 'text' }),
}

/** The last of five seats thinks otherwise, so that there is somebody to argue with. */
const odd = (seat: string): boolean => seat === 's5'
const said: Readonly<Record<Format, (seat: string) => Said>> = {
  open: seat => (odd(seat) ? 'Road is best' : `Rail is best, says ${seat}`),
  choice: seat => (odd(seat) ? 'Road' : 'Rail'),
  ranking: seat => (odd(seat) ? ['Road', 'Rail'] : ['Rail', 'Road']),
  number: seat => (odd(seat) ? 400 : 100),
  text: seat => (odd(seat) ? 'A poem' : 'A letter'),
}

/** Every form that a session of this protocol hands out, by the command that it belongs to. */
const formsOf = (protocol: Protocol, format: Format, small: boolean, form?: Form): Map<string, Shape> => {
  const seats = seatsOf(5).map(seat => ({ ...seat, ...(small && { small }) }))
  const log = table({
    seats,
    question: questions[format],
    rounds: Math.min(1, protocol.rounds.most),
    protocol: protocol.id,
    ...(small && { smallModerator: true }),
    ...(form && { form }),
  })
  const { prompts } = play(protocol, log, { said: said[format] })
  return new Map(
    prompts.map(({ command, prompt }) => [
      `${command.type} ${'round' in command ? command.round : ''}`,
      prompt.shape,
    ]),
  )
}

describe.each(protocols.map(protocol => [protocol.id, protocol] as const))('%s', (_, protocol) => {
  test.each(protocol.formats ?? formats)(
    '[P79] every form for the format %s has the reasoning before what follows from it',
    format => {
      for (const small of [false, true]) {
        const found = formsOf(protocol, format, small)
        expect([...found.keys()]).toContain('ask-seat 0')
        for (const [command, shape] of found) expect([command, problemsOf(shape)]).toEqual([command, []])
      }
    },
  )

  test.each(protocol.formats ?? formats)('[Q17] asked answer first, seats do so; format %s', format => {
    for (const small of [false, true])
      for (const [command, shape] of formsOf(protocol, format, small, 'answer-first')) {
        if (!command.startsWith('ask-seat')) continue
        const keys = Object.keys(shape.json.properties as object).filter(key => key !== 'question')
        expect([command, keys[0]]).toEqual([command, keys.find(key => settles.has(key))])
      }
  })
})

test('[P79] every kind of command that asks a model is among the forms', () => {
  const asked = protocols.flatMap(protocol =>
    (protocol.formats ?? formats).flatMap(format => [...formsOf(protocol, format, false).keys()]),
  )
  const types = new Set(asked.map(key => key.split(' ')[0]))
  for (const type of [
    'ask-seat',
    'make-statement',
    'judge',
    'challenge',
    'check-memberships',
    'write-report',
  ])
    expect([...types]).toContain(type)
  const change = { type: 'check-change', round: 1, seat: 's1' } as const
  const { session } = table({ seats: 2 }).round(0, ['Build', 'Never']).round(1, ['Build', 'Build'])
  expect(problemsOf(moderatorStep(change).step.prompt(session, change).shape)).toEqual([])
})

test('[P79] a form that settles first, or gives no reasons, is found', () => {
  const form = (...keys: string[]): Shape => ({
    name: 'made',
    json: { properties: Object.fromEntries(keys.map(key => [key, { type: 'string' }])), required: keys },
  })
  expect(problemsOf(form('reasoning', 'headline'))).toEqual([])
  expect(problemsOf(form('headline', 'reasoning'))).toEqual(['made settles first: headline, reasoning'])
  expect(problemsOf(form('reasoning', 'choice', 'why'))).toHaveLength(1)
  expect(problemsOf(form('relation'))).toHaveLength(1)
  const { json } = form('reasoning', 'headline')
  expect(problemsOf({ name: 'made', json: { ...json, required: ['headline'] } })).toHaveLength(1)
})
