import { shuffled } from '../core/basics.ts'
import { citesIn, replyShape } from '../core/form.ts'
import { maskFor, seatLabel } from '../core/mask.ts'
import { type Answer, wordsFor } from '../core/question.ts'
import { answerBefore, answerIn, type Round, roundAt, type Session, seatOf } from '../core/session.ts'
import { moveOf } from '../count/moves.ts'
import { verdictOf } from '../count/verdict.ts'
import { answerText } from '../report/report.ts'
import { commentsPart, ownText } from './answers.ts'
import {
  askerPart,
  briefPart,
  cut,
  fenced,
  inLanguage,
  lettersPart,
  type PromptPlace,
  placePart,
  questionPart,
  reasoningLimit,
  repeatsQuestion,
  system,
} from './parts.ts'
import type { Expectation, Load, Prompt } from './protocol.ts'
import { smallPrompt } from './small-model.ts'

/** What a seat is asked to do with what it has read: fill in the form of an open round, or give its first answer. */
const checking =
  'Read them, and check what you can without tools: arithmetic, logic, contradictions, well-known facts.'

const ifAllAgree = 'If you all agree on the substance, say what all of you may have missed.'

/** What a seat with an earlier answer does. It names fields of the form, in the form's order and words. */
export const howToRevise = (mayAgree: boolean): string =>
  [
    checking,
    'Then fill in the form:',
    'points: the points of others that matter most, in their exact words: which part of each holds, and which does not?',
    'reasoning: your own case as it stands now. Nobody should need your last answer to follow it.',
    ...(mayAgree ? [ifAllAgree] : []),
    'decision: kept, conceded, narrowed or changed. To concede a point is honourable, and is recorded with whose point it',
    'was. Change your answer for an error, a better argument or a better reading of the question. That others think',
    'otherwise, however many, is not a reason.',
    'headline: if your answer stands, repeat your headline, unless you can say it better.',
  ].join('\n')

/** How many more tokens the instructions, the fence and the form of an open round take than those of the sealed round. */
export const revisingTokens = 570

/** For a seat without an earlier answer: it has nothing to keep or change. */
export const howToJoin = [checking, 'Then give your own answer.'].join('\n')

// openRoundPrompt: The prompt of an open round, for every protocol: the parts that seats share come first, a seat's own come last.

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

// textPrompt: What a seat is asked if it writes a text: the text, and in open rounds comments on the others' and a revision.

export const isText = ({ question }: Pick<Session, 'question'>): boolean => question.format === 'text'

/** Every seat that was asked again left its text as it was: another round would change nothing. */
export const nobodyRewrote = (session: Session, round: Round): boolean =>
  !round.sealed && session.seats.every(({ id }) => moveOf(session, round, id) !== 'refined')

/** A text far longer than it was asked to be is cut, or one seat could fill the context of all the others. */
const longestText = (session: Session): number => Math.max(6_000, wordsFor(session.question) * 12)

/** Characters that one seat reads in a round: at a large table it reads some of the texts, each whole. */
const mostRead = 60_000

/** Tokens of a word with its spaces, in most languages at most. */
const tokensPerWord = 2

/** The same in every round, so that makers' caches hit. */
const textSystem = (session: Session): string =>
  [
    'You hold one seat at a round table. Each seat writes its own text for the task below.',
    'Write for the reader that the text is meant for: concrete, in a voice of your own, and finished. Be honest where you',
    'speak of yourself, and invent no memories.',
    ...(session.names === 'hidden'
      ? ['Nobody at the table knows who is who: name neither your model nor its maker.']
      : []),
    `Keep the text close to ${wordsFor(session.question)} words, and the reasoning under 100 words.`,
    'Reply with one JSON object of the given form and nothing else.',
  ].join('\n')

const written = (session: Session, answer: Answer, mask: (text: string) => string) => ({
  headline: mask(answer.headline),
  text: cut(mask(answer.text ?? ''), longestText(session)),
})

const peerLines = (session: Session, seat: string, round: number, fence: string): string[] => {
  const mask = maskFor(session)
  const lines = session.seats.flatMap(peer => {
    const answer = peer.id === seat ? undefined : answerBefore(session, round, peer.id)
    const { alias, name } = peer
    return answer
      ? [
          JSON.stringify({
            seat: alias,
            ...(session.names === 'shown' && { name }),
            ...written(session, answer, mask),
          }),
        ]
      : []
  })
  let read = 0
  return shuffled(lines, `${session.seed} ${fence}`).filter((line, index) => {
    read += line.length
    return index === 0 || read <= mostRead
  })
}

const ownPart = (session: Session, seat: string, answer: Answer): string =>
  [
    `You are ${seatLabel(seatOf(session, seat))}. Your own text so far:`,
    JSON.stringify(written(session, answer, text => text)),
  ].join('\n')

const howToReviseText = [
  'Read the texts of the others as their reader would, and comment on the passages that matter most: quote them',
  'exactly, say whether they work, why, and what would be better.',
  'Then look at your own text again. If something that you have read shows how it could be better, rewrite it, and keep',
  'your own voice: a text that only becomes more like the others is no gain. If it is good as it is, keep it.',
].join('\n')

const howToJoinText =
  'Read the texts of the others. Then write your own: it should have something that theirs lack.'

/** What a seat is asked in any round of any protocol that takes texts. */
export const textPrompt = (session: Session, seat: string, round: number): Prompt => {
  if (seatOf(session, seat).small) return smallPrompt(session, seat, round)
  const own = answerBefore(session, round, seat)
  const fence = `round ${round} seat ${seat}`
  const peers = round === 0 ? [] : peerLines(session, seat, round, fence)
  return {
    system: textSystem(session),
    user: [
      questionPart(session),
      ...(round === 0 ? lettersPart(session, seat) : []),
      inLanguage(session, round === 0),
      ...(peers.length > 0 ? [fenced(session, fence, peers)] : []),
      ...(own ? [ownPart(session, seat, own)] : []),
      ...(own ? commentsPart(session, seat, round) : []),
      ...askerPart(session, seat, round),
      ...briefPart(session, seat),
      ...(peers.length > 0 ? [own ? howToReviseText : howToJoinText] : []),
    ],
    shared: repeatsQuestion(session, seat, round) ? 1 : 0,
    shape: replyShape(session.question, own !== undefined, session.form, false, citesIn(session)),
    longerBy: wordsFor(session.question) * tokensPerWord,
  }
}

/** Tokens of instructions and comments in an open round. */
const revisingTextTokens = 500

/** What a session of texts takes, in any protocol: everybody reads the others, and the moderator reads all texts once. */
export const expectTexts = ({ seats, rounds, question, answer }: Load): Expectation => {
  const read = Math.min((seats - 1) * answer, mostRead / 4)
  const moderator = { calls: 1, inputTokens: question + seats * answer, outputTokens: 200 + seats * 60 }
  return {
    calls: seats * (rounds + 1) + moderator.calls,
    inputTokens:
      seats * question * (rounds + 1) +
      rounds * seats * (revisingTextTokens + answer + read) +
      moderator.inputTokens,
    outputTokens: seats * (rounds + 1) * answer + moderator.outputTokens,
    moderator,
  }
}

// sealedPrompt: The prompt of the sealed round, for every protocol: nobody reads anybody.

/** `round`: the sealed one, or a later one in which there is nobody to read. */
export const sealedPrompt = (session: Session, seat: string, round = 0): Prompt => {
  if (seatOf(session, seat).small) return smallPrompt(session, seat, 0)
  if (isText(session)) return textPrompt(session, seat, 0)
  return {
    system,
    user: [
      questionPart(session),
      ...lettersPart(session, seat),
      [placePart(session, 'sealed'), reasoningLimit()].join('\n'),
      ...askerPart(session, seat, round),
      ...briefPart(session, seat),
    ],
    shared: repeatsQuestion(session, seat, 0) ? 1 : 0,
    shape: replyShape(session.question, false, session.form, false, citesIn(session)),
  }
}

// shapedAnswer: Puts the answer of a finished session into a form that the asker gave: the moderator words it, code checks it.

const shapedSystem = [
  'Several models have answered a question, and their votes were counted. You put their answer into a given form.',
  'Take every statement from the answer of the table. Add nothing of your own.',
  'Reply with one JSON object of the given form and nothing else.',
].join('\n')

export const shapedPrompt = (
  session: Session,
  name: string,
  schema: Readonly<Record<string, unknown>>,
): Prompt => {
  const { final, leading } = verdictOf(session)
  const round = final ? roundAt(session, final.round) : undefined
  const seats = final?.camps.find(camp => camp.id === leading)?.seats ?? []
  const reasons = seats.flatMap(seat => answerIn(round, seat)?.reasoning ?? [])
  const items = [
    JSON.stringify({ answer: answerText(session) }),
    ...reasons.map(reasoning => JSON.stringify({ reasoning: reasoning.slice(0, 2_000) })),
  ]
  return {
    system: shapedSystem,
    user: [
      questionPart(session),
      fenced(session, 'shaped', items, "the table's answer, and the reasons of those who gave it"),
      'Put the answer into the form.',
    ],
    shape: { name, json: schema },
  }
}
