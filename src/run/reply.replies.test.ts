import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { table } from '../../test/contracts/core-testing.ts'
import { type Answer, askedQuestionSchema, type Format, type Question } from '../core/question.ts'
import { type Finished, replyOutcome } from './reply.ts'
import { readAnswer } from './seat.ts'

interface Line {
  readonly id: string
  readonly format: Format
  readonly question: Partial<Question>
  readonly reply: string
  readonly finish?: Finished['finish']
  readonly before?: Partial<Answer>
  /** Fields of the answer, null if a field must be absent; or what becomes of the reply. */
  readonly reading: 'ask-again' | 'declined' | 'refused' | Readonly<Record<string, unknown>>
}

const lines = readFileSync(new URL('../../test/replies/replies.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as Line)

const questionIn = ({ format, question }: Line) =>
  askedQuestionSchema.safeParse({ text: 'What is it?', format, ...question })

/** What the runtime makes of a reply, in the words of the data. */
const readingOf = (line: Line): Line['reading'] => {
  const { success, data: question } = questionIn(line)
  if (!success) return 'refused'
  if (line.reading === 'refused') return {}
  const opened = table({ seats: 1, question })
  const { session } = line.before ? opened.round(0, [line.before]).round(1, []) : opened.round(0, [])
  const outcome = replyOutcome({ text: line.reply, finish: line.finish ?? 'stop' }, raw =>
    readAnswer(raw, session, line.before ? 1 : 0, 's1'),
  )
  if ('error' in outcome) return 'ask-again'
  if ('words' in outcome) return 'declined'
  if (typeof line.reading === 'string') return outcome.value
  const answer: Readonly<Record<string, unknown>> = { ...outcome.value }
  return Object.fromEntries(Object.keys(line.reading).map(field => [field, answer[field] ?? null]))
}

describe.each(Object.entries(Object.groupBy(lines, ({ format }) => format)))('%s', (_, ofFormat = []) => {
  test('[R54] every reply is read as a careful human reads it', () => {
    const wrong = ofFormat.flatMap(line => {
      const found = readingOf(line)
      return JSON.stringify(found) === JSON.stringify(line.reading) ? [] : [{ ...line, found }]
    })
    expect(wrong).toEqual([])
  })
})

test('[R54] the replies are many, and each has an id of its own', () => {
  expect(lines.length).toBeGreaterThan(600)
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length)
})
