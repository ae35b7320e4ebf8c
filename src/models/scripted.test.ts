import { describe, expect, test } from 'vitest'
import {
  callTo,
  contractText,
  partsFrom,
  providerContract,
  textOf,
} from '../../test/contracts/providers-contract.ts'
import { type Script, scripted } from './scripted.ts'

const script: Script = ({ model }) => {
  switch (model) {
    case 'fails':
      return { parts: [{ type: 'error', error: { kind: 'server-error', message: 'It broke.' } }] }
    case 'stalls':
      return { parts: [{ type: 'text', text: 'A few words' }, { type: 'hang' }] }
    case 'hangs':
      return { parts: [{ type: 'hang' }] }
    default:
      return contractText
  }
}

providerContract('scripted', async () => ({
  provider: scripted(script),
  models: { speaks: 'speaks', fails: 'fails', stalls: 'stalls', hangs: 'hangs' },
  async stop() {},
}))

describe('scripted', () => {
  test('[W25] is labelled as scripted', () => {
    expect(scripted(script)).toMatchObject({ id: 'scripted', scripted: true, label: 'Scripted (no model)' })
  })

  test('[W25] an object is sent as JSON, the same parts each time', async () => {
    const provider = scripted(({ user }) => ({ headline: 'Yes.', read: user.length }))
    const parts = await partsFrom(provider, callTo('any'))
    expect(JSON.parse(textOf(parts))).toEqual({ headline: 'Yes.', read: 2 })
    expect(await partsFrom(provider, callTo('any'))).toEqual(parts)
  })

  test('[W25] with a pace, the given sleep runs before each word', async () => {
    const slept: number[] = []
    const sleep = async (milliseconds: number): Promise<void> => void slept.push(milliseconds)
    const provider = scripted(() => 'one two three', { pace: ({ model }) => Number(model), sleep })
    expect(textOf(await partsFrom(provider, callTo('40')))).toBe('one two three')
    expect(slept).toEqual([40, 40, 40])
  })

  test('[W25] if the script throws, the reply is an error part', async () => {
    const provider = scripted(() => {
      throw new Error('no line for this seat')
    })
    expect(await partsFrom(provider, callTo('any'))).toEqual([
      {
        type: 'error',
        error: { kind: 'bad-request', message: 'the script failed: no line for this seat' },
      },
    ])
  })
})
