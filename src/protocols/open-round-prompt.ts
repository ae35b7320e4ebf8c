/** The prompt of an open round, for every protocol: the parts that seats share come first, a seat's own come last. */

import { answerBefore, roundAt, type Session, seatOf } from '../core/log/state.ts'
import { citesIn, replyShape } from '../core/question/form.ts'
import { shuffled } from '../core/random.ts'
import { ownText } from './answer-texts.ts'
import { askerPart } from './asker-words.ts'
import { commentsPart } from './comments-on-own.ts'
import { howToJoin, howToRevise } from './how-to-answer.ts'
import {
  briefPart,
  fenced,
  type PromptPlace,
  placePart,
  questionPart,
  reasoningLimit,
  repeatsQuestion,
  system,
} from './prompt-parts.ts'
import type { Prompt } from './protocol.ts'
import { smallPrompt } from './small-model-prompts.ts'

/** Three orders are enough that no line is the first one for everybody, and few enough for caches to hit. */
const orders = 3

/** Which of so many orders a seat reads in: neighbours read in different ones. */
export const orderOf = (session: Session, seat: string, among = orders): number =>
  session.seats.findIndex(({ id }) => id === seat) % among

/** Whether another seat of the same model reads in the same order. */
export const sharesOrder = (session: Session, seat: string, among = orders): boolean => {
  const { model } = seatOf(session, seat)
  const order = orderOf(session, seat, among)
  return session.seats.some(
    other => other.id !== seat && other.model === model && orderOf(session, other.id, among) === order,
  )
}

/** The question, where the seat is, and what it reads. */
const partsWithFence = 3

/** What a seat reads in an open round, and what it should do with it. */
export interface OpenRoundParts {
  /** Names the fence. Seats with the same one get the same text, which a provider can cache. */
  readonly fence: string
  /** Where the seat is, if it doesn't read the other seats. */
  readonly place?: PromptPlace
  /** Another seat of the same model gets the same text. */
  readonly isShared?: boolean
  /** What stands between the marks, if it isn't texts of others alone. */
  readonly what?: string
  readonly lines: readonly string[]
  /** The last parts of the message, around how a seat revises its answer or gives its first one. */
  task(howToAnswer: string): readonly string[]
  readonly mostWords?: number
  /** What the seat reads may show that all agree. A table that is shown as divided doesn't. */
  readonly mayAgree?: boolean
  /** A challenger's objection is among the lines. */
  readonly objection?: boolean
}

/** Nobody needs to read again what is settled. */
const laterRound = (session: Session, round: number): string[] => {
  const before = session.roundsSoFar.filter(one => !one.sealed && one.index < round).length
  return before > 0
    ? [`This is open round ${before + 1}: give what is settled one line, and the rest to what is still open.`]
    : []
}

export const openRoundPrompt = (
  session: Session,
  seat: string,
  round: number,
  {
    fence,
    place = 'open',
    isShared,
    what,
    lines,
    task,
    mostWords,
    mayAgree = false,
    objection,
  }: OpenRoundParts,
): Prompt => {
  if (seatOf(session, seat).small) return smallPrompt(session, seat, round)
  const own = answerBefore(session, round, seat)
  const questionOnly = repeatsQuestion(session, seat, round) ? 1 : 0
  return {
    system,
    user: [
      questionPart(session),
      placePart(session, place),
      fenced(session, fence, lines, what),
      ...(own ? [ownText(session, seat, own), ...commentsPart(session, seat, round)] : []),
      ...askerPart(session, seat, round),
      ...briefPart(session, seat),
      ...task(
        [
          ...(own ? [...laterRound(session, round), howToRevise(mayAgree)] : [howToJoin]),
          `${reasoningLimit(mostWords)}${own ? ' The points do not count towards this.' : ''}`,
        ].join('\n'),
      ),
    ],
    shared: isShared ? partsWithFence : questionOnly,
    shape: replyShape(session.question, own !== undefined, session.form, objection, citesIn(session)),
  }
}

const sidesBefore = (session: Session, round: number): number =>
  roundAt(session, round - 1)?.digest?.positions.length ?? 0

/** A round that reads figures: lines about the whole group come first, then the positions in the seat's order. */
export const figuresPrompt = (
  session: Session,
  seat: string,
  round: number,
  lines: { readonly whole?: readonly string[]; readonly positions: readonly string[] },
  how: readonly string[],
): Prompt => {
  const fence = `round ${round} order ${orderOf(session, seat)}`
  const positions = shuffled(lines.positions, `${session.seed} ${fence}`)
  return openRoundPrompt(session, seat, round, {
    fence,
    isShared: sharesOrder(session, seat),
    lines: [...(lines.whole ?? []), ...positions],
    mayAgree: sidesBefore(session, round) < 2,
    task: howToAnswer => [[...how, howToAnswer].join('\n')],
  })
}
