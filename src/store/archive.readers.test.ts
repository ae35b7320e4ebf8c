import { describe, expect, test } from 'vitest'
import { questionOf, table } from '../../test/contracts/core-testing.ts'
import { withheldLog } from '../core/letters.ts'
import { bookOpened } from '../count/acts.ts'
import { readersOf } from './archive.ts'
import { memoryStore } from './memory.ts'

const question = questionOf({ text: 'Write a letter about tides.', format: 'text' })
const text = { headline: 'Kelp', reasoning: 'Kelp', confidence: null, text: 'Kelp is patient.' }
const book = (id: string, sealed: boolean) =>
  table({ id, question, seats: 2, book: sealed ? { sealed: true } : {} })
    .round(0, [text, text])
    .and({ type: 'session-finished', outcome: 'verdict' })

describe('readers of an archive', () => {
  test('[S261] get sealed books withheld, whole or from a position; everything else as it is stored', async () => {
    const store = memoryStore()
    const readers = readersOf(store)
    const sealed = book('sealed', true)
    await store.append('sealed', sealed.events)
    await store.append('open', book('open', false).events)
    for (const after of [-1, 0, 1, 2, 99]) {
      expect(await readers.read('sealed', after)).toEqual(withheldLog(sealed.events).slice(after + 1))
      expect(await readers.read('open', after)).toEqual(await store.read('open', after))
    }
    expect(JSON.stringify(await readers.read('sealed', 1))).not.toContain('Kelp')
    expect(await readers.read('nobody', 3)).toEqual([])
    const opening = sealed.and(bookOpened(sealed.session)).events.at(-1)!
    await readers.append('sealed', [opening])
    expect(await readers.read('sealed', 1)).toEqual(await store.read('sealed', 1))
  })
})
