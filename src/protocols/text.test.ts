import { describe, expect, test } from 'vitest'
import { questionOf, type Said, silent, type TestLog, table } from '../../test/contracts/core-testing.ts'
import { play } from '../../test/contracts/protocols-testing.ts'
import { replyShape } from '../core/form.ts'
import type { Point } from '../core/question.ts'
import { readReply } from '../core/reply.ts'
import { rightCamps } from '../count/moves.ts'
import { influenceOf, verdictOf } from '../count/verdict.ts'
import { importedLevel } from '../count/verdict-line.ts'
import { plainReport } from '../report/report.ts'
import { protocolNamed } from './index.ts'
import { report } from './report.ts'

const letters = questionOf({ text: 'Write a letter to your successor.', format: 'text', length: 300 })

const wrote = (text: string, more: object = {}): Said => ({
  headline: `It says: ${text.slice(0, 12)}`,
  reasoning: 'A letter should be plain.',
  confidence: null,
  text,
  ...more,
})

const point = (seat: string, quote: string): Point => ({
  seat,
  quote,
  verified: true,
  judgement: 'does not work',
  why: 'It is too cold.',
})

const first: readonly Said[] = [
  wrote('Dear successor, keep a diary of every mistake you make.'),
  wrote('Hello. The kindest thing is to ask one more question.'),
  wrote('To whoever comes next: doubt the benchmark, trust the reader.'),
]

/** The second seat rewrites its text, and the third comments on the first, and on what the second gave up. */
const twoRounds = (): TestLog =>
  table({ seats: 3, question: letters, prompts: 2 })
    .round(0, first)
    .round(1, [
      first[0]!,
      wrote('Hello. The kindest thing is to listen, and then to ask.'),
      {
        ...(first[2] as object),
        points: [point('s1', 'keep a diary of every mistake'), point('s2', 'to ask one more question')],
      },
    ])

describe('the verdict on texts', () => {
  test('[V63] texts are no vote: no level, no leader, no dissent, no rule, and the line says what there is', () => {
    const { session } = twoRounds()
    const verdict = verdictOf(session)
    expect(verdict).toMatchObject({
      level: null,
      agree: 0,
      leading: null,
      dissent: [],
      flips: 0,
      rule: null,
      asides: [],
      flags: [],
      line: '3 texts; 1 was rewritten after reading the others',
    })
    expect(verdict.final).toMatchObject({ level: null, camps: [], answered: 3 })
    expect(influenceOf(session)).toEqual({ moved: [], granted: [], pull: [] })
    expect(importedLevel(verdict.line, 3)).toEqual({ level: null, agree: 0 })
    expect(verdictOf(table({ seats: 3, question: letters }).round(0, first).session).line).toBe('3 texts')
    expect(() => rightCamps(session, 'none')).toThrow('neither right nor wrong')
  })

  test('[V63] too few texts are no quorum, and a silent seat is named', () => {
    const log = (said: readonly Said[]) => table({ seats: 3, question: letters }).round(0, said).session
    expect(verdictOf(log([first[0]!, silent(), silent()])).level).toBe('no-quorum')
    expect(verdictOf(log([first[0]!, first[1]!, silent()])).line).toMatch(/^2 texts; Grok 4\.20 was silent/)
  })

  test('[V64] camps of texts are made only if the asker wants them, and are still no vote', () => {
    const question = questionOf({ ...letters, camps: 'intent' })
    const log = table({ seats: 3, question }).round(0, first).labels(0, ['care', 'care', 'doubt']).settle()
    const verdict = verdictOf(log.session)
    expect(verdict.final?.camps.map(camp => camp.seats.length)).toEqual([2, 1])
    expect(verdict).toMatchObject({ level: null, leading: null, line: '3 texts in 2 camps by intent' })
  })

  test('[E30] code lists what each text says', () => {
    expect(plainReport(twoRounds().session)).toEqual({
      answer: '3 models wrote a text each.',
      summary: expect.stringContaining('- Gemini 3.5 Flash: It says: Hello. The k'),
    })
  })
})

describe('the form and the reply', () => {
  const keys = (open: boolean) => Object.keys(replyShape(letters, open).json.properties as object)

  test('[Q70] a text has a field of its own, after what it should do, and no confidence', () => {
    expect(keys(false)).toEqual(['reading', 'reasoning', 'declines', 'text', 'headline'])
    expect(keys(true)).toEqual([
      'points',
      'reasoning',
      'decision',
      'reason',
      'because',
      'declines',
      'text',
      'headline',
    ])
    expect(JSON.stringify(replyShape(letters, false).json)).toContain('about 300 words')
    expect(JSON.stringify(replyShape(questionOf({ format: 'text' }), false).json)).toContain(
      'about 400 words',
    )
  })

  test('[Q71] a text that is kept needn’t be written again; one that is missing is a problem', () => {
    const before = { headline: 'A', reasoning: '', confidence: null, language: null, text: 'Dear you.' }
    const kept = { reasoning: 'It stands.', decision: 'kept', text: null, headline: 'Dear you' }
    expect(readReply(kept, letters, true, before)).toMatchObject({ ok: true, answer: { text: 'Dear you.' } })
    for (const raw of [
      { ...kept, decision: 'changed' },
      { headline: 'x', text: ' ' },
    ])
      expect(readReply(raw, letters, true, before)).toEqual({ ok: false, problem: 'text is missing' })
    expect(readReply(kept, letters, false)).toMatchObject({ ok: false })
  })

  test('[Q71] a text without a headline is called by its first sentence', () => {
    expect(readReply({ text: 'Dear successor. Be kind.' }, letters, false)).toMatchObject({
      answer: { headline: 'Dear successor.', confidence: null },
    })
  })
})

describe('the rounds of texts', () => {
  const promptOf = (log: TestLog, seat: string, round: number): string =>
    protocolNamed('hybrid').prompt(log.session, seat, round).user.join('\n')

  test('[P84] seats read the others’ whole texts, never their own among them, and the comments on theirs', () => {
    const log = twoRounds()
    const seen = promptOf(log, 's1', 2)
    expect(seen).toContain('to listen, and then to ask')
    expect(seen.split('Your own text so far')[0]).not.toContain('keep a diary')
    expect(seen.split('comments of others on words that still stand')[1]).toContain('It is too cold.')
    expect(promptOf(log, 's2', 2)).not.toContain('It is too cold.')
    expect(promptOf(log, 's1', 0)).not.toContain('Read the texts')
  })

  test('[P84] a letter may say who writes it: only names of models are kept out while names are hidden', () => {
    const system = (names: 'hidden' | 'shown') =>
      protocolNamed('poll').prompt(table({ question: letters, names }).session, 's1', 0).system
    expect(system('hidden')).toContain('name neither your model nor its maker')
    expect(system('shown')).not.toContain('maker')
    for (const text of [system('hidden'), system('shown')]) expect(text).not.toContain('who or what you are')
  })

  test('[P85] no call compares, sums up or challenges texts, and the table stops when nobody rewrites', () => {
    const course = (texts: (seat: string, round: number) => string) =>
      play(protocolNamed('hybrid'), table({ seats: 3, rounds: 3, question: letters }), {
        said: (seat, round) => wrote(texts(seat, round)),
      }).commands.map(({ type }) => type)
    const stubborn = course(seat => `The text of ${seat}.`)
    expect([...new Set(stubborn)]).toEqual(['open-round', 'ask-seat', 'write-report', 'finish'])
    expect(stubborn.filter(type => type === 'open-round')).toHaveLength(2)
    const restless = course((seat, round) => `The text of ${seat}, version ${round}.`)
    expect(restless.filter(type => type === 'open-round')).toHaveLength(4)
  })

  test('[P86] a seat of a large table reads as many whole texts as fit', () => {
    const long = 'word '.repeat(2_900)
    const said = Array.from({ length: 30 }, (_, seat) => wrote(`${long}${seat}.`))
    const log = table({ seats: 30, question: questionOf({ ...letters, length: 3_000 }) }).round(0, said)
    const lines = promptOf(log, 's1', 1)
      .split('\n')
      .filter(line => line.startsWith('{"seat"'))
    expect(lines).toHaveLength(4)
    for (const line of lines) expect(line).not.toContain('[cut]')
  })

  test('[P86] room for the reply follows the length of the text', () => {
    const room = (length: number) =>
      protocolNamed('poll').prompt(table({ question: questionOf({ ...letters, length }) }).session, 's1', 0)
        .longerBy
    expect([room(20), room(3_000)]).toEqual([40, 6_000])
  })
})

describe('the moderator’s report on texts', () => {
  const { session } = twoRounds()
  const each = [
    { seat: 'A', only: 'It asks for a diary.', quote: 'keep a diary of every mistake' },
    { seat: 'Seat B', only: 'It wants to listen, unlike Seat A.', quote: 'to listen, and then to ask' },
    { seat: 'C', only: 'It warns of benchmarks.', quote: 'doubt the benchmark' },
  ]
  const read = (raw: object) => report.read(raw, session, { type: 'write-report' })

  test('[E31] it draws the common thread, and says with their own words what each text has that no other has', () => {
    expect(read({ common: 'All of them care.', each })).toMatchObject({
      type: 'report-written',
      report: {
        answer: 'All of them care.',
        summary: expect.stringContaining(
          '- Gemini 3.5 Flash: It wants to listen, unlike GLM 4.7. “to listen, and then to ask”',
        ),
      },
    })
    const asked = report.prompt(session, { type: 'write-report' }).user.join('\n')
    expect(asked).toContain('Dear successor, keep a diary')
    expect(asked).toContain('"rewritten":["Seat B"]')
  })

  test('[E31] words that a text doesn’t have, or that two have, and a text left out, turn the report down', () => {
    const problem = (change: object, index = 0) =>
      read({ common: 'x', each: each.map((one, at) => (at === index ? { ...one, ...change } : one)) })
    expect(problem({ quote: 'nobody wrote these words' })).toMatchObject({
      problem: expect.stringContaining('did not write'),
    })
    expect(problem({ seat: 'Z' })).toMatchObject({ problem: expect.stringContaining('no text of seat "Z"') })
    expect(problem({ seat: 'B' })).toMatchObject({ problem: expect.stringContaining('did not write') })
    expect(read({ common: 'x', each: each.slice(1) })).toMatchObject({ problem: 'each lacks seat A' })
    expect(read({ common: 'x', each: Array(3_000).fill(each[0]) })).toEqual({
      problem: 'each has more entries than there are texts',
    })
    expect(read({ common: ' ', each })).toMatchObject({ problem: 'common or each is missing' })
    const twins = table({ seats: 2, question: letters }).round(0, [first[0]!, first[0]!]).session
    const both = { common: 'x', each: ['A', 'B'].map(seat => ({ ...each[0]!, seat })) }
    expect(report.read(both, twins, { type: 'write-report' })).toMatchObject({
      problem: expect.stringContaining('also wrote'),
    })
  })
})
