/** The letters that a seat reads before its first answer, as data behind a fence. */
import { lettersReadBy } from '../core/letters/letters.ts'
import type { Session } from '../core/log/state.ts'
import { fenced } from './prompt-parts.ts'

const whatTheyAre = 'letters that models before you wrote for their successors, the oldest first'

/** Nothing for a seat that got no letters. */
export const lettersPart = (session: Session, seat: string): string[] => {
  const letters = lettersReadBy(session, seat)
  if (letters.length === 0) return []
  const items = letters.map(({ from, text }) => JSON.stringify({ from, letter: text }))
  return [
    [
      fenced(session, `letters ${seat}`, items, whatTheyAre),
      'Use what helps you here, and leave the rest. Answer in your own words.',
    ].join('\n'),
  ]
}
