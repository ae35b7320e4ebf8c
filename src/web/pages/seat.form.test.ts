/** A person's answer, from the form to what is handed in. */

import { expect, test } from 'vitest'
import { readReply } from '../../core/reply.ts'
import { answerForm, missingIn, rawAnswer, type SeatQuestion } from './seat.tsx'

const asked = (more: Partial<SeatQuestion>): SeatQuestion => ({
  text: 'Which?',
  format: 'open',
  options: [],
  scale: 'linear',
  ...more,
})
const last = { headline: 'No.', reasoning: 'Old.', confidence: 0.7, choice: 'No', language: 'en' }

test('[U202] the last answer is filled in, and what is handed in is read like a reply of a model', () => {
  const choice = asked({ format: 'choice', options: ['Yes', 'No'] })
  const form = answerForm(last, choice)
  expect(form).toMatchObject({ decision: 'kept', headline: 'No.', choice: 'No', confidence: '70' })
  const question = { ...choice, attachments: [] }
  const kept = readReply(rawAnswer(form, choice, true), question, true, last)
  expect(kept).toMatchObject({ ok: true, answer: { choice: 'No', decision: 'kept', confidence: 0.7 } })
  const quotes = [{ seat: 'B', quote: 'Start small.', why: 'True.', judgement: 'holds' }]
  const moved = { ...form, decision: 'changed' as const, reason: "a peer's point", choice: 'Yes', quotes }
  expect(readReply(rawAnswer(moved, choice, true), question, true, last)).toMatchObject({
    ok: true,
    answer: { choice: 'Yes', decision: 'changed', reason: "a peer's point" },
    credit: { peer: 'B', quote: 'Start small.' },
  })
})

test('[U202] every format has its value, and what is missing is said', () => {
  const empty = answerForm(null, { options: [] })
  expect(missingIn(empty, asked({}))).toContain('one sentence')
  expect(missingIn(empty, asked({ format: 'choice', options: ['a', 'b'] }))).toContain('Choose')
  expect(missingIn({ ...empty, number: 'x' }, asked({ format: 'number' }))).toContain('number')
  const number = { ...empty, number: '12', low: '10' }
  expect(rawAnswer(number, asked({ format: 'number' }), false)).toMatchObject({
    number: 12,
    low: 10,
    high: null,
  })
  const ranking = answerForm(null, { options: ['a', 'b'] })
  expect(rawAnswer(ranking, asked({ format: 'ranking', options: ['a', 'b'] }), false)).toMatchObject({
    ranking: ['a', 'b'],
  })
  const text = { ...empty, text: 'Mine.', headline: 'It is mine.' }
  expect(rawAnswer(text, asked({ format: 'text' }), true)).toMatchObject({ text: null, decision: 'kept' })
  expect(rawAnswer(text, asked({ format: 'text' }), false)).toMatchObject({ text: 'Mine.' })
})
