import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleLog } from '../../../test/sample-session.ts'
import type { LiveEvent } from '../../core/event.ts'
import { fold } from '../../core/fold.ts'
import { emptyLog, take } from './live.ts'

const delta = (seat: string, text: string, round = 0): LiveEvent => ({
  type: 'delta',
  round,
  seat,
  field: 'headline',
  text,
})

describe('the log of a page', () => {
  test('[U1] the state is the fold of the log, however it arrives and however often', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(sampleLog.length)), cuts => {
        let log = emptyLog
        for (const cut of [...cuts, 0]) {
          // After a reconnection, everything after a known position arrives, and some of it twice.
          const from = Math.min(cut, log.events.length)
          const taken = take(log, sampleLog.slice(from, cut === 0 ? undefined : from + 7))
          expect(taken.gap).toBe(false)
          log = taken.log
        }
        expect(log.events).toEqual(sampleLog)
        expect(log.session).toEqual(fold(sampleLog))
      }),
    )
  })

  test('[U1] a missing event is noticed, and no event after it is applied', () => {
    const taken = take(emptyLog, [...sampleLog.slice(0, 3), ...sampleLog.slice(4)])
    expect(taken.gap).toBe(true)
    expect(taken.log.events).toEqual(sampleLog.slice(0, 3))
  })

  test('[U99] the report is seen while it is written, until it is there', () => {
    const written = sampleLog.findIndex(({ type }) => type === 'report-written')
    const round = fold(sampleLog).roundsSoFar.at(-1)!.index
    const before = take(emptyLog, sampleLog.slice(0, written)).log
    const during = take(before, [delta('moderator', 'It is', round), delta('moderator', ' so. ', round)])
    expect([...during.seats]).toEqual(['moderator'])
    expect(during.log.drafts.get('moderator')?.headline).toBe('It is so. ')
    expect(take(during.log, sampleLog.slice(written)).log.drafts.has('moderator')).toBe(false)
  })

  test('[U2] the deltas of a seat are joined, kept apart from the log, and gone when its answer arrives', () => {
    const opened = take(emptyLog, sampleLog.slice(0, 2)).log
    const writing = take(opened, [delta('s1', 'Filling '), delta('s2', 'Yes'), delta('s1', 'between')])
    expect(writing.log.drafts.get('s1')?.headline).toBe('Filling between')
    expect(writing.log.events).toBe(opened.events)
    const answered = take(writing.log, sampleLog.slice(2, 3))
    expect(answered.log.drafts.has('s1')).toBe(false)
    expect(answered.log.drafts.has('s2')).toBe(true)
    expect([...answered.seats]).toEqual(['s1'])
  })

  test('[U2] a delta after its answer makes no draft, and a whole one replaces the draft', () => {
    const opened = take(emptyLog, sampleLog.slice(0, 2)).log
    const whole: LiveEvent = {
      ...{ type: 'delta', round: 0, seat: 's1', field: 'headline' },
      ...{ text: 'Filling between', whole: true },
    }
    const joined = take(opened, [delta('s1', 'Fill'), whole, delta('s1', ' bread')]).log
    expect(joined.drafts.get('s1')?.headline).toBe('Filling between bread')
    const answered = take(joined, [...sampleLog.slice(2, 3), delta('s1', '.')])
    expect(answered.log.drafts.has('s1')).toBe(false)
  })

  test('[P67] a seat that has answered may speak as an advocate; its draft is gone when its turn ends', () => {
    const closed = take(emptyLog, sampleLog.slice(0, 8)).log
    const piece = (turn: number, text: string): LiveEvent => ({
      ...{ type: 'delta', round: 0, turn, seat: 's1', field: 'reasoning', text },
    })
    const speaking = take(closed, [piece(0, 'Bread '), piece(0, 'folds.')]).log
    expect(speaking.drafts.get('s1')).toMatchObject({ turn: 0, reasoning: 'Bread folds.' })
    const { position, at } = { position: 8, at: sampleLog[7]!.at }
    const said: LiveEvent = {
      ...{ type: 'statement-made', round: 0, turn: 0, seat: 's1', position, at },
      said: { argument: 'Bread folds.', question: null },
    }
    const spoken = take(speaking, [said, piece(0, '!')]).log
    expect(spoken.drafts.has('s1')).toBe(false)
    expect(take(spoken, [piece(2, 'Again')]).log.drafts.get('s1')).toMatchObject({ reasoning: 'Again' })
  })

  test('[U2] a call that is retried starts with an empty draft', () => {
    const opened = take(emptyLog, sampleLog.slice(0, 2)).log
    const again: LiveEvent = { type: 'retrying', round: 0, seat: 's1', attempt: 2, why: 'overloaded' }
    const retried = take(opened, [delta('s1', 'Fill'), again]).log
    expect(retried.drafts.get('s1')).toMatchObject({ headline: '', retrying: { attempt: 2 } })
    expect(take(retried, [delta('s1', 'No')]).log.drafts.get('s1')).toEqual({
      round: 0,
      points: '',
      text: '',
      headline: 'No',
      reasoning: '',
      thinking: '',
    })
  })
})
