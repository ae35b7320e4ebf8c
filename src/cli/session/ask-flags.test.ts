import { expect, test } from 'vitest'
import type { Config } from '../../table/config.ts'
import { askInput } from './ask-flags.ts'

const config: Config = {
  env: {},
  endpoints: [],
  providers: {},
  lineups: { duo: ['lab/one', { model: 'lab/two', name: 'Two', brief: 'a sceptic' }] },
  seats: ['lab/default'],
  moderator: 'lab/moderator',
  rounds: 1,
  budget: 2,
  data: '/nowhere',
  files: [],
}

test('[T27] what no flag says comes from the configuration, and what nobody says is left to the defaults', () => {
  expect(askInput('Why?', {}, config, '/')).toEqual({
    question: 'Why?',
    seats: ['lab/default'],
    moderator: 'lab/moderator',
    rounds: 1,
    budget: 2,
  })
})

test('[T27] flags come before the configuration; none means no moderator', () => {
  const flags = { seats: 'lab/a, lab/b', moderator: 'none', rounds: '0', budget: '0.5', deadline: '30' }
  expect(askInput('Why?', flags, config, '/')).toMatchObject({
    seats: ['lab/a', 'lab/b'],
    moderator: null,
    rounds: 0,
    budget: { usd: 0.5 },
    deadline: 30,
  })
  expect(askInput('Why?', { lineup: 'duo' }, config, '/').seats).toEqual(config.lineups.duo)
})

test('[T41] a line-up of one’s own comes before the built-in one of that name', () => {
  const own = { ...config, lineups: { fast: ['lab/quick'] } }
  expect(askInput('Why?', { lineup: 'fast' }, own, '/').seats).toEqual(['lab/quick'])
  expect(askInput('Why?', { lineup: 'frontier' }, own, '/')).toMatchObject({ lineup: 'frontier' })
})

test('[T45] temperature and effort go to all seats, and are refused out of their range', () => {
  expect(askInput('Why?', { temperature: '0.5', effort: 'high' }, config, '/')).toMatchObject({
    temperature: 0.5,
    effort: 'high',
  })
  expect(() => askInput('Why?', { temperature: '3' }, config, '/')).toThrow(/from 0 to 2/)
  expect(() => askInput('Why?', { effort: 'much' }, config, '/')).toThrow(/low, medium, high/)
})

test('[T7] a line-up that is not there is told with those that are', () => {
  expect(() => askInput('Why?', { lineup: 'trio' }, config, '/')).toThrow(
    'There is no line-up "trio": choose one of duo, frontier, open-weights, fast, local',
  )
  expect(() => askInput('Why?', { lineup: 'constructor' }, config, '/')).toThrow(/no line-up/)
  expect(() => askInput('Why?', { lineup: 'duo', seats: 'lab/a' }, config, '/')).toThrow(
    /either --seats or --lineup/,
  )
})
