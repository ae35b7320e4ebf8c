import { expect, test } from 'vitest'
import { logOf, sampleHappenings } from '../../test/sample-session.ts'
import type { Happening } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { noPaint } from './terminal.ts'
import { header, verdictView } from './views.ts'

const look = { columns: 80, paint: noPaint }

const opening = (more: object): Happening => ({ ...sampleHappenings[0]!, ...more }) as Happening

const viewOf = (happenings: readonly Happening[]): string => {
  const session = fold(logOf(happenings))
  return [...header(session, look), ...verdictView(session, look)].join('\n')
}

test('[T28] flags are shown with what they mean', () => {
  const seats = [{ id: 's1', alias: 'A', name: 'One', model: 'lab/moderator', scripted: true }]
  const text = viewOf([opening({ seats }), ...sampleHappenings.slice(1, 3)])
  expect(text).toContain("! moderator on panel: The moderator's model also holds a seat.")
  expect(text).toContain('! scripted seats: Replies of scripted seats were written in advance')
  expect(text).toContain('Scripted: the replies of all seats were written in advance, not by a model.')
})

test('[T28] what an imported transcript claims is labelled as its claim, and not counted again', () => {
  const imported = { from: 'transcript', line: 'All 6 models agreed', changed: ['s1'] }
  const text = viewOf([opening({ imported }), ...sampleHappenings.slice(9)])
  expect(text).toContain('── Verdict · as the transcript claims')
  expect(text).toContain('Imported: the transcript has no earlier rounds')
  expect(text).not.toContain('█')
})

test('[T11] a camp that everybody left keeps its line in the tally', () => {
  const moved = sampleHappenings.map(one =>
    one.type === 'answer-given' && one.round === 1
      ? { ...one, answer: { ...one.answer, choice: 'No' } }
      : one,
  )
  expect(viewOf(moved)).toMatch(/▸ No {3}██···· 2 → ████·· 4\n {3}Yes {2}██···· 2 → ······ 0/)
})

test('[T11] numbers show their median, sealed → final', () => {
  const question = {
    text: 'How far?',
    format: 'number',
    options: [],
    unit: 'km',
    scale: 'linear',
    attachments: [],
  }
  const asked = sampleHappenings.map((one): Happening => {
    if (one.type === 'session-opened') return { ...one, question } as Happening
    if (one.type !== 'answer-given') return one
    const { choice: _choice, ...answer } = one.answer
    return { ...one, answer: { ...answer, number: one.round === 0 ? 10 : 20_000 } }
  })
  expect(viewOf(asked)).toContain('Median: 10 km → 20,000 km')
})

const reading =
  (words: string, seats: readonly string[]) =>
  (one: Happening): Happening =>
    one.type === 'answer-given' && one.round === 0 && seats.includes(one.seat)
      ? { ...one, answer: { ...one.answer, reading: words } }
      : one

test('[P93] a split that is partly about words shows each reading and who holds it', () => {
  const read = sampleHappenings
    .map(reading('the town proper', ['s1']))
    .map(reading('the whole county', ['s2']))
  expect(viewOf(read)).toMatch(
    /The split is partly about words:\n {3}- the town proper \(.+\)\n {3}- the whole county \(.+\)\n/,
  )
  expect(viewOf(sampleHappenings.map(reading('the town proper', ['s1'])))).not.toContain('partly about words')
})

test('[P94] the kind of question is shown with who chose it', () => {
  expect(viewOf(sampleHappenings)).not.toContain('hosen by')
  expect(viewOf([...sampleHappenings, { type: 'kind-found', kind: 'fact' }])).toContain(
    'A question of fact: one answer is right, and it can be checked. (Chosen by',
  )
  const taste = viewOf([...sampleHappenings, { type: 'kind-corrected', kind: 'taste' }])
  expect(taste).toContain('A matter of taste: no answer is right, so read the positions. (Chosen by')
})

test('[T135] tokens that a provider had cached are shown beside those that were read', () => {
  const cached = sampleHappenings.map(one =>
    one.type === 'answer-given' && one.usage ? { ...one, usage: { ...one.usage, cachedTokens: 400 } } : one,
  )
  expect(viewOf(sampleHappenings)).not.toContain('cached')
  expect(viewOf(cached)).toMatch(/ tokens in \(3,200 cached\), /)
})
