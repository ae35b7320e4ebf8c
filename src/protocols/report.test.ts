import { describe, expect, test } from 'vitest'
import {
  questionOf,
  type Said,
  silent,
  type TestLog,
  table,
  yesOrNo,
} from '../../test/contracts/core-testing.ts'
import type { Report } from '../core/event.ts'
import { moderatorStep } from './index.ts'

const command = { type: 'write-report' } as const
const { step } = moderatorStep(command)

const told = ({ session }: TestLog): string => step.prompt(session, command).user.join('\n')
const read = ({ session }: TestLog, reply: object): { report?: Report; problem?: string } =>
  step.read(reply, session, command) as { report?: Report; problem?: string }

const yes = (reasoning: string, more: Partial<Exclude<Said, string | number>> = {}): Said => ({
  headline: 'Yes',
  choice: 'Yes',
  reasoning,
  ...more,
})
const no = (reasoning: string): Said => ({ headline: 'No', choice: 'No', reasoning })

const carries = 'It carries twelve tonnes, and 34 % of the lorries are heavier than the old one allows.'
const floods = 'The river floods every spring, so the piers would not last.'

const sealed = table({ seats: 4, question: yesOrNo, language: 'en' }).round(0, [
  yes(carries),
  yes('The ferry is slow.'),
  no(floods),
  no('The budget of 1,200,000 is spent.'),
])
/** Seat D is moved by Seat A, and Seat B concedes a point of Seat C. */
const moved = sealed.round(1, [
  yes(carries),
  yes('The ferry is slow.', {
    decision: 'conceded',
    credit: { seat: 's3', quote: 'The river floods every spring', verified: true },
  }),
  no(floods),
  yes('So it is cheaper in the end.', {
    decision: 'changed',
    reason: "a peer's point",
    credit: { seat: 's1', quote: 'It carries twelve tonnes', verified: true },
  }),
])

const reply = {
  reasons: [
    { seat: 'A', quote: 'It carries twelve tonnes', reason: 'The new bridge bears what the old one can’t.' },
    { seat: null, quote: null, reason: 'The ferry is no way out.' },
  ],
  moved: 'Seat A moved Seat D, and Seat B conceded the floods.',
  counterpoint: {
    seat: 'Seat C',
    quote: 'The river floods every spring',
    point: 'The piers would not last.',
  },
  open: 'Who pays for the piers.',
  unverified: 'How many lorries are too heavy.',
  settle: 'A survey of the river bed.',
  answer: 'Yes, build it.',
}

describe('the parts of a report', () => {
  test('[E15] a report has the answer, its reasons with words that are looked up, who moved whom, and what is left', () => {
    expect(read(moved, reply).report).toEqual({
      answer: 'Yes, build it.',
      summary:
        '- The new bridge bears what the old one can’t. (GLM 4.7: “It carries twelve tonnes”)\n- The ferry is no way out.\n\nGLM 4.7 moved Claude Sonnet 4.6, and Gemini 3.5 Flash conceded the floods.',
      reasons: [
        {
          reason: 'The new bridge bears what the old one can’t.',
          seat: 's1',
          quote: 'It carries twelve tonnes',
        },
        { reason: 'The ferry is no way out.' },
      ],
      moved: 'GLM 4.7 moved Claude Sonnet 4.6, and Gemini 3.5 Flash conceded the floods.',
      counterpoint: 'Grok 4.20: The piers would not last. (“The river floods every spring”)',
      open: 'Who pays for the piers.',
      unverified: 'How many lorries are too heavy.',
      settle: 'A survey of the river bed.',
    })
  })

  test('[E15] what there is nothing to say about is left out', () => {
    const bare = { ...reply, moved: 'None.', counterpoint: null, open: null, unverified: 'N/A', settle: ' ' }
    expect(Object.keys(read(moved, bare).report ?? {})).toEqual(['answer', 'summary', 'reasons'])
  })

  test('[E15] nobody is told to have stayed if nobody moved', () => {
    const still = { ...reply, moved: 'Each seat stayed where it was.', counterpoint: null }
    expect(read(sealed, still).report).not.toHaveProperty('moved')
    expect(told(sealed)).toContain('set moved to null')
    expect(told(moved)).toContain('In moved, say who changed its mind')
  })

  test('[E15] the answer comes last in the form', () => {
    const { shape } = step.prompt(moved.session, command)
    expect(Object.keys(shape.json.properties as object)).toEqual([
      'reasons',
      'moved',
      'counterpoint',
      'open',
      'unverified',
      'settle',
      'answer',
    ])
  })

  test('[E15] dissent allows a counterpoint, and forces none', () => {
    expect(told(moved)).toContain('or null if it says nothing against the leading position')
    expect(read(moved, { ...reply, counterpoint: null }).report).not.toHaveProperty('counterpoint')
  })
})

describe('what the moderator reads', () => {
  const long = `${'The pier stands on gravel. '.repeat(100)}That is the end of it.`

  test('[E16] the objections, and what moved each seat: a peer’s words, or the reason that it gave', () => {
    const log = table({ seats: 2 })
      .round(0, ['Build it', 'Wait'])
      .and({ type: 'challenge-made', round: 0, objection: 'The ground is soft.' })
      .round(1, [
        { headline: 'Build it on piles', decision: 'narrowed', reason: 'the objection' },
        {
          headline: 'Wait',
          decision: 'conceded',
          reason: "a peer's point",
          credit: { seat: 's1', quote: 'Build it', verified: true },
        },
      ])
    const text = told(log)
    expect(text).toContain('"objection":"The ground is soft."')
    expect(text).toContain('{"narrowed":"Seat A","reason":"the objection"}')
    expect(text).toContain(
      '{"conceded":"Seat B","reason":"a peer\'s point","because":"Seat A","words":"Build it"}',
    )
  })

  test('[E16] whole answers, with value, reading, range, points, and how they began', () => {
    const question = questionOf({ format: 'number', unit: 'km' })
    const log = table({ seats: 2, question })
      .round(0, [
        { headline: 'It is 5 km', number: 5, reasoning: long, reading: 'By road.' },
        { headline: 'It is 9 km', number: 9 },
      ])
      .round(1, [
        {
          headline: 'It is 6 km',
          number: 6,
          low: 4,
          high: 8,
          reading: 'By road.',
          reasoning: long,
          points: [
            {
              seat: 's2',
              quote: 'It is 9 km',
              verified: true,
              judgement: 'cannot be checked',
              why: 'No map.',
            },
          ],
          wouldChangeMind: 'A map.',
        },
        { headline: 'It is 9 km', number: 9 },
      ])
    const text = told(log)
    expect(text).toContain('That is the end of it.')
    for (const part of [
      '"reads":"By road."',
      '"value":"6 km"',
      '"from":4,"to":8',
      '"judgement":"cannot be checked"',
      '"wouldChangeMind":"A map."',
      '"atFirst":"It is 5 km"',
    ])
      expect(text).toContain(part)
  })

  test('[E16] who conceded what is listed with the words that did it', () => {
    expect(told(moved)).toContain(
      '{"conceded":"Seat B","because":"Seat C","words":"The river floods every spring"}',
    )
  })

  test('[E16] of a large table as many whole answers as there is room for, some of each camp, and the digest', () => {
    const seats = 60
    const said = Array.from({ length: seats }, (_, index): Said => (index === 59 ? no(long) : yes(long)))
    const log = table({ seats, question: yesOrNo }).round(0, said)
    const text = told(log)
    expect(text.length).toBeLessThan(60_000)
    expect(text.split('That is the end of it.').length - 1).toBeGreaterThan(10)
    expect(text).toContain('"seat":"Seat BH"')
    expect(text).toMatch(/"leftOut":\d+/)
    expect(text).not.toContain('[cut]')
    const summed = log.and({
      type: 'digest-written',
      round: 0,
      by: 'moderator',
      digest: { positions: [{ position: 'Gravel bears it', arguments: [] }] },
    })
    expect(told(summed)).toContain('Gravel bears it')
  })
})

describe('what isn’t there', () => {
  const withReason = (reason: string, held = {}) => ({
    ...reply,
    reasons: [{ seat: null, quote: null, reason, ...held }],
  })

  test('[E17] a figure that no seat gave is turned down, and the moderator is told which', () => {
    expect(read(moved, withReason('35 % of the lorries are too heavy.')).problem).toContain('the figure 35 %')
    expect(read(moved, withReason('34 % of the lorries are too heavy.')).report).toBeDefined()
  })

  test('[E18] words that the named seat didn’t write are turned down', () => {
    const words = 'The river floods every spring'
    expect(read(moved, withReason('It floods.', { seat: 'A', quote: words })).problem).toContain(
      "aren't in the answers of Seat A",
    )
    expect(read(moved, withReason('It floods.', { seat: 'Z', quote: words })).problem).toContain(
      'there is no seat "Z"',
    )
    expect(read(moved, withReason('It floods.', { seat: 'C', quote: words })).report).toBeDefined()
  })

  test('[E18] a point is attributed to a seat only with words of that seat', () => {
    const silentOn = table({ seats: 3, question: yesOrNo }).round(0, [
      yes(carries),
      yes('The ferry is slow.'),
      no(floods),
    ])
    const claim = { ...withReason('Seat B argues that the ferry is a danger.'), moved: null }
    expect(read(silentOn, claim).problem).toContain('no words of Seat B are quoted')
    const proven = [
      { ...claim, open: 'Seat B wrote “The ferry is slow”, which is short.' },
      { ...claim, reasons: [{ ...claim.reasons[0], seat: 'B', quote: 'The ferry is slow' }] },
    ]
    for (const one of proven) expect(read(silentOn, one).report).toBeDefined()
  })

  test('[E19] who moved whom must be in the ledger', () => {
    expect(read(moved, { ...reply, moved: 'Seat C moved Seat D.' }).problem).toContain(
      'Seat D credits Seat A',
    )
    expect(read(sealed, { ...reply, moved: 'Seat A moved Seat D.' }).problem).toContain(
      'no such credit stands',
    )
  })

  test('[E19] a seat that was silent has no words', () => {
    const log = table({ seats: 3, question: yesOrNo }).round(0, [yes(carries), yes('So.'), silent()])
    const held = { seat: 'C', quote: 'The river floods every spring' }
    expect(read(log, { ...withReason('Seat C argued that it floods.'), moved: null }).problem).toContain(
      'Seat C gave no answer',
    )
    expect(read(log, { ...withReason('It floods.', held), moved: null }).problem).toContain('of Seat C')
  })
})
