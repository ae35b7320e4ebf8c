/** The whole session as one plain object: what `--json` prints and what the library's result is. */
import { groupingOf } from '../core/camps/camps.ts'
import { moveOf } from '../core/camps/moves.ts'
import { readingsOf } from '../core/camps/readings.ts'
import { resolutionOf } from '../core/camps/resolution.ts'
import type { SessionEvent } from '../core/log/event.ts'
import { fold, type HandedIn, type Round, type Session } from '../core/log/state.ts'
import { moderatorUsageOf, usageByRound, usageBySeat, usageOf } from '../core/log/usage.ts'
import { kindSaid } from '../core/question/kind.ts'
import { howOftenRight } from '../core/track-record/how-often-right.ts'
import { citationCountsOf } from '../core/verdict/citation-counts.ts'
import { influenceOf } from '../core/verdict/influence.ts'
import { provisionalOf } from '../core/verdict/provisional.ts'
import { transcriptCheckOf } from '../core/verdict/transcript-check.ts'
import { verdictOf } from '../core/verdict/verdict.ts'
import { knownThread, type ThreadSession } from '../core/wording/thread-words.ts'
import type { HandedInDocument, SessionDocument } from './document-schema.ts'

export { documentSchema, type HandedInDocument, type SessionDocument } from './document-schema.ts'

export const documentVersion = 1

const handedInDocument = (
  session: Session,
  round: Round,
  seat: string,
  handedIn: HandedIn,
): HandedInDocument => {
  const { usage, timing, by, late, copied } = handedIn
  const move = moveOf(session, round, seat)
  const spent = {
    ...(by && { by }),
    ...(late !== undefined && { late }),
    ...(copied && { copied }),
    ...(usage && { usage }),
    ...(timing && { timing }),
  }
  switch (handedIn.status) {
    case 'given': {
      const { reason = null, credit = null, ...answer } = handedIn.answer
      return { seat, status: 'given', ...answer, move, reason, credit, ...spent }
    }
    case 'silent':
      return { seat, status: 'silent', move, error: handedIn.error, ...spent }
    case 'abstained':
      return { seat, status: 'abstained', move, words: handedIn.words, ...spent }
    default:
      return handedIn satisfies never
  }
}

/** Seats that are still being asked have no entry. */
const roundDocument = (session: Session, round: Round): SessionDocument['rounds'][number] => {
  const { camps, contested } = groupingOf(session, round)
  return {
    index: round.index,
    sealed: round.sealed,
    answers: session.seats.flatMap(({ id }) => {
      const handedIn = round.handedIn[id]
      return handedIn ? [handedInDocument(session, round, id, handedIn)] : []
    }),
    camps,
    contested,
    ...(round.digest && { digest: round.digest }),
    ...(round.objection !== undefined && { objection: round.objection }),
    ...(round.statements && { statements: round.statements }),
    ...(round.rulings && { rulings: round.rulings.map(ruling => ruling ?? null) }),
    ...(round.said && { said: round.said }),
  }
}

const questionPart = ({ question }: Session) => ({
  question: question.text,
  format: question.format,
  options: question.options,
  ...(question.unit !== undefined && { unit: question.unit }),
  ...(question.format === 'number' && { scale: question.scale }),
  ...(question.tolerance !== undefined && { tolerance: question.tolerance }),
  ...(question.length !== undefined && { length: question.length }),
  ...(question.camps && { camps: question.camps }),
  attachments: question.attachments,
  ...(question.instruction && { instruction: question.instruction }),
})

const kindPart = (session: Session): Pick<SessionDocument, 'kind' | 'kindBy'> => {
  const said = kindSaid(session)
  return said ? { kind: said.kind, kindBy: said.by } : {}
}

/** One reading, or none: it doesn't matter how the question is read. */
const readingPart = (session: Session): Pick<SessionDocument, 'readings'> => {
  const readings = readingsOf(session)
  return readings.length > 1 ? { readings } : {}
}

const reportPart = ({ report, reportBy, rejectedReports }: Session): SessionDocument['report'] =>
  report
    ? {
        ...report,
        by: reportBy ?? 'code',
        ...(rejectedReports.length > 0 && { rejected: rejectedReports }),
      }
    : null

/** Until the session is over: its verdict so far. */
const provisionalPart = (session: Session): Pick<SessionDocument, 'provisional'> => {
  const found = provisionalOf(session)
  if (!found) return {}
  const { round, tally, line, uncompared, unchecked } = found
  const { agree, of } = tally
  const level = uncompared ? null : tally.level
  return { provisional: { round: round.index, level, agree, of, line, uncompared, unchecked } }
}

const bookPart = ({ book, bookOpenedAt, letters }: Session): Pick<SessionDocument, 'book' | 'letters'> => ({
  ...(book && { book: { ...book, ...(bookOpenedAt !== undefined && { openedAt: bookOpenedAt }) } }),
  ...(letters && { letters }),
})

const threadPart = (
  session: Session,
  thread: readonly ThreadSession[] | undefined,
): Pick<SessionDocument, 'thread'> => {
  const { id, question, after, forkedFrom, outcome } = session
  const line = outcome ? verdictOf(session).line : null
  const whole = thread ?? knownThread({ id, question: question.text, line, after, forkedFrom })
  if (whole.length < 2) return {}
  return {
    thread: whole.map(one => ({
      id: one.id,
      question: one.question,
      line: one.line,
      parent: one.parent,
      link: one.link,
    })),
  }
}

export const documentOf = (
  events: readonly SessionEvent[],
  thread?: readonly ThreadSession[],
): SessionDocument => {
  const session = fold(events)
  const check = transcriptCheckOf(session)
  const resolved = resolutionOf(session)
  const signal = howOftenRight(session)
  return {
    version: documentVersion,
    id: session.id,
    openedAt: session.openedAt,
    ...questionPart(session),
    ...kindPart(session),
    ...(signal && { howOftenRight: signal }),
    ...readingPart(session),
    protocol: session.protocol,
    roundsLimit: session.rounds,
    names: session.names,
    language: session.language,
    seed: session.seed,
    moderator: session.moderator,
    deadline: session.deadline,
    ...(session.patience !== undefined && { patience: session.patience }),
    ...(session.budget && { budget: session.budget }),
    ...(session.purses && { purses: session.purses }),
    seats: session.seats,
    rounds: session.roundsSoFar.map(round => roundDocument(session, round)),
    verdict: verdictOf(session),
    ...provisionalPart(session),
    influence: influenceOf(session),
    ...(session.citations && { citations: citationCountsOf(session) }),
    ...(session.excerpts && { excerpts: session.excerpts }),
    ...(session.sources && { sources: session.sources }),
    ...(session.search && { search: session.search }),
    ...(session.searchFailed && { searchFailed: session.searchFailed }),
    report: reportPart(session),
    usage: usageOf(session),
    usageBySeat: usageBySeat(session),
    usageByRound: usageByRound(session),
    moderatorUsage: moderatorUsageOf(session),
    ...(session.outcome && { outcome: session.outcome }),
    ...(session.stopped && { stopped: session.stopped }),
    failures: session.failures,
    ...(session.imported && { imported: session.imported }),
    ...bookPart(session),
    ...(check && { check }),
    ...(resolved && { resolved }),
    ...(session.after && { after: session.after }),
    ...(session.forkedFrom && { forkedFrom: session.forkedFrom }),
    ...threadPart(session, thread),
    events,
  }
}
