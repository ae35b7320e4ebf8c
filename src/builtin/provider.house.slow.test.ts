import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  callTo,
  contractText,
  partsFrom,
  providerContract,
  textOf,
} from '../../test/contracts/providers-contract.ts'
import { engineOfTests } from '../../test/environment/engine.ts'
import { writeBabbler, writeParrot } from '../../test/house/tiny-gguf.ts'
import { fold } from '../core/fold.ts'
import { replyShape, type Shape } from '../core/form.ts'
import { type Question, questionSchema } from '../core/question.ts'
import { readReply } from '../core/reply.ts'
import type { Session } from '../core/session.ts'
import { smallCheck, smallPrompt } from '../protocols/small-model.ts'
import { busyBetween, freeCores, type House, house } from './provider.ts'

/** Every model is loaded by a process of its own, which takes seconds on a busy machine. */
vi.setConfig({ testTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), 'house-'))
const at = (name: string): string => join(folder, `${name}.gguf`)
/** One thread and no download: these models are half a megabyte. */
const tiny = { engine: async () => engineOfTests, threads: 1, models: { parrot: at('parrot') } }
const houses: House[] = []
const open = (settings = {}): House => {
  const opened = house({ ...tiny, ...settings })
  houses.push(opened)
  return opened
}

/** The model gets the start of every reply, and continues with these. */
const pieces = ['Größe', ' zählt', ' nicht', ', ', '🙂', ' Ordnung', ' schon', '.', '"}']
beforeAll(() => {
  writeParrot(at('parrot'), pieces)
  writeParrot(at('other'), ['Another', ' voice', '"}'])
  writeParrot(at('endless'), [' on', ' and', ' on and'], true)
  writeBabbler(at('babbler'), 'babbler')
})
afterAll(() => {
  for (const one of houses) one.stop()
  rmSync(folder, { recursive: true })
})

providerContract('house', async () => ({
  provider: open(),
  models: { speaks: 'parrot', fails: 'nobody', stalls: at('endless'), hangs: at('endless') },
  stop: async () => undefined,
}))

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await sleep(10)
}
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const errorOf = (parts: Awaited<ReturnType<typeof partsFrom>>) => {
  const last = parts.at(-1)
  return last?.type === 'error' ? last.error : undefined
}

test('[D1] a weights file is seated by its path or by a configured name', async () => {
  const one = open({ models: { polly: at('parrot') } })
  expect(textOf(await partsFrom(one, callTo('polly')))).toBe(contractText)
  expect(textOf(await partsFrom(one, callTo(at('parrot'))))).toBe(contractText)
  expect(one.known('polly')).toMatchObject({ name: 'polly (local)', maker: 'Built-in', price: { input: 0 } })
  expect(one.known(at('other'))).toMatchObject({ name: 'other (local)', small: true })
  expect(await one.list()).toEqual({ models: ['polly'] })
})

test('[D1] several models run side by side in one process', async () => {
  const one = open()
  const said = await Promise.all(
    ['parrot', 'other', 'parrot'].map(async name => textOf(await partsFrom(one, callTo(at(name))))),
  )
  expect(said).toEqual([contractText, '{"headline":"Another voice"}', contractText])
})

test('[D2] nothing is loaded before the first call, and idle memory is freed', async () => {
  const one = open({ idle: 50 })
  expect(one.pid).toBeUndefined()
  await partsFrom(one, callTo('parrot'))
  const pid = one.pid!
  await until(() => one.pid === undefined && !isAlive(pid))
  expect(textOf(await partsFrom(one, callTo('parrot')))).toBe(contractText)
})

test.each([
  [2, 0.2, 2],
  [2, 1.1, 1],
  [2, 5, 1],
  [16, 3, 8],
])('[D21] with %i cores, of which %d are in use, an answer uses %i', (cores, busy, threads) => {
  expect(freeCores(cores, busy)).toBe(threads)
})

test('[D21] cores that were not idle between two measurements are in use', () => {
  const core = (user: number, idle: number) => ({ times: { user, nice: 0, sys: 0, idle, irq: 0 } })
  const before = [core(900, 100), core(900, 100)]
  expect(busyBetween(before, [core(1_400, 100), core(900, 600)])).toBe(1)
  expect(busyBetween(before, [core(900, 600), core(900, 600)])).toBe(0)
  expect(busyBetween(before, before)).toBe(0)
})

test('[D3] the part that two prompts have in common is not read again', async () => {
  const one = open()
  const shared = 'What is said to all seats alike, and at some length. '.repeat(5)
  const cachedOf = async (own: string): Promise<number> => {
    const usage = (await partsFrom(one, callTo('parrot', { user: [shared, own] }))).find(
      part => part.type === 'usage',
    )
    return usage?.type === 'usage' ? (usage.usage.cachedTokens ?? 0) : 0
  }
  expect(await cachedOf('You are the first.')).toBe(0)
  expect(await cachedOf('Somebody else.')).toBeGreaterThan(200)
})

const questions = [
  questionSchema.parse({ text: 'Why?', format: 'open' }),
  questionSchema.parse({
    text: 'Which?',
    format: 'choice',
    options: ['Yes, "quite"', 'No\\never', '为什么'],
  }),
  questionSchema.parse({ text: 'How many?', format: 'number', unit: 'm' }),
  questionSchema.parse({ text: 'In which order?', format: 'ranking', options: ['One', 'Two', 'Three'] }),
]
const smallSession = (question: Question): Session =>
  fold([
    {
      ...{ type: 'session-opened', position: 0, at: '2026-01-01T00:00:00.000Z', id: 'x', question },
      seats: [{ id: 's1', alias: 'A', name: 'Tiny', model: 'house/tiny', small: true }],
      ...{
        moderator: null,
        protocol: 'poll',
        rounds: 0,
        names: 'hidden',
        language: null,
        seed: 'x',
        deadline: 60,
      },
    },
  ])

const finished = (parts: Awaited<ReturnType<typeof partsFrom>>): string => {
  expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  return textOf(parts)
}

/** The same form with shorter texts, because random letters need a token for every byte. */
const shortened = ({ name, json }: Shape): Shape => ({
  name,
  json: JSON.parse(JSON.stringify(json), (_key, value) =>
    value?.type === 'string' ? { maxLength: 40, ...value } : value,
  ),
})

test.each(questions.slice(0, 3))(
  '[D4] even a model with random weights keeps to the form of an answer: $format',
  async question => {
    const one = open()
    for (const seed of [1, 2, 3]) {
      const shape = shortened(replyShape(question, true))
      const parts = await partsFrom(one, callTo(at('babbler'), { shape, seed, maxOutputTokens: 1_900 }))
      // Random words also fill the field in which a seat declines.
      const reply = { ...JSON.parse(finished(parts)), declines: null }
      expect(readReply(reply, question, true)).toMatchObject({ ok: true })
    }
  },
)

test.each(questions)('[D4] every reply of a small model comes to an end: $format', async question => {
  const one = open()
  const session = smallSession(question)
  for (const seed of [1, 2, 3]) {
    const prompt = smallPrompt(session, 's1', 0)
    const call = callTo(at('babbler'), { ...prompt, seed, maxOutputTokens: 1_000 })
    expect(readReply(JSON.parse(finished(await partsFrom(one, call))), question, false)).toMatchObject({
      ok: true,
    })
  }
})

test('[D37] a small moderator repeats both headlines in its reply before it says yes or no', async () => {
  const one = open()
  const headlines = ['He said "no".\\', 'Größe: 为什么'] as const
  for (const seed of [1, 2, 3]) {
    const prompt = smallCheck(questions[0]!, headlines)
    const call = callTo(at('babbler'), { ...prompt, seed, maxOutputTokens: 20 })
    const reply = JSON.parse(finished(await partsFrom(one, call)))
    expect(reply).toEqual({
      first: headlines[0],
      second: headlines[1],
      same: expect.stringMatching(/^(yes|no)$/),
    })
  }
})

test('[D38] a model that is caught in a loop gets out of it, unless its temperature is 0', async () => {
  const one = open()
  const said = async (temperature: number): Promise<string> =>
    textOf(await partsFrom(one, callTo(at('endless'), { temperature, seed: 1, maxOutputTokens: 60 })))
  expect(await said(0)).toContain(' on and'.repeat(40))
  expect(await said(0.5)).not.toContain(' on and'.repeat(40))
})

test('[D5] if the process dies during a call, the call fails and the next one starts another process', async () => {
  const one = open()
  const parts = []
  for await (const part of one.stream(callTo(at('endless'), { maxOutputTokens: 1_500 }))) {
    if (parts.push(part) === 1) process.kill(one.pid!, 'SIGKILL')
  }
  expect(errorOf(parts)).toMatchObject({ kind: 'server-error', message: expect.stringContaining('SIGKILL') })
  expect(textOf(await partsFrom(one, callTo('parrot')))).toBe(contractText)
})

test('[D6] a broken file is reported, and works once it is repaired', async () => {
  const one = open()
  writeFileSync(at('broken'), 'GGUF and nothing else')
  expect(errorOf(await partsFrom(one, callTo(at('broken'))))).toMatchObject({ kind: 'bad-request' })
  writeParrot(at('broken'), pieces)
  expect(textOf(await partsFrom(one, callTo(at('broken'))))).toBe(contractText)
})

test('[D6] a prompt that is too long is reported before it is read', async () => {
  const call = callTo('parrot', { user: ['word '.repeat(1_000)] })
  expect(errorOf(await partsFrom(open(), call))).toMatchObject({ kind: 'context-overflow' })
})

test('[D6] the error for a missing model says what to do', async () => {
  const error = errorOf(await partsFrom(open(), callTo('/no/such.gguf')))
  expect(error).toMatchObject({ kind: 'unknown-model', message: expect.stringContaining('full path') })
})

test('[D4] the random model is a real file of half a megabyte', () => {
  expect(existsSync(at('babbler'))).toBe(true)
  expect(Math.round(statSync(at('babbler')).size / 100_000)).toBe(5)
})
