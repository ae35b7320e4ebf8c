/** What a seat is doing or did, as a mark and a word; colour only adds to them. */
import { groupingOf, isGrouped } from '../../core/camps/camps.ts'
import { type Move, moveOf } from '../../core/camps/moves.ts'
import type { Draft } from '../../core/log/draft.ts'
import { isClosed, type Round, type Session } from '../../core/log/state.ts'
import { draftState } from '../../core/wording/draft-words.ts'
import { moveWord, moveWordFor } from '../../core/wording/move-words.ts'
import { seatWords } from '../../core/wording/seat-words.ts'
import type { Paint } from '../terminal/paint.ts'

export interface SeatState {
  readonly mark: string
  readonly word: string
  readonly tone: keyof Paint
}

const moveStates: Record<Move, SeatState> = {
  held: { mark: '=', word: moveWord.held, tone: 'good' },
  refined: { mark: '≈', word: moveWord.refined, tone: 'good' },
  switched: { mark: '⇄', word: moveWord.switched, tone: 'notable' },
  silent: { mark: '✗', word: moveWord.silent, tone: 'bad' },
  abstained: { mark: '○', word: moveWord.abstained, tone: 'notable' },
}

const draftStates: Record<ReturnType<typeof draftState>, SeatState> = {
  thinking: { mark: '∴', word: seatWords.thinking, tone: 'strong' },
  weighing: { mark: '∴', word: seatWords.weighing, tone: 'strong' },
  writing: { mark: '▸', word: seatWords.writing, tone: 'strong' },
  retrying: { mark: '↻', word: 'try', tone: 'notable' },
}

const writingState = (draft: Draft): SeatState => {
  const { turn, retrying } = draft
  const state = draftState(draft)
  if (retrying) return { ...draftStates.retrying, word: `try ${retrying.attempt}` }
  return turn !== undefined && state === 'writing'
    ? { ...draftStates.writing, word: seatWords.speaking }
    : draftStates[state]
}

/** A move counts once the round's camps are settled: before that it could still turn out otherwise. */
const settledMove = (session: Session, round: Round, seat: string): Move | null =>
  isClosed(session, round) && isGrouped(groupingOf(session, round)) ? moveOf(session, round, seat) : null

export const seatState = (session: Session, round: Round, seat: string, draft?: Draft): SeatState => {
  const handedIn = round.handedIn[seat]
  if (draft?.turn !== undefined && !session.outcome) return writingState(draft)
  if (handedIn?.status === 'silent' || handedIn?.status === 'abstained') return moveStates[handedIn.status]
  if (handedIn) {
    const move = settledMove(session, round, seat)
    const word = move && moveWordFor(session.question.format)[move]
    return move && word
      ? { ...moveStates[move], word }
      : { mark: '✓', word: seatWords.answered, tone: 'good' }
  }
  if (session.outcome) return { mark: '-', word: seatWords.notAsked, tone: 'faint' }
  if (!draft) return { mark: '·', word: seatWords.waiting, tone: 'faint' }
  return writingState(draft)
}
