/** What a seat did from one round to the next, in words. */
import type { Direction, Move } from '../camps/moves.ts'
import type { AnswerDecision } from '../question/answer.ts'
import type { Format } from '../question/question.ts'

export const moveWords: Record<Move, string> = {
  held: 'held its position',
  refined: 'refined its position',
  switched: 'changed its mind',
  silent: 'fell silent',
  abstained: 'abstained',
}

/** A seat's own word, beside a move that shows something else. */
export const saidOtherwiseWords: Record<AnswerDecision, string> = {
  kept: 'says it kept its answer',
  conceded: 'says it kept its answer and conceded a point',
  narrowed: 'says it narrowed its answer',
  changed: 'says it changed its answer',
}

/** What a seat did with its text: it holds no position that it could refine. */
const textMoveWords: Record<Move, string> = {
  ...moveWords,
  held: 'kept its text',
  refined: 'rewrote its text',
}

export const moveWordsFor = (format: Format): Record<Move, string> =>
  format === 'text' ? textMoveWords : moveWords

/** A change of mind that only an imported transcript tells of. */
export const claimedChange = `${moveWords.switched}, as the transcript says (imported, unchecked)`

const roundsText = (rounds: readonly number[]): string =>
  rounds.length === 1 ? `round ${rounds[0]}` : `rounds ${rounds.slice(0, -1).join(', ')} and ${rounds.at(-1)}`

/**
 * What a seat did on its whole way: "changed its mind in round 1, then refined its position". A seat that changed its mind
 * earlier didn't hold its position.
 */
export const wayWords = (format: Format, move: Move, changedIn: readonly number[]): string => {
  const last = moveWordsFor(format)[move]
  if (changedIn.length === 0) return last
  const changed = `${moveWords.switched} in ${roundsText(changedIn)}`
  return move === 'held' || move === 'switched' ? changed : `${changed}, then ${last}`
}

/** One word, for a narrow column. */
export const moveWord: Record<Move, string> = {
  held: 'held',
  refined: 'refined',
  switched: 'changed',
  silent: 'silent',
  abstained: 'abstained',
}

export const moveWordFor = (format: Format): Record<Move, string> =>
  format === 'text' ? { ...moveWord, held: 'kept', refined: 'rewrote' } : moveWord

/** Seen from the camp that led the round before, which may not be the one that leads in the end. */
export const directionWords: Record<Direction, string> = {
  toward: 'to the camp that was largest',
  away: 'away from the camp that was largest',
  aside: 'between other camps',
}

/** Whether the words that a seat credits were found where it says they are. */
export const creditWords = (verified: boolean): string =>
  verified ? 'found in its answer' : 'not found in its answer, so it does not count'
