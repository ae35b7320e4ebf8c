import { expect, test } from 'vitest'
import { type TestLog, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { logOf, sampleHappenings } from '../../test/sample-session.ts'
import type { Happening } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { provisionalOf } from '../count/verdict.ts'
import { provisionalWords } from '../words/progress.ts'
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

const choice = table({ seats: 3, question: yesOrNo }).round(0, ['Yes', 'Yes', 'No'])
test.each<readonly [string, TestLog, string]>([
  ['nobody has compared the answers', table({ seats: 3 }).round(0, ['Build', 'Do', 'No']), '3 of 3 answered'],
  ['a round is counted', choice, 'So far, after the sealed round: 2 of 3 models agreed'],
  ['the next one is being answered', choice.round(1, ['No']), 'which 1 of 3 have answered: 2 of 3 models'],
])('[T407] an unfinished session shows what the live view said: %s', (_, { session }, words) => {
  const text = verdictView(session, look).join('\n').replace(/\s+/g, ' ')
  expect(text).toContain(provisionalWords(provisionalOf(session)!))
  expect(text).toContain(words)
  expect(text).not.toMatch(/so far (tie|split|majority)/)
})

test('[T407] before the first round is over, it shows who is waited for', () => {
  const { session } = table({ seats: 2, question: yesOrNo }).round(0, ['Yes'])
  expect(verdictView(session, look).slice(0, 2).join(' ')).toMatch(/Not finished.* Waiting for Gemini/)
})
