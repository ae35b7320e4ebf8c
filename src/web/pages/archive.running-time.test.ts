import { expect, test } from 'vitest'
import { type Happening, type SessionEvent, stamped } from '../../core/event.ts'
import { runningTime } from './archive.tsx'

const minute = 60_000
const at = (minutes: number, happening: Happening, position: number): SessionEvent =>
  stamped(happening, position, () => minutes * minute)

const finished: Happening = { type: 'session-finished', outcome: 'verdict' }
const resolved: Happening = { type: 'session-resolved', answer: 'No', camps: [] }

test('[U181] the time of a session is the time that it ran: what a person does later adds no days to it', () => {
  const begun = [at(0, { type: 'round-added' }, 0)]
  expect(runningTime(begun)).toBe(undefined)
  const over = [...begun, at(2, finished, 1)]
  expect(runningTime(over)).toBe(2 * minute)
  const later = [...over, at(10_000, resolved, 2), at(10_001, finished, 3)]
  expect(runningTime(later)).toBe(3 * minute)
})
