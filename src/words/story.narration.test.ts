import { expect, test } from 'vitest'
import { table } from '../../test/contracts/core-testing.ts'
import type { SessionEvent } from '../core/event.ts'
import { apply } from '../core/fold.ts'
import type { Session } from '../core/session.ts'
import { narrated } from './story.ts'

const told = (log: readonly SessionEvent[]): string[] => {
  let session: Session | undefined
  return log.flatMap(event => {
    const before = session
    session = apply(before, event)
    return narrated(before, session, event)
  })
}

const because = (choice: string, decision: 'kept' | 'changed') => ({ headline: choice, choice, decision })

test('[OC54] objections, and seats that the table goes on without, are told', () => {
  const { events } = table({ seats: 2 })
    .round(0, ['Yes', 'No'])
    .and(
      { type: 'seat-overdue', round: 0, seat: 's2', by: 'patience' },
      { type: 'round-read', round: 0, objection: 'It\nrains.' },
    )
  const lines = told(events)
  expect(lines).toContain('An objection: It rains.')
  expect(lines.join('\n')).toMatch(/The table goes on without .+\./)
})

test('[OC54] who moved is told once it is known, even if the next round has begun', () => {
  const asked = table({ seats: 2 }).round(0, ['Yes', 'No']).labels(0, ['yes', 'no']).settle()
  const open = asked.round(1, [because('Yes', 'kept'), because('Yes', 'changed')])
  const begun = open.round(2, [])
  expect(told(begun.events).join('\n')).not.toContain('changed its mind')
  const known = begun.labels(1, ['yes', 'yes']).settle()
  const moved = told(known.events).filter(line => line.includes('changed its mind'))
  expect(moved).toHaveLength(1)
})
