/** The report that code writes if no moderator wrote one that agrees with the counts: plain, and always true. */
import type { Report } from '../log/event.ts'
import { answerIn, roundAt, type Session, seatOf } from '../log/state.ts'
import { numberText } from '../wording/values.ts'
import { grantsOf } from './report-moves.ts'
import type { Tally } from './tally.ts'
import { decidingTally, type Verdict, verdictOf } from './verdict.ts'

const sentence = (text: string): string => (/[.!?…。]$/.test(text) ? text : `${text}.`)

const answerOf = (session: Session, verdict: Verdict, tally: Tally | null): string => {
  if (!tally || tally.answered === 0) return 'No model answered.'
  if (tally.level === 'no-quorum') return 'Too few models answered for the table to have an answer.'
  if (tally.ranking) return sentence(tally.ranking.join(' > '))
  if (tally.median !== undefined)
    return sentence(`${numberText(tally.median, session.question.unit)} (median)`)
  const leading = tally.camps.find(camp => camp.id === verdict.leading)
  if (!leading) return 'The table came to no common answer.'
  return sentence(session.question.format === 'open' ? leading.headline : leading.label)
}

const deeds = {
  changed: 'changed sides',
  conceded: 'conceded a point',
  narrowed: 'narrowed its answer',
}

/** Who moved whom, with the words that did it. Nothing is said if nobody moved. */
const changes = (session: Session, verdict: Verdict): string => {
  const name = (seat: string): string => seatOf(session, seat).name
  const moved = [
    ...verdict.ledger.map(flip => ({ ...flip, decision: 'changed' as const })),
    ...grantsOf(session),
  ]
  if (moved.length === 0) return ''
  const each = moved.map(({ seat, credit, decision }) => {
    const cause = credit?.verified ? `, citing ${name(credit.seat)}: “${credit.quote}”` : ''
    return `${name(seat)} ${deeds[decision]}${cause}`
  })
  return ` ${sentence(each.join('; '))}`
}

export const plainReport = (session: Session): Report => {
  const verdict = verdictOf(session)
  const tally = decidingTally(verdict)
  const dissenter = verdict.dissent[0]
  const dissent = dissenter && tally ? answerIn(roundAt(session, tally.round), dissenter) : undefined
  return {
    answer: answerOf(session, verdict, tally),
    summary: `${sentence(verdict.line)}${changes(session, verdict)}`,
    ...(dissenter && dissent && { counterpoint: `${seatOf(session, dissenter).name}: ${dissent.headline}` }),
  }
}
