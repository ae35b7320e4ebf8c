/** In what two sessions differ, and what came of it. */
import type { Session } from '../../../core/log/state.ts'
import { usageOf } from '../../../core/log/usage.ts'
import { verdictOf } from '../../../core/verdict/verdict.ts'
import { levelTitle } from '../../../core/wording/level-words.ts'
import { spentCost } from '../../../core/wording/money.ts'

export interface Difference {
  readonly label: string
  readonly one: string
  readonly other: string
}

const tableOf = ({ seats }: Session): string => seats.map(({ name }) => name).join(', ')

const openRounds = ({ roundsSoFar }: Session): number => roundsSoFar.filter(({ sealed }) => !sealed).length

const facts: readonly { readonly label: string; readonly of: (session: Session) => string }[] = [
  { label: 'Question', of: ({ question }) => question.text },
  { label: 'Table', of: tableOf },
  { label: 'Protocol', of: ({ protocol }) => protocol },
  { label: 'Names', of: ({ names }) => names },
  { label: 'Open rounds', of: session => String(openRounds(session)) },
  { label: 'Moderator', of: ({ moderator }) => moderator ?? 'none' },
  {
    label: 'Agreement',
    of: session => {
      const { level, agree, of } = verdictOf(session)
      return `${level ? levelTitle(level, of === 1) : 'none'}, ${agree} of ${of}`
    },
  },
  { label: 'Changed minds', of: session => String(verdictOf(session).flips) },
  {
    label: 'Cost',
    of: session => {
      return spentCost(usageOf(session))
    },
  },
]

/** What is the same in both says nothing about why they came out differently. */
export const differencesOf = (one: Session, other: Session): Difference[] =>
  facts
    .map(({ label, of }) => ({ label, one: of(one), other: of(other) }))
    .filter(difference => difference.one !== difference.other)
