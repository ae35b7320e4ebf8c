/** The steps of a session, as a person follows them: rounds, what is read between them, the report. */

import type { Seat } from '../core/opening.ts'
import { isClosed, latestRound, type Round, type Session, seatsIn } from '../core/session.ts'
import { groupingOf, isGrouped } from '../count/settle.ts'
import { roundLabel } from './moves.ts'

export interface Step {
  /** "Sealed", "Reading", "Round 1", "Report" */
  readonly label: string
  readonly kind: 'round' | 'reading' | 'report'
  /** Ahead: it may be left out, if the table settles earlier. */
  readonly state: 'done' | 'now' | 'ahead'
}

/** Somebody has to say which answers are the same before they can be counted. */
const needsReading = ({ question, moderator }: Session): boolean =>
  moderator !== null && (question.format === 'open' || question.camps !== undefined)

/** Every round that was held is closed and counted, so nothing but the report is left to be written. */
const isRead = (session: Session): boolean =>
  session.roundsSoFar.every(round => isClosed(session, round) && isGrouped(groupingOf(session, round)))

const isLast = ({ rounds }: Session, round: Round): boolean => round.index >= rounds

/** The session as somebody sees it who watches its report being written: the log doesn't have a word of it yet. */
export const asReporting = (session: Session, isWriting: boolean): Session =>
  isWriting ? { ...session, asReporting: true } : session

/** What the session is at now. */
export const stageOf = (session: Session): Step['kind'] => {
  const round = latestRound(session)
  if (session.report || session.drafted || session.asReporting) return 'report'
  if (session.stopped || session.outcome) return 'report'
  if (!round || !isClosed(session, round)) return 'round'
  return isLast(session, round) && isRead(session) ? 'report' : 'reading'
}

/** The reading after a round, if it takes place: always for open answers, otherwise only while it is under way. */
const reading = (session: Session, state: Step['state']): Step[] =>
  needsReading(session) || state === 'now' ? [{ label: 'Reading', kind: 'reading', state }] : []

/** Held rounds are certain. Those ahead are the most that there can be. */
export const stepsOf = (session: Session): Step[] => {
  const last = latestRound(session)?.index ?? -1
  const stage = stageOf(session)
  const held = session.roundsSoFar.flatMap((round): Step[] => {
    const here = round.index === last
    const asking = here && stage === 'round'
    return [
      { label: roundLabel(round), kind: 'round', state: asking ? 'now' : 'done' },
      ...reading(session, asking ? 'ahead' : here && stage === 'reading' ? 'now' : 'done'),
    ]
  })
  const most = stage === 'report' ? last : session.rounds
  const ahead = Array.from({ length: Math.max(0, most - last) }, (_, place) => last + 1 + place).flatMap(
    (index): Step[] => [
      {
        label: roundLabel({ index, sealed: index === 0 }),
        kind: 'round',
        state: last < 0 && index === 0 ? 'now' : 'ahead',
      },
      ...reading(session, 'ahead'),
    ],
  )
  const report: Step = {
    label: 'Report',
    kind: 'report',
    state: session.outcome ? 'done' : stage === 'report' ? 'now' : 'ahead',
  }
  return [...held, ...ahead, report]
}

/** The seats that a round got no answer from. */
export const silentIn = (session: Session, round: Round): Seat[] =>
  seatsIn(session, round.index).filter(({ id }) => round.handedIn[id]?.status === 'silent')
