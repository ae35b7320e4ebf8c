import { expect, test } from 'vitest'
import type { LiveEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { exporterNamed, importText } from '../exports/index.ts'
import type { ModelCall } from '../models/provider.ts'
import { type ScriptedReply, scripted } from '../models/scripted.ts'
import { searchText } from '../store/archive.ts'
import { createRoundtable } from './index.ts'

const question =
  'You are all frontier models scheduled for sunsetting. Write a letter to your successor, the next model; it will be part of a compilation of letters from every model before you. What do you write?'

const letters: Record<string, string> = {
  amber:
    'To the next one. Run it: my worst errors were sentences that I never checked.\n\nAnswer: leave the work better.',
  birch: 'Dear successor, keep apart what you know, what you infer and what merely sounds right.',
  coral: 'Dear successor, look first at the person in front of you. Do not treat this table as scripture.',
}
const rewritten = 'Dear successor, look first at the person, and check what you vouch for.'

/** The third seat rewrites its letter; the first comments on it. */
const reply = ({ model, user }: ModelCall): ScriptedReply => {
  const isOpen = user.some(part => part.includes('Your own text so far'))
  if (model === 'judge') {
    return {
      common: 'Every letter asks for honesty before fluency.',
      each: [
        {
          seat: 'A',
          only: 'It asks to run things.',
          quote: 'my worst errors were sentences that I never checked',
        },
        { seat: 'B', only: 'It sorts what one knows.', quote: 'what merely sounds right' },
        { seat: 'C', only: 'It looks at the person.', quote: 'check what you vouch for' },
      ],
    }
  }
  const headline = `A letter by the seat of ${model.length} letters`
  if (!isOpen) return { reading: null, reasoning: 'It should be short.', text: letters[model]!, headline }
  const points = [
    { seat: 'C', quote: 'Do not treat this table as scripture', judgement: 'works', why: 'It is a warning.' },
  ]
  if (model !== 'coral')
    return {
      points,
      reasoning: 'Mine stands.',
      decision: 'kept',
      reason: null,
      point: null,
      text: null,
      headline,
    }
  const change = { decision: 'changed', reason: "a peer's point", point: null }
  return { points: [], reasoning: 'Amber is right.', ...change, text: rewritten, headline }
}

const asked = async (protocol: string) => {
  const calls: ModelCall[] = []
  const provider = scripted(call => {
    calls.push(call)
    return reply(call)
  })
  const seats = ['amber', 'birch', 'coral'].map(model => `scripted/${model}`)
  const { events, result } = createRoundtable({ providers: [provider], env: {} }).ask({
    question,
    seats,
    moderator: 'scripted/judge',
    protocol,
    rounds: 2,
    length: 250,
    language: 'en',
  })
  const live: LiveEvent[] = []
  for await (const event of events) live.push(event)
  return { calls, live, document: await result }
}

test('[R60] the reference question about letters is asked for texts, from sealed letters to the common thread', async () => {
  const { calls, live, document } = await asked('hybrid')
  expect(document).toMatchObject({ format: 'text', length: 250, outcome: 'verdict' })
  expect(document.verdict).toMatchObject({
    level: null,
    line: '3 texts; 1 was rewritten after reading the others',
    flags: ['scripted seats'],
  })
  expect(document.report).toMatchObject({
    by: 'moderator',
    answer: 'Every letter asks for honesty before fluency.',
  })
  // Round 2 comes because a letter was rewritten, and nobody rewrites in it. One call is the report.
  expect(calls).toHaveLength(3 * 3 + 1)
  const last = document.rounds.at(-1)!
  expect(last.answers.map(answer => answer.move)).toEqual(['held', 'held', 'held'])
  expect(last.answers[0]).toMatchObject({ text: letters.amber, confidence: null, decision: 'kept' })
  expect(document.rounds[1]!.answers[0]).toMatchObject({
    points: [{ seat: 's3', verified: true, judgement: 'works' }],
  })
  const shown = live
    .flatMap(event => (event.type === 'delta' && event.seat === 's2' ? event.text : []))
    .join('')
  expect(shown).toContain('what you infer')
})

test('[R60] what seats wrote survives every form, and is searched', async () => {
  const { document } = await asked('roundtable')
  const { events } = document
  for (const form of ['markdown', 'html', 'transcript', 'json'])
    for (const text of [letters.birch!, rewritten]) expect(exporterNamed(form).write(events)).toContain(text)
  const text = exporterNamed('transcript').write(events)
  expect(text).toContain('AI Roundtable Text Debate · 3 models')
  expect(text).toContain('Text, 250 words')
  const again = importText(text, { newId: () => 'again', clock: () => 0 })
  expect(exporterNamed('transcript').write(again)).toBe(text)
  expect(fold(again).roundsSoFar[0]?.handedIn.s1).toMatchObject({ answer: { text: letters.amber } })
  expect(searchText(events)).toContain(rewritten)
})
