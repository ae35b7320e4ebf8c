import { afterEach, describe, expect, test } from 'vitest'
import type { LabOptions } from '../../test/lab/options.ts'
import { type Lab, startLab } from '../../test/lab/server.ts'
import { openAICompatible } from './chat.ts'

const labs: Lab[] = []
afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.stop()
})

const start = async (options: LabOptions): Promise<Lab> => {
  const lab = await startLab(options)
  labs.push(lab)
  return lab
}

const models = { small: { max_model_len: 4_096 }, large: { context_length: 131_072 }, plain: {} }

describe('facts', () => {
  test('[W19] come from the settings, or from the endpoint, which is asked only once', async () => {
    const { baseURL, calls } = await start({ models })
    const own = { context: 1_000, price: { input: 1, output: 2 } }
    const provider = openAICompatible({ id: 'lab', baseURL, models: { own } })
    expect(await provider.facts('own')).toEqual(own)
    expect(provider.known('own')).toEqual(own)
    expect(calls).toHaveLength(0)
    const all = await Promise.all(['small', 'large', 'plain', 'none'].map(model => provider.facts(model)))
    expect(all).toEqual([{ context: 4_096 }, { context: 131_072 }, {}, {}])
    await provider.facts('small')
    expect(calls).toHaveLength(1)
  })

  test('[W19] are empty if the endpoint does not answer or the caller aborts', async () => {
    const lab = await startLab()
    await lab.stop()
    expect(await openAICompatible({ id: 'lab', baseURL: lab.baseURL }).facts('m0')).toEqual({})
    const { baseURL } = await start({ models })
    expect(await openAICompatible({ id: 'lab', baseURL }).facts('small', AbortSignal.abort())).toEqual({})
  })
})

describe('list', () => {
  test('[W20] names the models that the endpoint lists', async () => {
    const { baseURL } = await start({ models })
    expect(await openAICompatible({ id: 'lab', baseURL }).list()).toEqual({
      models: ['small', 'large', 'plain'],
    })
  })

  test('[W20] is an error with its reason if the endpoint does not send it', async () => {
    const { baseURL } = await start({ models, key: 'sk-lab-0123456789' })
    expect(await openAICompatible({ id: 'lab', baseURL }).list()).toMatchObject({
      error: { kind: 'wrong-key', status: 401 },
    })
    const elsewhere = openAICompatible({ id: 'lab', baseURL: baseURL.replace('/v1', '/v2') })
    expect(await elsewhere.list()).toMatchObject({ error: { kind: 'wrong-key' } })
    const aborted = openAICompatible({ id: 'lab', baseURL })
    expect(await aborted.list(AbortSignal.abort())).toMatchObject({ error: { kind: 'network' } })
  })
})
