/** How a maker's failures must be reported. */

import { expect, test } from 'vitest'
import type { ModelErrorKind } from '../../src/core/basics.ts'
import { callTo, contractText, partsFrom, textOf } from '../contracts/providers-contract.ts'
import { key, type MakerRecord } from './record.ts'
import { connected, failureOf, partsOf, saying, started } from './setting.ts'
import { startWire } from './wire.ts'

export const errorTests = (record: MakerRecord): void => {
  test.each(record.errors)('[K4] $status is $kind: $words', async one => {
    const { error, retryAfterMs } = failureOf(await partsOf(record, one))
    expect(error).toMatchObject({ kind: one.kind, status: one.status })
    expect(error.message).toContain(one.words)
    expect(retryAfterMs).toBe(one.retryAfterMs)
  })

  test('[W11] a key in an error message is removed', async () => {
    const one = record.errors.find(({ kind }) => kind === 'wrong-key')!
    const body = JSON.stringify(one.body).replace(one.words, `${one.words} Not ${key}!`)
    const parts = await partsOf(record, { ...one, body })
    expect(failureOf(parts).error.message).toContain('Not [key]!')
    expect(JSON.stringify(parts)).not.toContain(key)
  })

  test('[K4] every kind of failure has a test', () => {
    const kinds: ModelErrorKind[] = [
      'wrong-key',
      'no-credit',
      'rate-limit',
      'overload',
      'context-overflow',
      'unknown-model',
    ]
    expect(new Set(record.errors.map(({ kind }) => kind))).toEqual(
      new Set([...kinds, ...record.errors.map(({ kind }) => kind)]),
    )
  })

  test('[K5] if a maker cannot be reached, the error names its host and port', async () => {
    const wire = await startWire(() => undefined)
    await wire.stop()
    const { error } = failureOf(await partsFrom(connected(record, wire.origin), callTo(record.model)))
    expect(error).toMatchObject({ kind: 'network', message: expect.stringContaining('ECONNREFUSED') })
    expect(error.message).toContain(new URL(wire.origin).host)
  })

  test.each(['cut', undefined] as const)(
    '[K5] a stream that stops is cut off, not finished (%s)',
    async ending => {
      const { words } = record.wire.events({ text: contractText })
      const parts = await partsOf(record, { events: words, ...(ending && { ending }) })
      expect(failureOf(parts).error.kind).toBe('network')
      expect(contractText.startsWith(textOf(parts))).toBe(true)
    },
  )

  test.skipIf(!record.midway)('[K5] an error midway ends the reply, after the text before it', async () => {
    const { event, kind, words: said } = record.midway!
    const text = `It might be the beginning of a key: ${key.slice(0, 6)}`
    const { words, end } = record.wire.events({ text })
    const parts = await partsOf(record, { events: [...words, event, ...end] })
    expect(textOf(parts)).toBe(text)
    expect(failureOf(parts).error).toMatchObject({ kind, message: expect.stringContaining(said) })
    expect(parts.filter(part => part.type === 'finish')).toEqual([])
  })
}

export const oddTests = (record: MakerRecord): void => {
  test('[K5] a page instead of a reply is reported with its text', async () => {
    const headers = { 'content-type': 'text/html' }
    const body = '<html><head><title>Sign in</title></head><body>to the network</body></html>'
    const { error } = failureOf(await partsOf(record, { status: 200, headers, body }))
    expect(error.kind).toBe('server-error')
    expect(error.message).toContain('Sign in to the network')
  })

  test('[K15] a redirect is reported and not followed', async () => {
    const elsewhere = await started(record, () => saying(record, { text: contractText }))
    const headers = { location: `${elsewhere.wire.origin}/v1` }
    const { error } = failureOf(await partsOf(record, { status: 307, headers, body: '' }))
    expect(error).toMatchObject({ status: 307, message: expect.stringContaining('the endpoint redirects') })
    expect(elsewhere.wire.requests).toEqual([])
  })

  test('[K5] a stream that ends before it begins is cut off', async () => {
    expect(failureOf(await partsOf(record, { events: [] })).error.kind).toBe('network')
  })

  test.skipIf(!record.midway)('[K5] an error before the first word is the same error', async () => {
    const { event, kind, words } = record.midway!
    const parts = await partsOf(record, { events: [event] })
    expect(parts).toHaveLength(1)
    expect(failureOf(parts).error).toMatchObject({ kind, message: expect.stringContaining(words) })
  })
}
