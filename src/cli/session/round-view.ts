/** A round that is over: what each seat handed in, who moved, and whether the quotes it credits were found. */

import type { Seat } from '../../core/log/event.ts'
import {
  answerBefore,
  answerIn,
  type HandedIn,
  type Round,
  type Session,
  seatOf,
} from '../../core/log/state.ts'
import type { Answer } from '../../core/question/answer.ts'
import { verdictOf } from '../../core/verdict/verdict.ts'
import { unsupportedWords } from '../../core/wording/citation-words.ts'
import {
  answerWords,
  confidenceWords,
  driftWords,
  handedInWords,
  rangeWords,
} from '../../core/wording/handed-in.ts'
import { directionWords, moveWord } from '../../core/wording/move-words.ts'
import { roundHint, roundName } from '../../core/wording/round-names.ts'
import { spentParts } from '../../core/wording/spent-words.ts'
import { modelAdvice } from '../terminal/advice.ts'
import { clean, cut, oneLine, padEnd, widthOf } from '../terminal/cells.ts'
import { hanging, type Look, paragraph, room, rule } from '../terminal/look.ts'
import { answerLines, causeWords } from './answer-lines.ts'
import { betweenRoundsLines } from './between-rounds-view.ts'
import { seatState } from './seat-state.ts'
import { textLines } from './text-lines.ts'

export const roundTitle = (round: Round): string => `${roundName(round)} · ${roundHint(round)}`

/** "213 tokens, 4.2 s, $0.0012" */
export const spentWords = (handedIn: HandedIn): string => spentParts(handedIn).join(', ')

const moveLines = (session: Session, round: Round, seat: Seat, look: Look): string[] => {
  const answer = answerIn(round, seat.id)
  if (!answer || seatState(session, round, seat.id).word !== moveWord.switched || session.imported) return []
  const before = answerBefore(session, round.index, seat.id)
  const flip = verdictOf(session).ledger.find(one => one.seat === seat.id && one.round === round.index)
  const direction = flip?.direction
  return [
    ...(before
      ? hanging('was', cut(oneLine(answerWords(session.question, before)), 300), 4, look, look.paint.faint)
      : []),
    ...hanging('why', cut(causeWords(session, answer), 400), 4, look, look.paint.faint),
    ...(direction ? hanging('went', directionWords[direction], 4, look, look.paint.faint) : []),
    ...(flip?.unsupported
      ? hanging('note', unsupportedWords(flip.unsupported), 4, look, look.paint.notable)
      : []),
  ]
}

export interface RoundLook extends Look {
  /** Shows the reasoning below the headlines. */
  readonly full?: boolean
}

const extras = (session: Session, answer: Answer): string =>
  [
    rangeWords(session.question, answer),
    answer.confidence !== null && confidenceWords(answer.confidence),
    answer.drifted && driftWords,
  ]
    .filter(Boolean)
    .join(', ')

/** A person who stopped the session, or reads an old transcript, needs no advice. */
const adviceLines = (session: Session, handedIn: HandedIn | undefined, look: Look): string[] => {
  if (handedIn?.status !== 'silent' || handedIn.error.kind === 'cancelled' || session.imported) return []
  return hanging('→', modelAdvice(handedIn.error.kind), 4, look, look.paint.faint)
}

const seatBlock = (session: Session, round: Round, seat: Seat, name: number, look: RoundLook): string[] => {
  const state = seatState(session, round, seat.id)
  const handedIn = round.handedIn[seat.id]
  const answer = answerIn(round, seat.id)
  const figures = [handedIn && spentWords(handedIn), answer && extras(session, answer)]
    .filter(Boolean)
    .join(' · ')
  const head = [
    ` ${padEnd(oneLine(seat.alias), 2)}`,
    look.paint.strong(padEnd(cut(oneLine(handedIn?.by?.name ?? seat.name), name), name)),
    look.paint[state.tone](padEnd(`${state.mark} ${state.word}`, 11)),
    look.paint.faint(cut(figures, room(look) - 4 - name - 13)),
  ]
  return [
    head.join(' ').trimEnd(),
    ...(handedIn ? paragraph(oneLine(handedInWords(session.question, handedIn)), 4, look) : []),
    ...adviceLines(session, handedIn, look),
    ...(answer ? answerLines(session, round, seat.id, answer, look) : []),
    ...moveLines(session, round, seat, look),
    ...textLines(session, round, seat.id, look),
    ...(look.full && answer?.reasoning.trim()
      ? ['', ...paragraph(clean(answer.reasoning.trim()), 4, look, look.paint.faint), '']
      : []),
  ]
}

const objectionLines = (round: Round, look: Look): string[] => {
  if (round.objection === undefined) return []
  const words = round.objection === null ? 'found no objection that can be checked' : oneLine(round.objection)
  return hanging('Challenger:', words, 1, look, look.paint.notable)
}

export const roundView = (session: Session, round: Round, look: RoundLook): string[] => {
  const name = Math.min(
    Math.max(...session.seats.map(seat => widthOf(oneLine(seat.name)))),
    Math.floor(look.columns / 4),
  )
  return [
    rule(roundTitle(round), look),
    ...session.seats.flatMap(seat => seatBlock(session, round, seatOf(session, seat.id), name, look)),
    ...objectionLines(round, look),
    ...betweenRoundsLines(session, round, look),
    '',
  ]
}
