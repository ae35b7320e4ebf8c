/** What a report may take its figures and quotations from: what the seats wrote, what was asked, and what code counted. */
import { answerIn, type Round, type Session } from '../log/state.ts'
import type { Answer } from '../question/answer.ts'
import { figuresText } from '../wording/figures-text.ts'
import { maskFor } from '../wording/mask.ts'
import { valueText } from '../wording/values.ts'
import { plainReport } from './plain-report.ts'
import type { Tally } from './tally.ts'
import { verdictOf } from './verdict.ts'

const answerTexts = (session: Session, answer: Answer): string[] => [
  answer.headline,
  answer.reasoning,
  answer.text ?? '',
  answer.reading ?? '',
  answer.wouldChangeMind ?? '',
  valueText(session.question, answer),
  ...(answer.points ?? []).flatMap(({ quote, why }) => [quote, why]),
]

const textsIn = (session: Session, round: Round, seat: string): string[] => {
  const answer = answerIn(round, seat)
  const spoken = (round.statements ?? []).filter(statement => statement.seat === seat)
  return [
    ...(answer ? answerTexts(session, answer) : []),
    ...spoken.flatMap(statement => (statement.error ? [] : [statement.argument, statement.question ?? ''])),
  ]
}

/** Everything that a seat wrote, as it wrote it and as the moderator saw it. Empty if it never answered. */
export const textsOf = (session: Session, seat: string): string[] => {
  const mask = maskFor(session)
  return session.roundsSoFar
    .flatMap(round => textsIn(session, round, seat))
    .filter(text => text !== '')
    .flatMap(text => [text, mask(text)])
}

const between = (session: Session, round: Round): string[] => [
  round.objection ?? '',
  ...(round.said ?? []).flatMap(({ words }) => [words, maskFor(session)(words)]),
  ...(round.digest?.figures ? [figuresText(session.question, round.digest.figures)] : []),
  ...(round.rulings ?? []).flatMap(ruling => (ruling && 'words' in ruling ? [ruling.words] : [])),
]

/** All texts of a session that its report may quote. */
export const materialOf = (session: Session): string[] => {
  const { text, options, attachments, unit } = session.question
  const { line, sealed, final } = verdictOf(session)
  return [
    text,
    ...options,
    ...attachments.flatMap(one => [one.name, one.text]),
    unit ?? '',
    line,
    plainReport(session).answer,
    ...[sealed, final].flatMap(tally => (tally?.camps ?? []).flatMap(camp => [camp.label, camp.headline])),
    ...session.seats.flatMap(seat => [seat.name, seat.model, seat.brief ?? '', ...textsOf(session, seat.id)]),
    ...session.roundsSoFar.flatMap(round => between(session, round)),
  ]
}

/** Figures that code computed. */
export interface Computed {
  readonly counts: readonly number[]
  /** From 0 to 1. */
  readonly shares: readonly number[]
  readonly medians: readonly number[]
}

const countsIn = ({ camps, of, answered, agree, silent, abstained }: Tally): number[] => [
  ...[of, answered, agree, of - agree, answered - agree, silent.length, abstained.length, camps.length],
  ...camps.map(camp => camp.seats.length),
]

export const computedIn = (session: Session): Computed => {
  const { sealed, final, flips, dissent } = verdictOf(session)
  const tallies = [sealed, final].filter(tally => tally !== null)
  const { roundsSoFar, question, seats } = session
  return {
    counts: [
      ...[roundsSoFar.length, question.options.length, seats.length, flips, dissent.length],
      ...tallies.flatMap(countsIn),
    ],
    shares: tallies.flatMap(tally =>
      countsIn(tally).flatMap(count => [count / tally.of, count / Math.max(1, tally.answered)]),
    ),
    medians: tallies.flatMap(({ median }) => median ?? []),
  }
}

/** Values that seats gave as numbers, not in words. */
export const valuesOf = (session: Session): number[] =>
  session.roundsSoFar.flatMap(round =>
    session.seats.flatMap(({ id }) => {
      const { number, low, high, confidence, expected } = answerIn(round, id) ?? {}
      return [number, low, high, confidence, expected].flatMap(value => value ?? [])
    }),
  )
