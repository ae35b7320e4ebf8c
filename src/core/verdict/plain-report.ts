/** The report that code writes if no moderator wrote one that agrees with the counts: plain, and always true. */
import type { Report } from '../log/event.ts'
import { answerIn, roundAt, type Session, seatOf } from '../log/state.ts'
import { capitalised } from '../wording/capital.ts'
import { figureText } from '../wording/figure-words.ts'
import { models } from '../wording/numbers.ts'
import { numberText } from '../wording/values.ts'
import { grantsOf } from './report-moves.ts'
import type { Tally } from './tally.ts'
import { decidingTally, type Verdict, verdictOf } from './verdict.ts'

const sentence = (text: string): string => (/[.!?…。]$/.test(text) ? text : `${text}.`)

const answerOf = (session: Session, verdict: Verdict, tally: Tally | null): string => {
  if (!tally || tally.answered === 0) return 'No model answered.'
  if (tally.level === 'no-quorum') return 'Too few models answered for the table to have an answer.'
  if (tally.ranking) return sentence(tally.ranking.join(' > '))
  if (tally.figure) return sentence(capitalised(figureText(tally.figure, session.question.unit)))
  if (tally.median !== undefined)
    return sentence(`${numberText(tally.median, session.question.unit)} (median)`)
  if (session.question.format === 'text') return `${models(tally.answered)} wrote a text each.`
  const leading = tally.camps.find(camp => camp.id === verdict.leading)
  if (!leading) return 'The table came to no common answer.'
  const answer = sentence(session.question.format === 'open' ? leading.headline : leading.label)
  return tally.level === 'plurality' ? `Leading, without a majority: ${answer}` : answer
}

const deeds = {
  changed: 'changed its mind',
  conceded: 'conceded a point',
  narrowed: 'narrowed its answer',
}

/** Who moved whom, with the words that did it. Empty if nobody moved. */
export const movesText = (session: Session): string => {
  const name = (seat: string): string => seatOf(session, seat).name
  const moved = [
    ...verdictOf(session).ledger.map(flip => ({ ...flip, decision: 'changed' as const })),
    ...grantsOf(session),
  ]
  const each = moved.map(({ seat, credit, decision }) => {
    const cause = credit?.verified ? `, citing ${name(credit.seat)}: “${credit.quote}”` : ''
    return `${name(seat)} ${deeds[decision]}${cause}`
  })
  return each.length > 0 ? sentence(each.join('; ')) : ''
}

/** What each text says, in its own headline. */
const textLines = (session: Session, tally: Tally | null): string => {
  const round = tally ? roundAt(session, tally.round) : undefined
  const lines = session.seats.flatMap(({ id, name }) => {
    const answer = answerIn(round, id)
    return answer ? [`- ${name}: ${sentence(answer.headline)}`] : []
  })
  return `\n\n${lines.join('\n')}`
}

/** What the asker added in the middle. Empty if nothing was. */
const askerText = (session: Session): string => {
  const said = session.roundsSoFar.flatMap(round => round.said ?? [])
  const each = said.map(({ words, to }) => {
    const who = to === undefined ? 'The asker added' : `The asker said to ${seatOf(session, to).name}`
    return `${who}: “${words}”`
  })
  const told = each.join('; ')
  return each.length > 0 ? `\n\n${/[.!?…。]”$/.test(told) ? told : `${told}.`}` : ''
}

export const plainReport = (session: Session): Report => {
  const verdict = verdictOf(session)
  const tally = decidingTally(verdict)
  const isText = session.question.format === 'text'
  const dissenter = verdict.dissent[0]
  const dissent = dissenter && tally ? answerIn(roundAt(session, tally.round), dissenter) : undefined
  return {
    answer: answerOf(session, verdict, tally),
    summary:
      (isText
        ? `${sentence(verdict.line)}${textLines(session, tally)}`
        : `${sentence(verdict.line)} ${movesText(session)}`.trim()) + askerText(session),
    ...(dissenter && dissent && { counterpoint: `${seatOf(session, dissenter).name}: ${dissent.headline}` }),
  }
}
