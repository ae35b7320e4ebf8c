/** The test suite that every provider must pass. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { shapeOf } from '../../src/core/form.ts'
import type { ModelCall, ModelPart, Provider } from '../../src/models/provider.ts'

export const contractText = '{"headline":"Größe zählt nicht, 🙂 Ordnung schon."}'

/** A provider with four models that do what their names say. `stalls` sends a few words first. */
export interface ContractSetup {
  readonly provider: Provider
  readonly models: Readonly<Record<'speaks' | 'fails' | 'stalls' | 'hangs', string>>
  stop(): Promise<void>
}

export const callTo = (model: string, changes: Partial<ModelCall> = {}): ModelCall => ({
  model,
  system: 'Be brief.',
  user: ['The question:', 'Does size matter?'],
  shape: shapeOf('answer', z.strictObject({ headline: z.string() })),
  maxOutputTokens: 500,
  signal: new AbortController().signal,
  ...changes,
})

export const partsFrom = async (provider: Provider, call: ModelCall): Promise<ModelPart[]> => {
  const parts: ModelPart[] = []
  for await (const part of provider.stream(call)) parts.push(part)
  return parts
}

export const textOf = (parts: readonly ModelPart[], type: 'text' | 'thinking' | 'refusal' = 'text'): string =>
  parts.map(part => (part.type === type ? part.text : '')).join('')

const cancelled = { type: 'error', error: { kind: 'cancelled', message: 'the call was cancelled' } }

export const providerContract = (name: string, setUp: () => Promise<ContractSetup>): void => {
  describe(`${name} keeps the contract`, () => {
    let setup: ContractSetup
    beforeAll(async () => {
      setup = await setUp()
    })
    afterAll(() => setup.stop())

    test('[W1] text comes in order, then usage, then a finish, and nothing after that', async () => {
      const parts = await partsFrom(setup.provider, callTo(setup.models.speaks))
      expect(textOf(parts)).toBe(contractText)
      const usage = parts.at(-2)
      expect(usage?.type === 'usage' && usage.usage.inputTokens > 0 && usage.usage.outputTokens > 0).toBe(
        true,
      )
      expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
      expect(parts.filter(part => part.type === 'finish' || part.type === 'error')).toHaveLength(1)
    })

    test('[W1] calls at the same time do not mix', async () => {
      const calls = Array.from({ length: 20 }, () => partsFrom(setup.provider, callTo(setup.models.speaks)))
      for (const parts of await Promise.all(calls)) expect(textOf(parts)).toBe(contractText)
    })

    test('[W2] a failure is the last part and has a message; nothing is thrown', async () => {
      const parts = await partsFrom(setup.provider, callTo(setup.models.fails))
      const last = parts.at(-1)
      expect(last?.type).toBe('error')
      expect(last?.type === 'error' && last.error.message.length).toBeGreaterThan(0)
    })

    test('[W3] an abort before the first word ends the stream as cancelled', async () => {
      const control = new AbortController()
      const parts = partsFrom(setup.provider, callTo(setup.models.hangs, { signal: control.signal }))
      setImmediate(() => control.abort())
      expect(await parts).toEqual([cancelled])
    })

    test('[W3] an abort between two words ends the stream as cancelled', async () => {
      const control = new AbortController()
      const parts: ModelPart[] = []
      const call = callTo(setup.models.stalls, { signal: control.signal })
      for await (const part of setup.provider.stream(call)) {
        parts.push(part)
        control.abort()
      }
      expect(parts[0]?.type).toBe('text')
      expect(parts.at(-1)).toEqual(cancelled)
    })

    test('[W3] a call that is already cancelled is not made', async () => {
      const call = callTo(setup.models.speaks, { signal: AbortSignal.abort() })
      expect(await partsFrom(setup.provider, call)).toEqual([cancelled])
    })

    test('[W4] a reader may leave early', async () => {
      for await (const part of setup.provider.stream(callTo(setup.models.stalls))) {
        expect(part.type).toBe('text')
        break
      }
    })

    test('[W19] an unknown model has no facts, and asking for them never fails', async () => {
      expect(await setup.provider.facts('no-such-model')).toEqual({})
      expect(setup.provider.known('no-such-model')).toEqual({})
    })
  })
}
