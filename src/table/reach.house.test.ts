import { expect, test } from 'vitest'
import { callTo, partsFrom } from '../../test/contracts/providers-contract.ts'
import { builtIn, floor } from '../builtin/provider.ts'
import { createRoundtable } from '../library/index.ts'
import { scripted } from '../models/scripted.ts'
import { hasConsent, hubAddress, openHouse, weightsFolder, withWholePath } from './reach.ts'
import { houseTable } from './seats.ts'

test('[D19] a file is named by its whole path', () => {
  expect(withWholePath('house:/models/some.gguf', '/models')).toBe('house//models/some.gguf')
  expect(withWholePath('house:some.gguf', '/models')).toBe('house//models/some.gguf')
  expect(withWholePath('lab/house:some.gguf', '/models')).toBe('lab/house:some.gguf')
})

test('[D19] weights are kept in a folder of one’s own choice, or in the cache folder', () => {
  expect(weightsFolder({ ROUNDTABLE_CACHE: '/big/disk' }, '/home/me')).toBe('/big/disk/models')
  expect(weightsFolder({ XDG_CACHE_HOME: '/cache' }, '/home/me')).toBe('/cache/roundtable/models')
  expect(weightsFolder({ XDG_CACHE_HOME: 'relative' }, '/home/me')).toBe('/home/me/.cache/roundtable/models')
})

test('[D8] only a clear yes in the environment is consent', () => {
  const given = ['yes', floor.id].map(word => hasConsent({ ROUNDTABLE_HOUSE: word }, floor))
  expect(given).toEqual([true, true])
  const none = [undefined, '', 'no', 'qwen2.5-1.5b'].map(word =>
    hasConsent({ ROUNDTABLE_HOUSE: word }, floor),
  )
  expect(none).toEqual([false, false, false, false])
})

test('[D8] a seat whose weights may not be fetched falls silent with the reason', async () => {
  const house = openHouse({}, { env: { ROUNDTABLE_CACHE: '/nowhere' }, cwd: '/' })
  const parts = await partsFrom(house, callTo('tinyllama'))
  expect(parts).toMatchObject([{ type: 'error', error: { message: expect.stringContaining('consent') } }])
})

test('[D31] the hub is that of ROUNDTABLE_HUB, or of HF_ENDPOINT, or none', () => {
  expect(hubAddress({})).toBe('https://huggingface.co')
  expect(hubAddress({ HF_ENDPOINT: 'https://mirror.example/' })).toBe('https://mirror.example')
  expect(hubAddress({ ROUNDTABLE_HUB: 'no', HF_ENDPOINT: 'https://mirror.example' })).toBeUndefined()
  expect(() => hubAddress({ ROUNDTABLE_HUB: 'hf_secret' })).toThrow(/^ROUNDTABLE_HUB is "no", or an address/)
})

test('[D35] seats say which model answers', () => {
  const house = openHouse({}, { env: {}, cwd: '/' })
  const [first = floor] = builtIn
  const { seats, moderator } = houseTable(first)
  expect(seats.map(({ name }) => name)).toEqual(
    ['careful', 'hopeful', 'practical'].map(manner => `Qwen2.5 1.5B, ${manner}`),
  )
  expect(new Set([...seats.map(({ model }) => model), moderator])).toEqual(new Set(['house/qwen2.5-1.5b']))
  expect(house.known(first.id)).toMatchObject({
    name: 'Qwen2.5 1.5B (built-in)',
    maker: 'Alibaba',
    small: true,
  })
})

test('[D36] the house is given longer for an answer, unless somebody says how long', async () => {
  const house = openHouse({}, { env: {}, cwd: '/' })
  const table = createRoundtable({ providers: [house, scripted(() => '')] })
  const seatsOfHouse = { question: 'Why?', ...houseTable(floor) }
  const { deadline } = await table.open(seatsOfHouse)
  const others = await table.open({ question: 'Why?', seats: ['scripted/a', 'scripted/b'], moderator: null })
  expect([deadline, others.deadline]).toEqual([300, 120])
  expect((await table.open({ ...seatsOfHouse, deadline: 20 })).deadline).toBe(20)
})

test('[D16] what a small model concludes is shown as its headline, while it writes and after', async () => {
  const reply = { question: 'Why?', reasoning: 'It has to be so.', conclusion: 'Because.' }
  const table = createRoundtable({ providers: [scripted(() => reply)] })
  const seats = ['scripted/a', 'scripted/b']
  const asked = table.ask({ question: 'Why?', seats, moderator: null, protocol: 'poll' })
  let shown = ''
  for await (const event of asked.events)
    if (event.type === 'delta' && event.seat === 's1' && event.field === 'headline') shown += event.text
  const { events } = await asked.result
  expect(shown).toBe('Because.')
  expect(events.find(({ type }) => type === 'answer-given')).toMatchObject({
    answer: { headline: 'Because.' },
  })
})
