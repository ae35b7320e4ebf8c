import { expect, test } from 'vitest'
import { type Said, silent, table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { concessionsOf, influenceOf, pullShare } from './verdict.ts'

const yes = (seat: string, verified: boolean): Said => ({
  headline: 'Yes',
  choice: 'Yes',
  credit: { seat, quote: 'the bridge carries', verified },
})

const sealed = table({ seats: 5, question: yesOrNo }).round(0, ['Yes', 'Yes', 'No', 'No', 'No'])

test('[M21] who moved whom is the peer that a flip credits, and whether its words check out', () => {
  const { session } = sealed.round(1, ['Yes', yes('s1', true), yes('s1', true), yes('s2', false), 'No'])
  expect(influenceOf(session).moved).toEqual([
    { seat: 's3', by: 's1', round: 1, quote: 'the bridge carries', verified: true },
    { seat: 's4', by: 's2', round: 1, quote: 'the bridge carries', verified: false },
  ])
})

test('[M22] pull is adopters per exposure, and a peer that says nothing was not exposed', () => {
  const { session } = sealed.round(1, ['Yes', 'Yes', yes('s1', true), 'Yes', silent()])
  const { pull } = influenceOf(session)
  expect(pull.slice(0, 2)).toEqual([
    { seat: 's1', exposures: 2, adopters: 2, credited: 1 },
    { seat: 's2', exposures: 2, adopters: 2, credited: 0 },
  ])
  expect(pull.slice(2).map(pullShare)).toEqual([0, 0, 0])
})

test('[M22] exposures add up over the rounds, and nobody is exposed to its own camp', () => {
  const { session } = sealed
    .round(1, ['Yes', 'Yes', 'No', 'No', 'No'])
    .round(2, ['No', 'No', 'No', 'No', 'No'])
  const { pull } = influenceOf(session)
  expect(pull[0]).toEqual({ seat: 's3', exposures: 4, adopters: 2, credited: 0 })
  expect(pull.at(-1)).toMatchObject({ seat: 's2', exposures: 6, adopters: 0 })
})

test('[M22] a poll and an imported transcript have no influence', () => {
  expect(influenceOf(sealed.session)).toEqual({ moved: [], granted: [], pull: [] })
  const imported = { from: 'transcript' as const, line: 'All 2 models agreed', changed: ['s2'] }
  const { session } = table({ seats: 2, imported }).round(1, ['Build', 'Build too'])
  expect(influenceOf(session)).toEqual({ moved: [], granted: [], pull: [] })
})

test('[M27] a round that did not count moved nobody', () => {
  const asked = sealed.round(1, [
    'Yes',
    { headline: 'No', choice: 'No', credit: { seat: 's3', quote: 'Because', verified: true } },
  ])
  expect(influenceOf(asked.session).moved).toHaveLength(1)
  const stopped = asked.stop('budget').and({ type: 'session-finished', outcome: 'budget' })
  expect(influenceOf(stopped.session)).toEqual({ moved: [], granted: [], pull: [] })
})

test('[M23] a point that was granted with words that check out is influence, and not a change of mind', () => {
  const credit = { seat: 's1', quote: 'the bridge carries', verified: true }
  const grants = (choice: string, decision: 'conceded' | 'narrowed' | 'kept', verified = true): Said => ({
    headline: choice,
    choice,
    decision,
    credit: { ...credit, verified },
  })
  const { session } = sealed.round(1, [
    'Yes',
    grants('Yes', 'narrowed'),
    grants('No', 'conceded'),
    grants('No', 'conceded', false),
    grants('No', 'kept'),
  ])
  expect(concessionsOf(session).map(({ seat, by, round }) => [seat, by, round])).toEqual([
    ['s2', 's1', 1],
    ['s3', 's1', 1],
  ])
  expect(influenceOf(session)).toMatchObject({
    moved: [],
    granted: [credit, credit].map(({ quote }) => ({ quote })),
  })
  // Whoever says that it only conceded, but is in another camp, changed its mind.
  const flipped = sealed.round(1, ['Yes', 'Yes', grants('Yes', 'conceded'), 'No', 'No'])
  expect(influenceOf(flipped.session)).toMatchObject({ granted: [], moved: [{ seat: 's3', by: 's1' }] })
})
