import { expect, test } from 'vitest'
import { logOf, sampleHappenings, sampleLog } from '../../test/sample-session.ts'
import type { Happening } from '../core/event.ts'
import { replayPlan } from './render.ts'

const committed = (log = sampleLog) => replayPlan(log).filter(({ event }) => event.type !== 'delta')

test('[T29] every event comes in its order and at its time', () => {
  expect(committed().map(({ event }) => event)).toEqual(sampleLog)
  expect(committed().map(({ at }) => at)).toEqual(sampleLog.map((_, index) => index * 1000))
})

test('[T29] the texts of an answer are streamed anew, before the answer and after its round began', () => {
  const beats = replayPlan(sampleLog)
  for (const { event, at } of beats) {
    if (event.type !== 'answer-given') continue
    const pieces = beats.filter(
      one => one.event.type === 'delta' && one.event.seat === event.seat && one.event.round === event.round,
    )
    const text = (field: string): string =>
      pieces
        .map(one => (one.event.type === 'delta' && one.event.field === field ? one.event.text : ''))
        .join('')
    expect(text('headline')).toBe(event.answer.headline)
    expect(text('reasoning')).toBe(event.answer.reasoning)
    expect(pieces.every(piece => piece.at <= at)).toBe(true)
    const began = beats.find(one => one.event.type === 'round-opened' && one.event.round === event.round)!
    expect(pieces.every(piece => piece.at >= began.at)).toBe(true)
  }
})

test('[T29] no pause is longer than ten seconds, and a session without times gets some', () => {
  const slow = sampleLog.map((event, index) => ({ ...event, at: new Date(index * 3_600_000).toISOString() }))
  expect(committed(slow)[1]!.at).toBe(10_000)
  const untimed = logOf(sampleHappenings).map(event => ({ ...event, at: '2026-01-01T00:00:00.000Z' }))
  const beats = committed(untimed)
  expect(beats.at(-1)!.at).toBeGreaterThan(5_000)
  expect(beats.map(({ event }) => event)).toEqual(untimed)
})

test('[T29] an advocate speaks anew, in its own turn', () => {
  const said = (turn: number): Happening => ({
    ...{ type: 'statement-made', round: 0, turn, seat: `s${turn + 1}` },
    said: { argument: `Turn ${turn} has its own words.`, question: null },
  })
  const beats = replayPlan(logOf([...sampleHappenings.slice(0, 8), said(0), said(1)]))
  for (const [index, { event }] of beats.entries()) {
    if (event.type !== 'statement-made') continue
    const spoken = beats.slice(0, index).map(beat => beat.event)
    const pieces = spoken.filter(one => one.type === 'delta' && one.turn === event.turn)
    expect(pieces.map(one => (one.type === 'delta' ? one.text : '')).join('')).toMatch(
      `Turn ${event.turn} has its own words.`,
    )
    expect(spoken.slice(-pieces.length)).toEqual(pieces)
  }
  expect(beats.filter(({ event }) => event.type === 'statement-made')).toHaveLength(2)
})

test('[T29] an answer is written in the order in which its round was asked', () => {
  const point = { seat: 's2', quote: 'It floods.', verified: true, judgement: 'holds' as const, why: 'Yes.' }
  const log = (prompts?: number) =>
    logOf(
      sampleHappenings.slice(0, 3).map(event => {
        if (event.type === 'round-opened') return { ...event, ...(prompts && { prompts }) }
        return event.type === 'answer-given'
          ? { ...event, answer: { ...event.answer, points: [point] } }
          : event
      }),
    )
  const fields = (prompts?: number): string[] => {
    const pieces = replayPlan(log(prompts)).flatMap(({ event }) =>
      event.type === 'delta' ? [event.field] : [],
    )
    return [...new Set(pieces)]
  }
  expect(fields(2)).toEqual(['points', 'reasoning', 'headline'])
  expect(fields()).toEqual(['headline', 'points', 'reasoning'])
})
