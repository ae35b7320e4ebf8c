import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { catalogue, familyOf } from './catalogue.ts'

const count = z.number().int().positive()
const dollars = z.number().nonnegative()
const storedModel = z.strictObject({
  provider: z.string().min(1),
  model: z.string().min(1),
  name: z.string().min(1),
  maker: z.string().min(1),
  family: z.string(),
  context: count.optional(),
  maxOutput: count.optional(),
  price: z
    .strictObject({
      input: dollars,
      output: dollars,
      cachedInput: dollars.optional(),
      cacheWrite: dollars.optional(),
      reasoning: dollars.optional(),
    })
    .optional(),
  abilities: z.strictObject({
    reasoning: z.boolean().optional(),
    temperature: z.boolean().optional(),
    pictures: z.boolean().optional(),
  }),
  openWeights: z.boolean().optional(),
})
const text = readFileSync(new URL('./models.json', import.meta.url), 'utf8')
const stored = z
  .strictObject({ notes: z.array(z.string()), models: z.array(storedModel) })
  .parse(JSON.parse(text))

test('[G11] the stored catalogue is complete, sorted and small, and names its source and licence', () => {
  const ids = stored.models.map(one => `${one.provider}/${one.model}`)
  expect(ids).toEqual([...new Set(ids)].sort())
  expect(text.length).toBeLessThan(600_000)
  expect(stored.notes.join(' ')).toMatch(/models\.dev.*MIT/)
  for (const one of stored.models) expect(one.family).toBe(familyOf(one.name))
})

test('[G11] it has only models that chat in text', () => {
  const others = /embed|whisper|gpt-image|realtime|-tts|transcribe|moderation|guard|lyria/
  expect(stored.models.filter(one => others.test(one.model))).toEqual([])
})

test('[G12] only free models have a price of zero', () => {
  const free = catalogue().models.filter(one => one.price?.output === 0)
  for (const one of free) expect(one.id).toMatch(/[:-]free$|^zai\/.*flash$/)
  expect(catalogue().find('groq/allam-2-7b')?.model.price).toBeUndefined()
})

test('[G13] importing the catalogue reads nothing until the first search', () => {
  const script = `
    const fs = await import('node:fs')
    const before = performance.now()
    const { catalogue } = await import(${JSON.stringify(new URL('./catalogue.ts', import.meta.url).href)})
    const imported = performance.now()
    const read = fs.default.readFileSync
    let reads = 0
    fs.default.readFileSync = (...path) => { reads++; return read(...path) }
    ;(await import('node:module')).syncBuiltinESMExports()
    const found = catalogue().find('Claude Sonnet 4.6')
    const first = performance.now()
    catalogue().find('GPT-5.5')
    console.log(JSON.stringify({ reads, id: found.model.id, import: imported - before, first: first - imported, next: performance.now() - first }))`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  const seen = JSON.parse(run.stdout)
  expect(seen).toMatchObject({ reads: 1, id: 'anthropic/claude-sonnet-4-6' })
  const [load, first, next] = [seen.import, seen.first, seen.next].map(one => `${one.toFixed(1)} ms`)
  console.log(`catalogue: import ${load}, first find ${first}, next ${next}`)
})
