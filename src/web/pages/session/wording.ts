/** What only the page of a session says; words that other faces share are in core/wording/. */
import type { Standing } from '../../../core/camps/standings.ts'
import { type ModelErrorKind, wordingOf } from '../../../core/errors.ts'
import { nextTurn } from '../../../core/group/examination.ts'
import type { Draft } from '../../../core/log/draft.ts'
import type { Seat } from '../../../core/log/event.ts'
import { isClosed, latestRound, type Round, type Session, seatsIn } from '../../../core/log/state.ts'
import { stageOf } from '../../../core/progress/steps.ts'
import { silentIn } from '../../../core/progress/time-left.ts'
import { capitalised } from '../../../core/wording/capital.ts'
import { draftWords, sentenceAt } from '../../../core/wording/draft-words.ts'
import { moveWords, saidOtherwiseWords } from '../../../core/wording/move-words.ts'
import { counted } from '../../../core/wording/numbers.ts'
import { decisionIn } from '../../../core/wording/own-word.ts'
import { roundName } from '../../../core/wording/round-names.ts'
import { kindText } from '../../../core/wording/session-title.ts'

export const kindOf = ({ question, roundsSoFar, rounds, outcome }: Session): string => {
  const debated = outcome ? roundsSoFar.some(round => !round.sealed) : rounds > 0
  return kindText(question.format, debated)
}

/** "Market: a sealed round, then 2 open rounds": how the table works, for those who don't know its protocol by name. */
export const heldAs = ({ protocol, imported, roundsSoFar, rounds, outcome }: Session): string => {
  if (imported) return 'imported transcript'
  const open = outcome ? roundsSoFar.filter(round => !round.sealed).length : rounds
  const most = outcome ? '' : 'up to '
  const rest = open === 0 ? ' only' : `, then ${most}${counted(open, 'open round')}`
  return `${capitalised(protocol)}: a sealed round${rest}`
}

/** What to press instead: the page has buttons for it. */
const ownAdvice: Partial<Record<ModelErrorKind, string>> = {
  timeout: 'Ask it again, or seat a faster model.',
  'wrong-key': 'Check the API key of this provider. The settings show which variable holds it.',
}

export const adviceOf = (kind: ModelErrorKind, { outside }: Pick<Seat, 'outside'>): string =>
  outside ? 'Ask it again, and it has the same time once more.' : (ownAdvice[kind] ?? wordingOf(kind).advice)

/** "changed its mind" once that is computed; until then, what the seat itself says. */
export const changeOf = ({ move, handedIn }: Standing): string | undefined => {
  if (move === 'switched') return moveWords.switched
  if (move !== null || handedIn?.status !== 'given') return undefined
  return handedIn.answer.decision === 'changed' ? saidOtherwiseWords.changed : undefined
}

/** "says it kept its answer": shown as soon as it is there, because the camps of a round are computed when all have answered. */
export const keptOf = ({ move, handedIn }: Standing): string | undefined => {
  const decision = move === null && handedIn?.status === 'given' ? decisionIn(handedIn.answer) : undefined
  return decision && saidOtherwiseWords[decision === 'conceded' ? 'kept' : decision]
}

/** Shows that the beginning is missing, for a page that was opened in the middle of an answer. */
export const fromMiddle = (text: string): string =>
  /^[\s\p{Ll},.;:)]/u.test(text) ? `… ${text.trimStart()}` : text

/** An answer on its way, in one line. A page has room for what a model thinks, too. */
export const draftLine = (draft: Draft): string =>
  draft.headline ? fromMiddle(draft.headline) : draftWords(draft) || sentenceAt(draft.thinking)

/** Of a person one doesn't say "it". */
export const goOnWords = ({ name, person }: Pick<Seat, 'name' | 'person'>): string =>
  `Go on without ${person ? name : 'it'}`

/** Seats that are neither waited for nor have answered: without them the figures don't add up. */
const missingCount = (session: Session, round: Round): string => {
  const silent = silentIn(session, round).length
  const abstained = Object.values(round.handedIn).filter(({ status }) => status === 'abstained').length
  return [
    ...(silent > 0 ? [`, ${silent} ${silent === 1 ? 'is' : 'are'} silent`] : []),
    ...(abstained > 0 ? [`, ${abstained} abstained`] : []),
  ].join('')
}

/** What is happening now. */
export const roundProgress = (session: Session): string => {
  const round = latestRound(session)
  if (session.outcome) return 'The session is over.'
  if (session.stopped) return 'The session is ending.'
  if (!round) return 'The seats are being filled.'
  const seats = seatsIn(session, round.index)
  const done = seats.filter(seat => round.handedIn[seat.id]?.status === 'given').length
  if (!isClosed(session, round))
    return `${roundName(round)}: ${done} of ${seats.length} have answered${missingCount(session, round)}.`
  if (session.report) return 'The report is written.'
  if (stageOf(session) === 'report') return 'The report is being written.'
  if (!round.statements) return 'The moderator is reading the answers.'
  return nextTurn(session, round) ? 'The advocates are speaking.' : 'The advocates have spoken.'
}
