import { describe, expect, test } from 'vitest'
import { abstained, silent, type TestLog, table, yesOrNo } from '../../../test/contracts/core-testing.ts'
import { sampleLog } from '../../../test/sample-session.ts'
import { weighedLog } from '../../../test/weighed-session.ts'
import { fold } from '../../core/fold.ts'
import { latestRound } from '../../core/session.ts'
import { campNumbers, flipsOf, standingsIn } from '../../count/moves.ts'
import { claimedChange, wayText } from '../../words/moves.ts'
import { asReporting } from '../../words/stages.ts'
import { eventWords } from '../../words/story.ts'
import { differencesOf } from '../pages/compare.tsx'
import { roundProgress } from './parts.tsx'
import { roundOfQuote } from './quotes.tsx'
import { seatedIn } from './round-table.tsx'
import { heldAs, pauseBefore } from './stage.tsx'
import { clockText } from './strip.tsx'
import { tourStep } from './tour-caption.tsx'

const session = fold(sampleLog)

describe('what the page of a session works out', () => {
  test('[U148] the head says in words how the table worked', () => {
    const sealedOnly = { ...session, roundsSoFar: session.roundsSoFar.slice(0, 1) }
    expect(heldAs(session)).toBe('Hybrid: a sealed round, then 1 open round')
    expect(heldAs(sealedOnly)).toBe('Hybrid: a sealed round only')
    expect(heldAs({ ...sealedOnly, outcome: undefined, rounds: 2 })).toBe(
      'Hybrid: a sealed round, then up to 2 open rounds',
    )
  })

  test('[U149] the clock of a session that was resumed later counts hours and days', () => {
    const minute = 60_000
    expect([7_000, 12.5 * minute, 62.5 * minute, 72 * 60 * minute].map(clockText)).toEqual([
      '0:07',
      '12:30',
      '1:02:30',
      '3 days',
    ])
  })

  test('[U5] the options of a choice keep their numbers, whoever answers first', () => {
    for (let count = 3; count <= sampleLog.length; count++) {
      expect([...campNumbers(fold(sampleLog.slice(0, count)))]).toEqual([
        ['Yes', 0],
        ['No', 1],
      ])
    }
  })

  test('[U5] every seat has a place, and only those that answered have a camp', () => {
    const places = standingsIn(session, latestRound(session), campNumbers(session))
    expect(places.map(place => place.number)).toEqual([1, 1, 1, 0, undefined, undefined])
    expect(places.map(place => place.move)).toEqual([
      'switched',
      'switched',
      'held',
      'switched',
      'silent',
      'abstained',
    ])
  })

  test('[U376] what a transcript claims gives nobody a camp, on any page, and no move but its own marks', () => {
    const imported = { from: 'transcript' as const, line: 'Both models agreed', changed: ['s1'] }
    const claims = table({ seats: 2, imported }).round(1, ['Build', 'Build it']).session
    const standings = standingsIn(claims, latestRound(claims), campNumbers(claims))
    expect(standings.map(({ camp, number }) => camp ?? number)).toEqual([undefined, undefined])
    expect(standings.map(one => wayText(one, claims))).toEqual([claimedChange, undefined])
    expect(differencesOf(claims, session).find(({ label }) => label === 'Agreement')).toMatchObject({
      one: 'Unanimous, 2 of 2 (imported, unchecked)',
      other: expect.not.stringContaining('unchecked'),
    })
  })

  test('[U6] a replay has the pace of the session, without long waits and without haste', () => {
    expect(pauseBefore(sampleLog, 5, 1)).toBe(1_000)
    expect(pauseBefore(sampleLog, 5, 8)).toBe(125)
    const slow = [sampleLog[0]!, { ...sampleLog[1]!, at: '2026-01-03T00:00:00Z' }]
    expect(pauseBefore(slow, 1, 1)).toBe(2_500)
    expect(pauseBefore([sampleLog[0]!, { ...sampleLog[1]!, at: sampleLog[0]!.at }], 1, 1)).toBe(250)
  })

  test('[U8] a credit leads to the round in which the words stand', () => {
    expect(flipsOf(session).map(flip => roundOfQuote(session, flip))).toEqual([0, 0, undefined])
  })

  test('[U9] every event is told in words, and so is what is going on', () => {
    const told = weighedLog.map(event => eventWords(event, seat => `Seat ${seat}`))
    expect(told).toContain('Seat s1 conceded a point to Seat s3')
    for (const event of sampleLog) expect(eventWords(event, seat => `Seat ${seat}`)).toMatch(/^[A-Z].{5,}/)
    expect(roundProgress(fold(sampleLog.slice(0, 4)))).toBe('Sealed round: 2 of 6 have answered.')
  })

  test('[V75] a seat that failed is counted where the answers are counted', () => {
    const log = table({ seats: 3, question: yesOrNo }).round(0, ['Yes', silent()])
    expect(roundProgress(log.session)).toBe('Sealed round: 1 of 3 have answered, 1 is silent.')
    const more = table({ seats: 4, question: yesOrNo }).round(0, ['Yes', silent(), abstained()])
    expect(roundProgress(more.session)).toBe('Sealed round: 1 of 4 have answered, 1 is silent, 1 abstained.')
  })

  test('[U290] no seat of a large table changes its place while the session runs', () => {
    const letters = ({ session }: TestLog) =>
      seatedIn(session, campNumbers(session)).map(({ seat }) => seat.id)
    const log = table({ seats: 12, rounds: 0, question: yesOrNo }).round(0, ['Yes', 'No', 'Yes', 'No'])
    const places = log.session.seats.map(({ id }) => id)
    expect(letters(log)).toEqual(places)
    const ended = log.stop().and({ type: 'session-finished', outcome: 'interrupted' })
    expect(letters(ended).slice(0, 4)).toEqual(['s1', 's3', 's2', 's4'])
  })

  test('[U161] while the report is being written, no part of the page says that answers are being read', () => {
    const second = sampleLog.findIndex(event => event.type === 'round-opened' && event.round === 1)
    const closed = fold(sampleLog.slice(0, second))
    expect(roundProgress(closed)).toBe('The moderator is reading the answers.')
    expect(tourStep(closed)).toBe(1)
    const reporting = asReporting(closed, true)
    expect(roundProgress(reporting)).toBe('The report is being written.')
    expect(tourStep(reporting)).toBe(3)
  })
})
