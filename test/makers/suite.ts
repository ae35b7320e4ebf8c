/** What every maker must do in its own format. A maker's test is a record of its format and its words. */

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { shapeOf } from '../../src/core/form.ts'
import { callTo, contractText, partsFrom, providerContract, textOf } from '../contracts/providers-contract.ts'
import { errorTests, oddTests } from './failures.ts'
import { askedUnderBudget, expectCutOff, flood } from './flood.ts'
import { key, type MakerRecord } from './record.ts'
import { connected, failureOf, partsOf, saying, started } from './setting.ts'
import { startWire, type WireRequest } from './wire.ts'

export { key, type MakerRecord, type Said, type WireFormat } from './record.ts'

const isCall = (request: WireRequest): boolean => request.method === 'POST'

const contractFor = (record: MakerRecord): void =>
  providerContract(record.maker.id, async () => {
    const { words, end } = record.wire.events({ text: contractText })
    const wire = await startWire(request => {
      if (!isCall(request)) return { status: 404, body: {} }
      const model = record.wire.modelOf(request)
      if (model.endsWith('speaks')) return { events: [...words, ...end] }
      if (model.endsWith('stalls')) return { events: words, ending: 'hang' }
      return model.endsWith('fails') ? { status: 500, body: { message: 'The lab burns.' } } : undefined
    })
    return {
      provider: connected(record, wire.origin),
      models: {
        speaks: `${record.model}-speaks`,
        fails: `${record.model}-fails`,
        stalls: `${record.model}-stalls`,
        hangs: `${record.model}-hangs`,
      },
      stop: wire.stop,
    }
  })

const requestTests = (record: MakerRecord): void => {
  test.each(record.requests.map(one => [one.title, one] as const))(
    '[K1] the request has exactly these fields: %s',
    async (_title, { model, call: changes, path, headers, body }) => {
      const { wire, provider } = await started(record, () => saying(record, { text: contractText }))
      const call = callTo(model, changes)
      expect((await partsFrom(provider, call)).at(-1)).toEqual({ type: 'finish', reason: 'stop' })
      const [sent, ...more] = wire.requests
      expect(more).toEqual([])
      expect(sent?.path).toBe(record.wire.basePath + path)
      expect(sent?.headers).toMatchObject(headers)
      expect(sent?.body).toEqual(body(call))
    },
  )

  test('[K1] an empty system prompt is left out', async () => {
    const { wire, provider } = await started(record, () => saying(record, { text: contractText }))
    await partsFrom(provider, callTo(record.model, { system: '' }))
    expect(JSON.stringify(wire.requests[0]?.body)).not.toMatch(/"(?:system|developer|systemInstruction)"/)
  })

  test.skipIf(!record.schema)(
    '[K6] a rejected schema goes into the prompt, for all later calls too',
    async () => {
      const { refused, asked } = record.schema!
      const { wire, provider } = await started(record, request =>
        asked(request) ? refused : saying(record, { text: contractText }),
      )
      const said = async (): Promise<string> => textOf(await partsFrom(provider, callTo(record.model)))
      expect(await Promise.all([said(), said()])).toEqual([contractText, contractText])
      expect(await said()).toBe(contractText)
      const [first, ...others] = wire.requests.filter(request => !asked(request)).map(({ body }) => body)
      expect(wire.requests.filter(asked)).toHaveLength(2)
      expect(others).toEqual([first, first])
      expect(JSON.stringify(first)).toContain('Reply with one JSON object')
    },
  )
}

/** Not in the order of the alphabet, so that a wire that sorts keys is found out. */
const orderedShape = shapeOf(
  'answer',
  z.strictObject({
    points: z.array(z.strictObject({ quote: z.string(), judgement: z.string() })),
    reasoning: z.string(),
    choice: z.string(),
    headline: z.string(),
  }),
)

/** All lists of keys in a body that say in which order a form is filled in. */
const ordersIn = (value: unknown): string[] => {
  if (typeof value === 'string') return /in this order: (.+)\./.exec(value)?.slice(1) ?? []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => {
    const names = key === 'propertyOrdering' ? (one as string[]) : Object.keys(one ?? {})
    const isOrder = key === 'properties' || key === 'propertyOrdering'
    return [...(isOrder ? [names.join(', ')] : []), ...ordersIn(one)]
  })
}

const orderTests = (record: MakerRecord): void => {
  const outer = 'points, reasoning, choice, headline'
  const inner = 'quote, judgement'

  test('[K26] the keys of a form arrive in the order they have, or the order is told in words', async () => {
    const { wire, provider } = await started(record, () => saying(record, { text: contractText }))
    await partsFrom(provider, callTo(record.model, { shape: orderedShape }))
    const found = ordersIn(wire.requests[0]?.body)
    expect(found).toContain(outer)
    expect(new Set(found.filter(order => order !== inner))).toEqual(new Set([outer]))
  })

  test.skipIf(!record.schema)('[K26] a model that refuses a schema is told the order', async () => {
    const { refused, asked } = record.schema!
    const { wire, provider } = await started(record, request =>
      asked(request) ? refused : saying(record, { text: contractText }),
    )
    await partsFrom(provider, callTo(record.model, { shape: orderedShape }))
    expect(JSON.stringify(wire.requests.at(-1)?.body)).toContain(`in this order: ${outer}.`)
  })
}

const replyTests = (record: MakerRecord): void => {
  test.each(record.usages.map(one => [one.title, one] as const))(
    '[K2] usage is read as the maker counts it: %s',
    async (_title, { raw, usage }) => {
      const parts = await partsOf(record, saying(record, { text: contractText, usage: raw }))
      expect(parts.filter(part => part.type === 'usage')).toEqual([{ type: 'usage', usage }])
    },
  )

  test.skipIf(record.thinks === false)('[K3] reasoning is thinking and not text', async () => {
    const parts = await partsOf(record, saying(record, { thinking: 'Hm, let me see.', text: contractText }))
    expect(textOf(parts, 'thinking')).toBe('Hm, let me see.')
    expect(textOf(parts)).toBe(contractText)
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })

  test('[W12] a leading think block is thinking, too', async () => {
    const parts = await partsOf(record, saying(record, { text: `<think>Hm.</think>\n\n${contractText}` }))
    expect(textOf(parts, 'thinking')).toBe('Hm.')
    expect(textOf(parts)).toBe(contractText)
  })

  test.each(record.endings)('[K8] the finish reason is read: $said.finish', async ({ said, ends }) => {
    const parts = await partsOf(record, saying(record, said))
    expect(textOf(parts)).toBe(said.text ?? '')
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: ends })
  })

  test.skipIf(!record.refuses)('[K8] a refusal is not text', async () => {
    const parts = await partsOf(record, saying(record, { refusal: 'I would rather not say.' }))
    expect(textOf(parts, 'refusal')).toBe('I would rather not say.')
    expect(textOf(parts)).toBe('')
    expect(parts.at(-1)?.type).toBe('finish')
  })

  test('[K9] one body instead of a stream is read, without a second request', async () => {
    const body = record.wire.whole({ text: contractText })
    const { wire, provider } = await started(record, () => ({ status: 200, body }))
    const parts = await partsFrom(provider, callTo(record.model))
    expect(textOf(parts)).toBe(contractText)
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    expect(wire.requests).toHaveLength(1)
  })

  test('[W11] a key in the reply is removed, even if it comes in pieces', async () => {
    const parts = await partsOf(record, saying(record, { text: `My key is ${key}, I think.` }))
    expect(textOf(parts)).toBe('My key is [key], I think.')
  })
}

const connectionTests = (record: MakerRecord): void => {
  const { words } = record.wire.events({ text: contractText })

  test('[K7] an abort closes the connection', async () => {
    const { wire, provider } = await started(record, () => ({ events: words, ending: 'hang' }))
    const control = new AbortController()
    for await (const part of provider.stream(callTo(record.model, { signal: control.signal })))
      if (part.type === 'text') control.abort()
    await wire.requests[0]?.over
    expect(wire.requests[0]?.state).toBe('closed')
  })

  test('[K7] if the reader leaves early, the connection is closed', async () => {
    const { wire, provider } = await started(record, () => ({ events: words, ending: 'hang' }))
    for await (const part of provider.stream(callTo(record.model))) if (part.type === 'text') break
    await wire.requests[0]?.over
    expect(wire.requests[0]?.state).toBe('closed')
  })

  test.skipIf(!record.midway)('[K7] an error closes the connection, even if the maker does not', async () => {
    const { event } = record.midway!
    const { wire, provider } = await started(record, () => ({ events: [event], ending: 'hang' }))
    failureOf(await partsFrom(provider, callTo(record.model)))
    await wire.requests[0]?.over
    expect(wire.requests[0]?.state).toBe('closed')
  })

  test('[K10] the list of models is read', async () => {
    const { basePath = record.wire.basePath, path, headers, body, models } = record.listing
    const { wire, provider } = await started(record, () => ({ status: 200, body }))
    expect(await provider.list()).toEqual({ models })
    expect(wire.requests[0]).toMatchObject({ method: 'GET', path: basePath + path, headers })
  })

  test('[K10] if the list is refused, the error says why, without the key', async () => {
    const { status, body, words } = record.errors.find(({ kind }) => kind === 'wrong-key')!
    const { provider } = await started(record, () => ({ status, body }))
    expect(await provider.list()).toMatchObject({
      error: { kind: 'wrong-key', message: expect.stringContaining(words) },
    })
  })
}

const budgetTests = (record: MakerRecord): void => {
  test('[R50] a stream that is longer than it was allowed is cut off, and its connection is closed', async () => {
    const { words } = record.wire.events({ text: flood })
    const { wire, provider } = await started(record, () => ({ events: words, ending: 'hang' }))
    expectCutOff(await askedUnderBudget(provider, record.model))
    await wire.requests[0]?.over
    expect(wire.requests.map(({ state }) => state)).toEqual(['closed'])
  })

  test('[R50] one body that is longer than it was allowed is cut off', async () => {
    const body = record.wire.whole({ text: flood })
    const { wire, provider } = await started(record, () => ({ status: 200, body }))
    expectCutOff(await askedUnderBudget(provider, record.model))
    expect(wire.requests).toHaveLength(1)
  })
}

/** Runs all tests for one maker. */
export const makerSuite = (record: MakerRecord): void => {
  contractFor(record)
  describe(`${record.maker.id} in its own wire format`, () => {
    requestTests(record)
    orderTests(record)
    replyTests(record)
    errorTests(record)
    oddTests(record)
    connectionTests(record)
    budgetTests(record)
  })
}
