/** What a seat is asked after it has read the digest: no names, no counts, arguments in their authors' words. */

import { roundAt, type Session } from '../../core/log/state.ts'
import { shuffled } from '../../core/random.ts'
import { maskFor } from '../../core/wording/mask.ts'
import { positionLine } from '../digest-lines.ts'
import { delegatesAfter, isLarge } from '../large-table.ts'
import { openRoundPrompt, orderOf } from '../open-round-prompt.ts'
import { cut } from '../prompt-parts.ts'
import type { Prompt } from '../protocol.ts'
import { isText, textPrompt } from '../text-prompt.ts'

/** Each seat sees the positions in an order of its own. */
const digestLines = (session: Session, round: number, fence: string): string[] => {
  const positions = roundAt(session, round)?.digest?.positions ?? []
  return shuffled(positions, `${session.seed} ${fence}`).map(position => positionLine(session, position))
}

/** The most words for a seat that only votes while others speak. */
const fewWords = 40

const criticise =
  'First criticise: which of these positions has an error or a gap, your own included? Then answer.'

/** At a large table a few seats speak for the camps, and everybody reads them. The others vote again. */
const speaking = [
  'The table is large: you speak for those who gave your answer. Put their case so that the others can check it.',
  criticise,
].join('\n')
const voting = [
  'The table is large: others speak for the positions in this round, and you vote again.',
  'Look for an error or a gap in the positions, your own included. Then answer, and keep the reasoning short.',
].join('\n')

/** In what order a seat reads, and what it is asked to do. */
const partOf = (session: Session, seat: string, round: number) => {
  const last = roundAt(session, round - 1)
  if (!last || !isLarge(session))
    return { fence: `round ${round} seat ${seat}`, task: criticise, mostWords: undefined }
  const speaks = delegatesAfter(session, last).has(seat)
  // Few orders, so that most prompts of a round start the same and a provider's cache hits.
  const fence = `round ${round} order ${orderOf(session, seat)}`
  return speaks
    ? { fence, task: speaking, mostWords: undefined }
    : { fence, task: voting, mostWords: fewWords }
}

export const revisePrompt = (session: Session, seat: string, round: number): Prompt => {
  if (isText(session)) return textPrompt(session, seat, round)
  const { fence, task, mostWords } = partOf(session, seat, round)
  const objection = roundAt(session, round - 1)?.objection
  const objections = objection ? [JSON.stringify({ objection: cut(maskFor(session)(objection), 1_000) })] : []
  return openRoundPrompt(session, seat, round, {
    fence,
    lines: [...digestLines(session, round - 1, fence), ...objections],
    task: howToAnswer => [task, howToAnswer],
    mostWords,
  })
}
