import { expect, onTestFinished, test, vi } from 'vitest'
import { silentLogger } from './bus.ts'
import type { Jobs, TakenJob } from './jobs.ts'
import { type RunsOptions, startRuns } from './worker.ts'

test('[J13] a suspect that waits for its turn gives back at once what its dead runner held', async () => {
  const job = (session: string) => ({ id: session, data: { session } }) as TakenJob
  const counts = { from: () => counts, set: () => counts, where: () => rows, returning: async () => [] }
  const rows = Object.assign(Promise.resolve(['one', 'two'].map(id => ({ id, tries: 3 }))), counts)
  const payingFor = vi.fn(async (session: string) => {
    if (session === 'one' && payingFor.mock.calls.length > 2) await new Promise(() => {})
    return undefined
  })
  const jobs = {
    take: vi.fn(async (): Promise<TakenJob[]> => []).mockResolvedValueOnce([job('one'), job('two')]),
  }
  const parts = { jobs, database: { select: () => counts, update: () => counts }, payingFor }
  const rest = { concurrency: 9, logger: silentLogger, wait: { signal: new AbortController().signal } }
  const runs = startRuns({ ...parts, ...rest } as unknown as RunsOptions)
  await vi.waitFor(() => expect(payingFor.mock.calls).toEqual([['one'], ['two'], ['one']]))
  expect(runs.running()).toEqual(['one'])
})

/** Runs whose heartbeat is under way, and then finds that a job has lapsed. */
const beating = async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const beat = Promise.withResolvers<readonly TakenJob[]>()
  const jobs = {
    take: vi.fn(async (): Promise<TakenJob[]> => []),
    hold: vi.fn(() => beat.promise),
    putBack: vi.fn(),
  }
  const parts = { jobs: jobs as unknown as Jobs, concurrency: 9, logger: silentLogger }
  const runs = startRuns(parts as RunsOptions)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(jobs.hold).toHaveBeenCalledTimes(1)
  return { runs, jobs, lapse: () => beat.resolve([{ id: 'lapsed', data: { session: 'one' } } as TakenJob]) }
}

test('[J29] a heartbeat that ends after its process has stopped takes no session', async () => {
  const { runs, jobs, lapse } = await beating()
  await runs.close()
  const takenBefore = jobs.take.mock.calls.length
  lapse()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(jobs.take).toHaveBeenCalledTimes(takenBefore)
})

test('[J29] a process that stops waits for what a heartbeat is taking', async () => {
  const { runs, jobs, lapse } = await beating()
  const taking = Promise.withResolvers<TakenJob[]>()
  jobs.take.mockReturnValueOnce(taking.promise)
  lapse()
  await vi.advanceTimersByTimeAsync(0)
  const ended = vi.fn()
  const closing = runs.close().then(ended)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(ended).not.toHaveBeenCalled()
  taking.resolve([])
  await closing
})
