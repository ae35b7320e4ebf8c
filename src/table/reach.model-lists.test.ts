import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ModelFacts, Provider } from '../models/provider.ts'
import { scripted } from '../models/scripted.ts'
import { type ListSource, type ModelLists, modelLists } from './reach.ts'

let path = ''
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-lists-'))
  path = join(folder, 'models.json')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

let now = 1_000_000_000_000
const listsOf = (source: ListSource): ModelLists =>
  modelLists(
    path,
    () => now,
    () => source,
  )

interface Listing extends Provider {
  asked: number
}

const listing = (
  id: string,
  models: readonly string[] | 'broken' | 'slow',
  facts: ModelFacts = {},
): Listing => {
  const provider: Listing = {
    ...scripted(() => ''),
    id,
    asked: 0,
    facts: async () => facts,
    async list(signal) {
      provider.asked++
      if (models === 'slow') await new Promise(resolve => signal?.addEventListener('abort', resolve))
      if (typeof models !== 'string') return { models }
      return { error: { kind: 'overload', message: 'come back later' } }
    },
  }
  return provider
}

const second = 1_000

describe('what providers list', () => {
  test('[G17] joins the catalogue where it is new and writes text', async () => {
    const lists = listsOf('maker')
    await lists.refresh(
      [listing('openai', ['gpt-5.5', 'gpt-99', 'text-embedding-99', 'gpt-5.5-2026-04-23'])],
      second,
    )
    const known = lists.catalogue()
    expect(known.find('openai/gpt-99')?.model).toMatchObject({
      provider: 'openai',
      maker: 'openai',
      name: 'gpt-99',
    })
    expect(known.find('openai/text-embedding-99')).toBeUndefined()
    expect(known.find('GPT-5.5')?.model).toMatchObject({ id: 'openai/gpt-5.5', name: 'GPT-5.5' })
    expect(known.models.some(model => model.id === 'openai/gpt-5.5-2026-04-23')).toBe(false)
  })

  test('[G17] of one’s own servers is taken as they say it', async () => {
    const lists = listsOf('local')
    await lists.refresh([listing('box', ['qwen3:8b'], { context: 4_096 })], second)
    expect(lists.catalogue().find('box/qwen3:8b')?.model).toMatchObject({
      name: 'qwen3:8b',
      maker: 'alibaba',
      context: 4_096,
      local: true,
    })
  })

  test('[G18] is kept for a day', async () => {
    const provider = listing('openai', ['gpt-99'])
    await listsOf('maker').refresh([provider], second)
    const later = listsOf('maker')
    expect(later.stale([provider])).toEqual([])
    expect(later.catalogue().find('openai/gpt-99')).toBeDefined()
    expect(statSync(path).mode & 0o077).toBe(0)
    now += 86_400_001
    expect(later.stale([provider])).toEqual([provider])
  })

  test('[G18] stays what it was where a provider does not answer, which is told and not tried again that day', async () => {
    await listsOf('maker').refresh([listing('openai', ['gpt-99'])], second)
    now += 86_400_001
    const broken = listing('openai', 'broken')
    const lists = listsOf('maker')
    expect(await lists.refresh([broken, listing('xai', ['grok-99'])], second)).toMatchObject([
      { provider: 'openai', error: { message: 'come back later' } },
    ])
    expect(lists.stale([broken])).toEqual([])
    expect(lists.catalogue().find('openai/gpt-99')).toBeDefined()
    expect(lists.catalogue().find('xai/grok-99')).toBeDefined()
  })

  test('[G18] is none where the file is damaged', () => {
    for (const text of ['{"openai":', '{"openai":{"at":"now"}}', '[]']) {
      writeFileSync(path, text)
      expect(listsOf('maker').catalogue().find('GPT-5.5')).toBeDefined()
    }
  })

  test('[G19] and was not waited for is asked for again next time', async () => {
    const slow = listing('openai', 'slow')
    const over = new AbortController()
    const lists = listsOf('maker')
    const refreshing = lists.refresh([slow, listing('xai', ['grok-99'])], 60 * second, over.signal)
    over.abort()
    expect(await refreshing).toEqual([])
    expect(lists.stale([slow])).toEqual([slow])
    expect(Object.keys(JSON.parse(readFileSync(path, 'utf8')))).toEqual(['xai'])
  })
})
