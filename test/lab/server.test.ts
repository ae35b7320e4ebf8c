import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { replyShape, type Shape } from '../../src/core/form.ts'
import { questionSchema } from '../../src/core/question.ts'
import { readReply } from '../../src/core/reply.ts'
import { openAICompatible } from '../../src/models/chat.ts'
import { callTo, partsFrom, textOf } from '../contracts/providers-contract.ts'
import type { LabOptions } from './options.ts'
import { type Lab, startLab } from './server.ts'

const labs: Lab[] = []
afterEach(async () => {
  for (const lab of labs.splice(0)) await lab.stop()
})

const start = async (options: LabOptions = {}): Promise<Lab> => {
  const lab = await startLab(options)
  labs.push(lab)
  return lab
}

/** A lab model's reply in this shape. */
const said = async (
  lab: Lab,
  model: string,
  shape: Shape,
  user: readonly string[] = ['?'],
): Promise<string> => {
  const provider = openAICompatible({ id: 'lab', baseURL: lab.baseURL })
  return textOf(await partsFrom(provider, callTo(model, { shape, user })))
}

const shapeWith = (properties: Record<string, unknown>): Shape => ({
  name: 'form',
  json: { type: 'object', properties },
})

describe('the lab', () => {
  const questions = [
    { text: 'Start small?' },
    { text: 'Which one?', format: 'choice', options: ['Red', 'Green', 'Blue'] },
    { text: 'In which order?', format: 'ranking', options: ['Red', 'Green', 'Blue'] },
    { text: 'How many?', format: 'number', unit: 'km' },
  ].map(question => questionSchema.parse(question))

  test.each(questions)('[W27] answers a question of format $format, the same each time', async question => {
    const lab = await start({ models: { plain: { schema: 'refused' } } })
    for (const model of ['m0', 'm1', 'plain']) {
      const shape = replyShape(question, true)
      const text = await said(lab, model, shape)
      expect(readReply(JSON.parse(text), question, true)).toMatchObject({ ok: true })
      expect(await said(lab, model, shape)).toBe(text)
    }
  })

  test('[W27] labels headlines by what they say, and compares them', async () => {
    const lab = await start()
    const seats = ['{"seat":"A","headline":"Yes."}', '{"seat":"B","headline":"No."}'].join('\n')
    const labels = await said(lab, 'm0', shapeWith({ A: { type: 'string' }, B: { type: 'string' } }), [seats])
    expect(JSON.parse(labels)).toEqual({ A: 'Yes.', B: 'No.' })
    const relation = shapeWith({ relation: { enum: ['same', 'different'] } })
    const relationOf = async (first: string, second: string): Promise<unknown> =>
      JSON.parse(await said(lab, 'm0', relation, [JSON.stringify({ first }), JSON.stringify({ second })]))
    expect(await relationOf('Yes.', 'Yes.')).toEqual({ relation: 'same' })
    expect(await relationOf('Yes.', 'No.')).toEqual({ relation: 'different' })
    const pairs = ['Yes.', 'No.'].map((second, index) =>
      JSON.stringify({ pair: `p${index + 1}`, first: 'Yes.', second }),
    )
    const several = shapeWith({ p1: { enum: ['same'] }, p2: { enum: ['same'] } })
    expect(JSON.parse(await said(lab, 'm0', several, pairs))).toEqual({ p1: 'same', p2: 'different' })
  })

  test('[W27] replies have the requested number of tokens', async () => {
    const lab = await start({ tokens: 200 })
    const provider = openAICompatible({ id: 'lab', baseURL: lab.baseURL })
    const shape = replyShape(questions[0]!, false)
    const parts = await partsFrom(provider, callTo('m0', { shape }))
    expect(parts.find(part => part.type === 'usage')).toMatchObject({ usage: { outputTokens: 200 } })
  })

  test('[W27] a fault may affect only the first calls', async () => {
    const lab = await start({ models: { m0: { fault: 'rate-limit', first: 2 } }, handler: () => 'Fine.' })
    const provider = openAICompatible({ id: 'lab', baseURL: lab.baseURL })
    const ends = []
    for (const _time of [1, 2, 3]) ends.push((await partsFrom(provider, callTo('m0'))).at(-1)?.type)
    expect(ends).toEqual(['error', 'error', 'finish'])
  })

  test('[W27] paced replies are complete, even many at a time', async () => {
    const lab = await start({ firstTokenMs: 20, tokensPerSecond: 2_000, handler: () => 'word '.repeat(40) })
    const provider = openAICompatible({ id: 'lab', baseURL: lab.baseURL })
    const replies = Array.from({ length: 50 }, () => partsFrom(provider, callTo('m0')))
    for (const parts of await Promise.all(replies)) expect(textOf(parts)).toBe('word '.repeat(40))
    expect(lab.calls.every(call => call.firstTokenAt !== undefined && call.firstTokenAt > call.at)).toBe(true)
  })

  test('[W27] runs as a separate process that prints its address', async () => {
    const lab = spawn(process.execPath, ['test/lab/main.ts', '--tokens', '50', '--rate', '5000'])
    try {
      const [line] = (await once(lab.stdout, 'data')) as [Buffer]
      const provider = openAICompatible({ id: 'lab', baseURL: line.toString().trim() })
      expect((await partsFrom(provider, callTo('m0'))).at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    } finally {
      lab.kill()
      await once(lab, 'exit')
    }
  })
})
