import { describe, expect, test } from 'vitest'
import { questionOf, type TestLog, table } from '../../test/contracts/core-testing.ts'
import { latestRound, roundAt } from '../core/session.ts'
import { eventWords } from '../words/story.ts'
import { rulingOf, rulingText, sidesOf, statementText } from './group.ts'
import { creditFor } from './moves.ts'
import { verdictOf } from './verdict.ts'

const question = questionOf({ format: 'choice', options: ['Rail', 'Road', 'River'] })
const votes = ['Rail', 'Rail', 'Rail', 'Road', 'Road', 'River']
const begun = (confidences: readonly number[] = [0.5, 0.9, 0.6, 0.4, 0.8, 0.99]): TestLog =>
  table({ question }).round(
    0,
    votes.map((choice, index) => ({ choice, headline: choice, confidence: confidences[index] })),
  )

const spoke = (log: TestLog, turn: number, seat: string, argument: string): TestLog =>
  log.and({ type: 'statement-made', round: 0, turn, seat, said: { argument, question: null } })
const failed = (log: TestLog, turn: number, seat: string): TestLog =>
  log.and({
    type: 'statement-made',
    round: 0,
    turn,
    seat,
    said: { error: { kind: 'timeout', message: 'no first token within 9 s' } },
  })
const ruled = (log: TestLog, order: number, camp: string | null): TestLog =>
  log.and({ type: 'ruling-given', round: 0, order, camp, words: 'It held.' })

const advocates = ({ session }: TestLog) =>
  (sidesOf(session, roundAt(session, 0)!) ?? []).map(({ camp, advocate }) => `${camp.id} ${advocate}`).sort()

describe('cross-examination', () => {
  test('[P49] the surest members of the two largest camps speak, and the seed decides between equals', () => {
    expect(advocates(begun())).toEqual(['Rail s2', 'Road s5'])
    const equal = begun([0.7, 0.7, 0.7, 0.7, 0.7, 0.7])
    expect(advocates(equal)).toEqual(advocates(equal))
    expect(advocates(table({ question }).round(0, Array(6).fill('Rail')))).toEqual([])
  })

  test('[P49] the next member speaks for one that failed, until nobody is left', () => {
    expect(advocates(failed(begun(), 0, 's5'))).toEqual(['Rail s2', 'Road s4'])
    expect(advocates(failed(failed(begun(), 0, 's5'), 1, 's4'))).toEqual(['Rail s2', 'Road null'])
  })

  test('[P51] a ruling counts only if it is the same in both orders', () => {
    const both = latestRound(ruled(ruled(begun(), 0, 'Road'), 1, 'Road').session)!
    expect(rulingOf(both)).toEqual({ camp: 'Road', consistent: true })
    expect(rulingText(both, camp => camp)).toBe('The judge ruled for “Road” in both orders.')
    const swayed = latestRound(ruled(ruled(begun(), 0, 'Road'), 1, 'Rail').session)!
    expect(rulingOf(swayed)).toEqual({ camp: null, consistent: false })
    expect(rulingText(swayed, camp => camp)).toContain('does not count')
    expect(rulingOf(latestRound(ruled(begun(), 0, 'Road').session)!)).toBeUndefined()
  })

  test('[P51] the table’s count is the verdict; a judge that dissents or was swayed is a flag', () => {
    const flags = (first: string | null, second: string | null) =>
      verdictOf(ruled(ruled(begun(), 0, first), 1, second).session).flags
    expect(verdictOf(ruled(ruled(begun(), 0, 'Road'), 1, 'Road').session).leading).toBe('Rail')
    expect(flags('Road', 'Road')).toContain('judge dissents')
    expect(flags('Rail', 'Rail')).not.toContain('judge dissents')
    expect(flags(null, null)).not.toContain('judge dissents')
    expect(flags('Road', 'Rail')).toContain('judge swayed by order')
    expect(flags('Rail', 'Rail')).not.toContain('judge swayed by order')
  })

  test('[P51] a judge that fails leaves the ruling open, and the failure is kept', () => {
    const { session } = ruled(begun(), 0, 'Road').and({
      type: 'moderator-failed',
      task: 'judge',
      round: 0,
      subject: '1',
      error: { kind: 'server-error', message: '500' },
    })
    expect(rulingOf(latestRound(session)!)).toBeUndefined()
    expect(session.failures).toMatchObject([{ task: 'judge' }])
    expect(verdictOf(session).flags).not.toContain('judge swayed by order')
  })

  test('[P52] words of an advocate can be credited, and are checked like any', () => {
    const { session } = spoke(begun(), 0, 's2', 'Rails last a hundred years.')
    expect(creditFor(session, 1, 's4', { peer: 'B', quote: 'last a hundred years' })).toMatchObject({
      verified: true,
    })
    expect(creditFor(session, 1, 's4', { peer: 'B', quote: 'last a thousand years' })).toMatchObject({
      verified: false,
    })
    expect(creditFor(session, 1, 's4', { peer: 'C', quote: 'last a hundred years' })).toMatchObject({
      verified: false,
    })
  })

  test('[P74] a concession is in the words of every face', () => {
    const said = { argument: 'They are right.', question: null, concedes: true } as const
    const log = begun().and({ type: 'statement-made', round: 0, turn: 0, seat: 's2', said })
    const [statement] = latestRound(log.session)!.statements!
    expect(statementText(statement!)).toBe('They are right.\n\nConcedes: the other side is right.')
    expect(eventWords(log.events.at(-1)!, seat => seat)).toBe('s2 concedes to the other side')
    expect(eventWords(spoke(begun(), 0, 's2', 'No.').events.at(-1)!, seat => seat)).toBe(
      's2 speaks for its camp',
    )
  })

  test('[P52] a turn reads as what was said and asked, or as why nothing was', () => {
    const log = failed(spoke(begun(), 0, 's2', 'Rails last.'), 1, 's5')
    const [first, second] = latestRound(log.session)!.statements!
    expect(statementText(first!)).toBe('Rails last.')
    expect(statementText({ ...first!, argument: 'A.', question: 'Why?', error: undefined })).toBe(
      'A.\n\nAsks: Why?',
    )
    expect(statementText(second!)).toBe('said nothing (timed out): no first token within 9 s')
  })

  test('[P53] a turn that was cut short by a stop is taken when the session resumes; what was said stays', () => {
    const cut = spoke(begun(), 0, 's2', 'Rails last.')
      .and({
        type: 'statement-made',
        round: 0,
        turn: 1,
        seat: 's5',
        said: { error: { kind: 'budget', message: 'no room' } },
      })
      .stop('budget')
      .and({ type: 'session-finished', outcome: 'budget' }, { type: 'session-resumed' })
    expect(latestRound(cut.session)!.statements?.map(({ turn }) => turn)).toEqual([0])
  })
})
