/** What a seat is asked after it has read the others: their whole answers, or at a larger table a digest of them. */

import { groupingOf } from '../../core/camps/camps.ts'
import { type Round, roundAt, type Session } from '../../core/log/state.ts'
import { shuffled } from '../../core/random.ts'
import { positionLine, whatDigestIs } from '../digest-lines.ts'
import { delegatesAfter, isLarge } from '../large-table.ts'
import { objectionLines, objectionTask } from '../objection.ts'
import { type OpenRoundParts, openRoundPrompt, orderOf, sharesOrder } from '../open-round-prompt.ts'
import type { Prompt } from '../protocol.ts'
import { isText, textPrompt } from '../text-prompt.ts'
import { answersOfOthers, readsAnswers, whatAnswersAre } from '../whole-answers.ts'

/** The most words for a seat that only votes while others speak. */
const fewWords = 40
/** The most words for a seat that also has an objection to answer. */
const wordsWithObjection = 330

/** At a large table a few seats speak for the camps, and everybody reads them. The others vote again. */
const speaking =
  'The table is large: you speak for those who gave your answer. Put their case so that the others can check it.'
const voting =
  'The table is large: others speak for the positions in this round, and you vote again. Two points are enough.'

/** What a seat reads, and what comes before how it answers. */
type Reading = Pick<OpenRoundParts, 'fence' | 'isShared' | 'lines' | 'mostWords' | 'mayAgree'> & {
  readonly what: readonly string[]
}

const campOf = (session: Session, round: Round, seat: string): readonly string[] =>
  groupingOf(session, round).camps.find(({ seats }) => seats.includes(seat))?.seats ?? []

/** A log from before whole answers were read has a digest, and is carried on with it. */
const readingOf = (session: Session, seat: string, round: number): Reading => {
  const last = roundAt(session, round - 1)
  if (!last?.digest && readsAnswers(session, round))
    return { ...answersOfOthers(session, seat, round), what: [whatAnswersAre], mayAgree: true }
  const large = last !== undefined && isLarge(session)
  // Few orders at a large table, so that most prompts of a round start the same and a provider's cache hits.
  const fence = `round ${round} ${large ? `order ${orderOf(session, seat)}` : `seat ${seat}`}`
  // What only one reader is told would make every prompt of a large table differ.
  const camp = last && !large ? campOf(session, last, seat) : []
  const lines = shuffled(last?.digest?.positions ?? [], `${session.seed} ${fence}`).map(position =>
    positionLine(session, position, last && { seat, round: last, camp }),
  )
  const mayAgree = lines.length < 2
  if (!large) return { fence, lines, what: [whatDigestIs], mayAgree }
  const shared = { fence, lines, mayAgree, isShared: sharesOrder(session, seat) }
  return delegatesAfter(session, last).has(seat)
    ? { ...shared, what: [whatDigestIs, speaking] }
    : { ...shared, what: [whatDigestIs, voting], mostWords: fewWords }
}

export const revisePrompt = (session: Session, seat: string, round: number): Prompt => {
  if (isText(session)) return textPrompt(session, seat, round)
  const last = roundAt(session, round - 1)
  const { what, lines, ...reading } = readingOf(session, seat, round)
  return openRoundPrompt(session, seat, round, {
    ...reading,
    lines: [...lines, ...objectionLines(session, last)],
    task: howToAnswer => [[...what, ...objectionTask(session, last, seat), howToAnswer].join('\n')],
    objection: Boolean(last?.objection),
    mostWords: reading.mostWords ?? (last?.objection ? wordsWithObjection : undefined),
  })
}
