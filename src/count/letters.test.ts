import { describe, expect, test } from 'vitest'
import { questionOf, type Said, silent, table } from '../../test/contracts/core-testing.ts'
import { fold } from '../core/fold.ts'
import { sealedWords, withheldLog, withheldPiece, withholding } from '../core/letters.ts'
import { bookStateOf } from '../core/opening.ts'
import type { Point } from '../core/question.ts'
import { bookTitle, letterNote } from '../words/story.ts'
import { bookOpened } from './acts.ts'
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
const book = (sealed = true) =>
  table({ seats: 4, question: task, book: sealed ? { sealed: true } : {} })
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

const words = /apples|pears|plums/

describe('a book', () => {
  test('[Q260] has the last version of each letter, and the reading order puts a letter after those it draws on', () => {
    const letters = lettersIn(book(false).session)
    expect(letters.map(({ seat, text }) => [seat, text])).toEqual([
      ['s3', 'plums'],
      ['s1', 'apples'],
      ['s2', 'pears and plums'],
    ])
    expect(letters[2]).toMatchObject({ rewritten: true, drawsOn: ['s3'] })
    expect(letterNote(letters[2]!, seat => seat)).toBe('Rewritten after reading the others; draws on s3')
    expect(bookTitle(book().session)).toBe('Letters of Jan 2, 2026')
  })

  test('[Q261] a sealed book is opened once, by an event; nothing else can be opened', () => {
    const sealed = book()
    expect(bookStateOf(sealed.session)).toBe('sealed')
    const open = sealed.and(bookOpened(sealed.session))
    expect(bookStateOf(open.session)).toBe('open')
    expect(() => bookOpened(open.session)).toThrow('The book is already open.')
    expect(() => bookOpened(book(false).session)).toThrow('The book is already open.')
    expect(() => bookOpened(table().session)).toThrow('not a book of letters')
  })
})

describe('withholding', () => {
  test('[N260] no word of a letter, of a comment or of the report is in the log of a sealed book; who wrote, failed and rewrote is', () => {
    const shown = withheldLog(book().events)
    expect(JSON.stringify(shown)).not.toMatch(words)
    const session = fold(shown)
    expect(
      session.roundsSoFar.map(round => Object.values(round.handedIn).map(({ status }) => status)),
    ).toEqual([
      ['given', 'given', 'given', 'silent'],
      ['given', 'given', 'given', 'silent'],
    ])
    expect(
      lettersIn(session)
        .filter(({ rewritten }) => rewritten)
        .map(({ seat }) => seat),
    ).toEqual(['s2'])
    expect(session.report?.answer).toBe(sealedWords)
  })

  test('[N260] once the book is open, its log is the log itself; so is that of any other session', () => {
    const sealed = book()
    const open = sealed.and(bookOpened(sealed.session)).events
    expect(withheldLog(open)).toEqual(open)
    expect(withheldLog(book(false).events)).toEqual(book(false).events)
    const ordinary = table().round(0, ['Yes', 'No', 'Yes']).events
    expect(withheldLog(ordinary)).toEqual(ordinary)
  })

  test('[N261] event by event, a watcher of a sealed book gets what its log shows, and no pieces of letters', () => {
    const { events, session } = book()
    expect(events.map(withholding())).toEqual(withheldLog(events))
    const piece = { type: 'delta', round: 0, seat: 's1', field: 'text', text: 'apples' } as const
    expect(withheldPiece(session, piece)).toBeUndefined()
    expect(withheldPiece(book(false).session, piece)).toEqual(piece)
    const again = { type: 'retrying', round: 0, seat: 's1', attempt: 2, why: 'apples' } as const
    expect(JSON.stringify(withheldPiece(session, again))).not.toMatch(words)
  })

  test('[N262] letters of a sealed book that were handed to another session are withheld there too', () => {
    const given = lettersToHandOn(book().session)
    expect(given.map(({ sealed }) => sealed)).toEqual([true, true, true])
    expect(given[0]).toMatchObject({ text: 'plums', from: 'Grok 4.20' })
    const reading = table({ letters: { given, bySeat: { s1: [given[1]!.id] } } })
    expect(lettersReadBy(reading.session, 's1')).toEqual([given[1]])
    expect(lettersReadBy(reading.session, 's2')).toEqual([])
    const shown = withheldLog(reading.events)
    expect(JSON.stringify(shown)).not.toMatch(words)
    expect(JSON.stringify(shown)).toContain(given[1]!.id)
  })
})
