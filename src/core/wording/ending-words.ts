/** How a session ended without a verdict, or before its time: in one sentence, with the one act that helps. */

import { latestRound, roundAt, type Session } from '../log/state.ts'
import type { Level } from '../verdict/tally.ts'
import { type Verdict, verdictOf } from '../verdict/verdict.ts'
import { dollars } from './money.ts'
import { counted, models } from './numbers.ts'
import { roundPhrase } from './round-names.ts'

/** Asking under the same budget again would end at the same place, so that isn't an act. */
export type EndingAct = 'ask silent seats' | 'resume' | 'larger budget' | 'another table'

export interface Ending {
  readonly words: string
  readonly act: EndingAct
}

const stops: Readonly<Record<string, string>> = {
  budget: 'Out of budget',
  interrupted: 'Stopped',
  failed: 'Failed',
}

/** The badge of a session that ended too early for a verdict says why: "No quorum" would blame the seats. */
export const endedWords = ({ stopped }: Session, level: Level): string | undefined =>
  level === 'no-quorum' && stopped ? stops[stopped.reason] : undefined

const answeredWords = ({ answered, of }: Verdict): string =>
  answered === 0 ? 'before any model had answered' : `when ${answered} of ${models(of)} had answered`

const budgetWords = ({ usd, tokens }: NonNullable<Session['budget']>): string =>
  [usd !== undefined && dollars(usd), tokens !== undefined && counted(tokens, 'token')]
    .filter(Boolean)
    .join(' and ')

/**
 * The budget of a person or the team ended the session, not its own. It has words of its own: whose it is, and when there is
 * room again.
 */
const isPayers = ({ stopped, budget }: Session): boolean =>
  stopped?.reason === 'budget' &&
  /^The (team's budget|budget of )/.test(stopped.words) &&
  !(budget && /^The budget of [$\d]/.test(stopped.words))

const whyStopped = (session: Session, when: string): string => {
  const { reason = '', words = '' } = session.stopped ?? {}
  if (reason === 'interrupted' || isPayers(session)) return `The session was stopped ${when}`
  if (reason === 'budget')
    return `The budget${session.budget ? ` of ${budgetWords(session.budget)}` : ''} ran out ${when}`
  return `The session failed ${when} (${words.trim().replace(/\.$/, '')})`
}

/** What it takes to go on, if only somebody else can give it. */
const payersWords = (session: Session): string => (isPayers(session) ? ` ${session.stopped?.words}` : '')

const actAfter = (session: Session): EndingAct =>
  session.stopped?.reason === 'budget' && !isPayers(session) ? 'larger budget' : 'resume'

/** Undefined if the session is under way, or came to its end with a verdict. */
export const endingOf = (session: Session): Ending | undefined => {
  if (!session.outcome || session.imported) return undefined
  const verdict = verdictOf(session)
  const { stopped } = session
  if (verdict.level !== 'no-quorum') {
    const counted = verdict.final && roundAt(session, verdict.final.round)
    if (!stopped || !counted) return undefined
    const vote = `${whyStopped(session, 'before the end')}: this is the vote of ${roundPhrase(counted)}.`
    return { words: vote + payersWords(session), act: actAfter(session) }
  }
  if (stopped)
    return {
      words: `${whyStopped(session, answeredWords(verdict))}, too few for a verdict.${payersWords(session)}`,
      act: actAfter(session),
    }
  const handedIn = Object.values(latestRound(session)?.handedIn ?? {})
  return {
    words: `${verdict.answered === 0 ? 'None' : `Only ${verdict.answered}`} of ${models(verdict.of)} answered, and a verdict needs more than half of them.`,
    act: handedIn.some(({ status }) => status === 'silent') ? 'ask silent seats' : 'another table',
  }
}

/** Flags that say again what the sentence of an ending says; and without a verdict, who wrote the report that isn't shown. */
export const saidByEnding = (session: Session): readonly string[] => {
  if (!endingOf(session)) return []
  const ends = ['budget reached', 'interrupted', 'failed']
  return verdictOf(session).level === 'no-quorum' ? [...ends, 'report by code'] : ends
}
