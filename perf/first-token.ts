/** How soon a seat's first token is seen while another seat is slow. */

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { LiveEvent } from '../src/core/event.ts'
import { createRoundtable } from '../src/library/index.ts'
import { now } from './setup.ts'

const input = {
  question: 'Who is first?',
  format: 'choice' as const,
  options: ['Yes', 'No'],
  protocol: 'poll',
}
const seats = ['lab/quick1', 'lab/quick2', 'lab/slow']

const sentAt = async (baseURL: string): Promise<Record<string, number>> =>
  (await fetch(`${baseURL}/first-tokens`)).json() as Promise<Record<string, number>>

/** The largest delay of the quick seats' first deltas. */
const lateness = async (baseURL: string, seen: ReadonlyMap<string, number>): Promise<number> => {
  const sent = await sentAt(baseURL)
  return Math.max(
    ...[
      ['s1', 'quick1'],
      ['s2', 'quick2'],
    ].map(([seat, model]) => (seen.get(seat!) ?? Infinity) - sent[model!]!),
  )
}

const note = (seen: Map<string, number>, event: LiveEvent): void => {
  if (event.type === 'delta' && !seen.has(event.seat)) seen.set(event.seat, now())
}

const inLibrary = async (baseURL: string): Promise<number> => {
  const roundtable = createRoundtable({ endpoints: [{ id: 'lab', baseURL }] })
  const { events } = roundtable.ask({ ...input, seats })
  const seen = new Map<string, number>()
  for await (const event of events) note(seen, event)
  return lateness(baseURL, seen)
}

const inTerminal = async (baseURL: string): Promise<number> => {
  const main = new URL('../src/main/main.ts', import.meta.url).pathname
  const flags = ['--protocol', 'poll', '--options', 'Yes,No', '--events', '--seats', seats.join(',')]
  const child = spawn(process.execPath, [main, 'ask', input.question, ...flags], {
    env: { ...process.env, ROUNDTABLE_ENDPOINTS: `lab=${baseURL}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const seen = new Map<string, number>()
  for await (const line of createInterface({ input: child.stdout })) note(seen, JSON.parse(line))
  return lateness(baseURL, seen)
}

export const firstToken = async (baseURL: string): Promise<{ library: number; terminal: number }> => {
  await inLibrary(baseURL)
  return { library: await inLibrary(baseURL), terminal: await inTerminal(baseURL) }
}
