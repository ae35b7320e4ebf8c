import { expect, test } from 'vitest'
import { makers } from '../models/makers.ts'
import { reachOf } from './reach.ts'

const ids = (env: Record<string, string>): string[] =>
  reachOf({ env }).connections.map(({ maker }) => maker.id)

test.each(makers.filter(maker => maker.keys.length > 0))('[R20] $label is connected by $keys', maker => {
  for (const key of maker.keys) {
    expect(ids({ [key]: 'some-key-0815' })).toEqual([maker.id])
    expect(ids({ [key]: ' ' })).toEqual([])
  }
})

test.each(makers.filter(maker => maker.keys.length === 0))(
  '[R20] $label needs an address and no key',
  maker => {
    expect(ids({ [maker.baseURLVariable]: 'http://127.0.0.1:11434' })).toEqual([maker.id])
  },
)

test('[R20] the settings may name another variable, and an endpoint may take a maker’s name', () => {
  const env = { MY_KEY: 'some-key-0815', OPENAI_API_KEY: 'other-key-4711' }
  const { connections } = reachOf({ env, makers: { openai: { keyEnv: 'MY_KEY' } } })
  expect(connections).toMatchObject([{ keyEnv: 'MY_KEY' }])
  const endpoints = [{ id: 'openai', baseURL: 'http://127.0.0.1:9/v1' }]
  const taken = reachOf({ env, endpoints })
  expect(taken.providers).toHaveLength(1)
  expect(taken.connections).toEqual([])
})

test('[R20] what is wrong is told, and repeats no address', () => {
  const env = { OPENAI_API_KEY: 'some-key-0815', OPENAI_BASE_URL: 'sk-secret-in-the-wrong-place' }
  expect(() => reachOf({ env })).toThrow(/^OPENAI_BASE_URL needs an address that begins with http/)
  expect(() => reachOf({ env })).not.toThrow(/sk-secret/)
  expect(() => reachOf({ env: {}, makers: { opnai: {} } })).toThrow(
    /no provider "opnai". Providers: .*openai/,
  )
})

test('[R20] what is known of a maker’s model comes from the catalogue, and the settings come first', () => {
  const env = { OPENAI_API_KEY: 'some-key-0815' }
  const own = { price: { input: 1, output: 2 } }
  const { connections } = reachOf({ env, makers: { openai: { models: { 'gpt-5.5': own } } } })
  const { provider } = connections[0]!
  expect(provider.known('gpt-5.5')).toMatchObject({ name: 'GPT-5.5', maker: 'OpenAI', ...own })
  expect(provider.known('no-such-model')).toEqual({})
  // Of this maker, but sold by others only: their price is not its.
  expect(provider.known('gpt-oss-120b')).toEqual({})
})
