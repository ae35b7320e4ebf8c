import { expect, onTestFinished, test } from 'vitest'
import { opened, stopped } from '../../test/contracts/store-contract.ts'
import type { Queue } from '../run/jobs.ts'
import { openOtlp } from './otlp.ts'

test('[AC43] with traces on, a session is still its owner’s, and a fork keeps the log that it copied', async () => {
  const telemetry = openOtlp({ version: '0', content: false })
  onTestFinished(() => telemetry.close())
  const stored: unknown[] = []
  const queue: Queue = {
    open: async (...given) => void stored.push(given),
    interject: () => Promise.reject(new Error('Nobody does anything to it.')),
  }
  const ownership = { owner: 'ada', visibility: 'private' } as const
  const first = opened('a') as Parameters<Queue['open']>[0]
  await telemetry.queue(queue).open(first, [stopped(1)], ownership)
  expect(stored).toEqual([[first, [stopped(1)], ownership]])
})
