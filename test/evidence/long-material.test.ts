/** Attachments that don't fit a model: refused before anybody is asked, or given in excerpts that are the same for all. */

import { expect, test } from 'vitest'
import { markdown } from '../../src/exports/markdown.ts'
import { createRoundtable } from '../../src/library/index.ts'
import type { ModelCall, Provider } from '../../src/models/provider.ts'
import { scripted } from '../../src/models/scripted.ts'
import { memoryStore } from '../../src/store/memory.ts'
import type { AskInput } from '../../src/table/ask.ts'

const filler = (from: number, to: number): string =>
  Array.from(
    { length: to - from },
    (_, index) => `Clause ${from + index} is about the garden and its fence.`,
  ).join('\n')

/** About 30,000 tokens; what the question is about stands on two lines of it. */
const text = [
  filler(0, 1_000),
  'The deposit is three months of rent.',
  filler(1_000, 2_000),
  'The deposit is returned within six weeks.',
  filler(2_000, 2_400),
].join('\n')

const contexts: Readonly<Record<string, number>> = { narrow: 8_000, wide: 200_000, tiny: 700 }

const setUp = (quote = 'The deposit is three months of rent.') => {
  const calls: ModelCall[] = []
  const provider: Provider = {
    ...scripted(call => {
      calls.push(call)
      const citations = [{ exhibit: 1, quote, place: null }]
      return { citations, reasoning: 'As [1] says.', choice: 'Yes', headline: 'Yes', confidence: 0.8 }
    }),
    known: model => ({ context: contexts[model] }),
  }
  const roundtable = createRoundtable({ providers: [provider], store: memoryStore() })
  const input: AskInput = {
    ...{ question: 'Is the deposit returned?', options: ['Yes', 'No'], protocol: 'poll', moderator: null },
    ...{ seats: ['scripted/wide', 'scripted/narrow'], attachments: [{ name: 'lease.txt', text }] },
  }
  return { calls, roundtable, input }
}

test('[EV50] what does not fit is refused with model, sizes and what to do, and nobody is asked', async () => {
  const { calls, roundtable, input } = setUp()
  const refusal = roundtable.ask(input).result
  await expect(refusal).rejects.toThrow(
    /^narrow takes 8\.0k tokens, and the question with its attachments needs about \d+k: it could not answer\. Attach less, seat other models, or give all seats excerpts\.$/,
  )
  await expect(refusal).rejects.toMatchObject({ kind: 'too-long' })
  expect(calls).toEqual([])
  const { notes, excerpts } = roundtable.estimate(input)
  expect(notes[0]).toContain('narrow takes 8.0k tokens')
  expect(notes.join()).toMatch(/With excerpts, all seats would get the same \d+ of \d+ passages/)
  expect(excerpts).toMatchObject({ wanted: false })
  expect(roundtable.estimate({ ...input, seats: ['scripted/wide'] })).not.toHaveProperty('excerpts')
})

test('[EV50] the moderator reads the attachments too, and a context that nobody knows is not guessed', async () => {
  const { roundtable, input } = setUp()
  const notes = (more: Partial<AskInput>) => roundtable.estimate({ ...input, ...more }).notes.join()
  expect(notes({ seats: ['scripted/wide'], moderator: 'scripted/narrow' })).toContain(
    'The moderator scripted/narrow takes 8.0k tokens',
  )
  expect(notes({ seats: ['scripted/unknown'] })).not.toContain('could not answer')
})

test('[EV51] with excerpts all seats get the same passages in order, with their lines, and are told so', async () => {
  const { calls, roundtable, input } = setUp()
  const session = await roundtable.ask({ ...input, excerpts: true }).result
  const [first, second] = calls.map(({ user }) => user[0]!)
  expect(first).toBe(second)
  const { given, of } = session.excerpts!
  expect(first).toContain(
    `excerpts of what the asker attached to the question (${given.length} of ${of} passages`,
  )
  const items = first!.split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : [])) as {
    exhibit: number
    line: number
    text: string
  }[]
  expect(items).toHaveLength(given.length)
  expect(items.map(({ line }) => line)).toEqual(items.map(({ line }) => line).toSorted((a, b) => a - b))
  const whole = text.split('\n')
  for (const item of items) expect(item.text.split('\n')[0]).toBe(whole[item.line - 1])
  expect(items.map(item => item.text).join('\n')).toContain('The deposit is three months of rent.')
  expect(items.map(item => item.text).join('\n')).toContain('The deposit is returned within six weeks.')
  // It fits, with room for an answer.
  expect(first!.length / 4).toBeLessThan(7_000)
  expect(first!.length / 4).toBeGreaterThan(3_000)
})

test('[EV52] log, document, flag and estimate say which passages seats got, and citations are looked up in the whole', async () => {
  const { calls, roundtable, input } = setUp('Clause 700 is about the garden and its fence.')
  const wish = { ...input, excerpts: true }
  const { notes, excerpts } = roundtable.estimate(wish)
  expect(notes.join()).toMatch(
    /Excerpts: all seats get the same \d+ of \d+ passages, .* because narrow takes 8\.0k tokens/,
  )
  const session = await roundtable.ask(wish).result
  expect(excerpts).toEqual({ wanted: true, given: session.excerpts!.given.length, of: session.excerpts!.of })
  expect(calls[0]!.user[0]).not.toContain('Clause 700 ')
  expect(session.events[0]).toMatchObject({ excerpts: session.excerpts })
  expect(session.verdict.flags).toContain('excerpts')
  expect(session.verdict.flags).not.toContain('unsupported sources')
  expect(session.rounds[0]!.answers[0]).toMatchObject({ citations: [{ verified: true, place: 'line 701' }] })
  expect(markdown().write(session.events)).toMatch(
    /The seats read excerpts of what is attached: \d+ of \d+ passages\./,
  )
  const fork = await roundtable.fork(session.events).result
  expect(fork.excerpts).toEqual(session.excerpts)
})

test('[EV52] what fits is sent whole, even if excerpts are wanted', async () => {
  const { calls, roundtable, input } = setUp()
  const session = await roundtable.ask({ ...input, seats: ['scripted/wide'], excerpts: true }).result
  expect(session).not.toHaveProperty('excerpts')
  expect(session.verdict.flags).not.toContain('excerpts')
  expect(calls[0]!.user[0]).toContain('Clause 2399')
})

test('[EV50] a model that not even a passage fits is refused with excerpts too', async () => {
  const { roundtable, input } = setUp()
  await expect(roundtable.ask({ ...input, seats: ['scripted/tiny'], excerpts: true }).result).rejects.toThrow(
    /tiny takes 700 tokens/,
  )
})

test('[EV51] words of other scripts are found too', async () => {
  const { calls, roundtable, input } = setUp()
  const lines = Array.from({ length: 3_000 }, (_, index) => `第${index}條：花園的柵欄由房東維修。`)
  const long = lines.with(1_500, '押金為三個月租金。').join('\n')
  await roundtable.ask({
    ...{ ...input, question: '押金是多少？', excerpts: true },
    attachments: [{ name: 'lease.txt', text: long }],
  }).result
  expect(calls[0]!.user[0]).toContain('押金為三個月租金。')
})
