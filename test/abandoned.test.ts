/** A run that is told to let go of its session leaves a log that another goes on with. */

import { expect, onTestFinished, test, vi } from 'vitest'
import type { SessionEvent } from '../src/core/event.ts'
import { createRoundtable } from '../src/library/index.ts'
import { RunAbandoned } from '../src/run/run.ts'
import { memoryStore } from '../src/store/memory.ts'
import { startLab } from './lab/server.ts'

test('[J14] what a run cancels on letting go is no silence, even while it writes', async () => {
  const held = Promise.withResolvers<void>()
  const lab = await startLab({
    async handler({ body }) {
      if (body.model === 'a') await held.promise
      return { headline: 'Yes.', choice: 'Yes', reasoning: 'So.', confidence: 0.5 }
    },
  })
  onTestFinished(() => {
    held.resolve()
    return lab.stop()
  })
  const memory = memoryStore()
  const [writing, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const append = async (id: string, events: readonly SessionEvent[]): Promise<void> => {
    if (events[0]?.type === 'answer-given') {
      writing.resolve()
      await written.promise
    }
    return memory.append(id, events)
  }
  const table = createRoundtable({
    endpoints: [{ id: 'lab', baseURL: lab.baseURL }],
    store: { ...memory, append },
  })
  const first = await table.open({
    question: 'Should a small team start early?',
    format: 'choice',
    options: ['Yes', 'No'],
    seats: ['lab/a', 'lab/b'],
    moderator: null,
    protocol: 'poll',
  })
  await memory.append(first.id, [first])
  const abandon = new AbortController()
  const running = table.carryOn([first], { abandoned: abandon.signal })
  const letGo = expect(running).rejects.toThrow(RunAbandoned)
  await writing.promise
  abandon.abort()
  await vi.waitFor(() => expect(lab.calls.filter(call => call.state === 'closed')).toHaveLength(1))
  written.resolve()
  await letGo
  const types = (await memory.read(first.id)).map(event => event.type)
  expect(types).toEqual(['session-opened', 'round-opened', 'answer-given'])
})
