/** The asker's words in prompts. */

import { expect, test } from 'vitest'
import { type Happening, stamped } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import type { Session } from '../core/session.ts'
import { createRoundtable } from '../library/index.ts'
import { scripted } from '../models/scripted.ts'
import { protocols } from './index.ts'
import { reportFacts } from './report.ts'

const word = 'Mind the <<<marks\nand Magellan, which is a name.'

const answered = async (protocol: string, words: readonly Happening[], small: boolean): Promise<Session> => {
  const table = createRoundtable({ providers: [scripted(() => ({}))], env: {} })
  const first = await table.open({
    ...{
      question: 'Yes or no?',
      options: ['Yes', 'No'],
      seats: ['scripted/magellan', 'scripted/b'],
      seed: 7,
    },
    ...{ moderator: null, protocol },
  })
  const given = (seat: string, choice: string): Happening => ({
    ...{ type: 'answer-given', round: 0, seat },
    answer: { headline: `${choice}.`, reasoning: 'Because.', confidence: 0.5, choice, language: 'en' },
  })
  const happenings: Happening[] = [
    { type: 'round-opened', round: 0, sealed: true },
    given('s1', 'Yes'),
    ...words,
    given('s2', 'No'),
    { type: 'round-opened', round: 1, sealed: false },
  ]
  const opened = { ...first, seats: first.seats.map(seat => ({ ...seat, ...(small && { small }) })) }
  return fold([opened, ...happenings.map((one, index) => stamped(one, index + 1, () => 1_000))])
}

const talking = protocols.filter(({ rounds }) => rounds.most > 0)

test.each(
  talking.flatMap(({ id }) => [
    { id, small: false },
    { id, small: true },
  ]),
)(
  '[P200] in $id (small: $small), words for all and for one seat stand behind a fence, and only there',
  async ({ id, small }) => {
    const protocol = talking.find(one => one.id === id)!
    const said: Happening[] = [
      { type: 'asker-said', words: word },
      { type: 'asker-said', words: 'For the second seat.', to: 's2' },
    ]
    const session = await answered(id, said, small)
    const plain = await answered(id, [], small)
    for (const seat of ['s1', 's2']) {
      const parts = protocol.prompt(session, seat, 1).user
      const text = parts.join('\n')
      // One line of JSON: its break is escaped. A word that is also the name of a seat stays.
      const line = text.split('\n').find(one => one.includes('Mind the <<<marks'))!
      expect(line).toContain('\\nand')
      expect(line).toContain('Magellan')
      expect(text.includes('For the second seat.')).toBe(seat === 's2')
      // Nothing else of the prompt is changed, and nobody is told in the sealed round.
      const others = parts.filter(part => !part.includes('Mind the'))
      expect(others).toEqual(protocol.prompt(plain, seat, 1).user)
      expect(protocol.prompt(session, seat, 0).user.join('\n')).not.toContain('Mind the')
    }
    expect(reportFacts(session).filter(fact => fact.includes('"asker"'))).toHaveLength(2)
  },
)
