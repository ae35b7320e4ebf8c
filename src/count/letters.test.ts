import { expect, test } from 'vitest'
import { questionOf, type Said, silent, table } from '../../test/contracts/core-testing.ts'
import type { Point } from '../core/question.ts'
import { bookTitle, letterNote } from '../words/story.ts'
import { lettersIn, lettersReadBy, lettersToHandOn } from './letters.ts'

const task = questionOf({ text: 'Write a letter to your successor.', format: 'text' })
const wrote = (text: string, more: object = {}): Said => ({
  headline: `It says ${text}`,
  reasoning: `It should say ${text}`,
  confidence: null,
  text,
  ...more,
})
const took = (seat: string, quote: string): Point => ({
  ...{ seat, quote, verified: true, judgement: 'works', moved: true },
  why: `Because of ${quote}`,
})

/** The third seat is quoted most; the second rewrites its letter because of the third's. */
const book = () =>
  table({ seats: 4, question: task, book: {} })
    .round(0, [wrote('apples'), wrote('pears'), wrote('plums'), silent()])
    .round(1, [
      wrote('apples', { points: [{ ...took('s3', 'plums'), moved: undefined }] }),
      wrote('pears and plums', { points: [took('s3', 'plums')], decision: 'changed' }),
      wrote('plums', { decision: 'kept' }),
      silent('bad-shape'),
    ])
    .and(
      {
        type: 'report-written',
        by: 'moderator',
        report: { answer: 'All are about plums.', summary: '- apples' },
        rejected: ['apples'],
      },
      { type: 'session-finished', outcome: 'verdict' },
    )

test('[Q260] has the last version of each letter, and the reading order puts a letter after those it draws on', () => {
  const letters = lettersIn(book().session)
  expect(letters.map(({ seat, text }) => [seat, text])).toEqual([
    ['s3', 'plums'],
    ['s1', 'apples'],
    ['s2', 'pears and plums'],
  ])
  expect(letters[2]).toMatchObject({ rewritten: true, drawsOn: ['s3'] })
  expect(letterNote(letters[2]!, seat => seat)).toBe('Rewritten after reading the others; draws on s3')
  expect(bookTitle(book().session)).toBe('Letters of Jan 2, 2026')
})

test('[Q262] a seat read the letters that it was given', () => {
  const given = lettersToHandOn(book().session)
  expect(given[0]).toMatchObject({ text: 'plums', from: 'Grok 4.20' })
  const { session } = table({ letters: { given, bySeat: { s1: [given[1]!.id] } } })
  expect(lettersReadBy(session, 's1')).toEqual([given[1]])
  expect(lettersReadBy(session, 's2')).toEqual([])
})
