/** Connects a maker to a local server for one test. */

import { afterEach } from 'vitest'
import type { ModelPart, Provider } from '../../src/models/provider.ts'
import { callTo, partsFrom } from '../contracts/providers-contract.ts'
import { key, type MakerRecord, type Said } from './record.ts'
import { type Answering, startWire, type Wire, type WireReply } from './wire.ts'

const wires: Wire[] = []
afterEach(async () => {
  for (const wire of wires.splice(0)) await wire.stop()
})

export const connected = ({ maker, wire: { basePath } }: MakerRecord, origin: string): Provider =>
  maker.connect({ key, baseURL: origin + basePath, known: () => ({}) })

export const started = async (
  record: MakerRecord,
  answer: Answering,
): Promise<{ wire: Wire; provider: Provider }> => {
  const wire = await startWire(answer)
  wires.push(wire)
  return { wire, provider: connected(record, wire.origin) }
}

export const saying = ({ wire }: MakerRecord, said: Said): WireReply => {
  const { words, end } = wire.events(said)
  return { events: [...words, ...end] }
}

/** The parts of one call that gets this answer. */
export const partsOf = async (record: MakerRecord, reply: WireReply): Promise<ModelPart[]> => {
  const { provider } = await started(record, () => reply)
  return partsFrom(provider, callTo(record.model))
}

export const failureOf = (parts: readonly ModelPart[]): ModelPart & { type: 'error' } => {
  const last = parts.at(-1)
  if (last?.type !== 'error') throw new Error(`no error, but ${JSON.stringify(last)}`)
  return last
}
