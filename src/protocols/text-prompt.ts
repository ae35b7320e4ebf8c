/** What a seat is asked if it writes a text: the text, and in open rounds comments on the others' and a revision. */
import { moveOf } from '../core/camps/moves.ts'
import { answerBefore, type Round, type Session, seatOf } from '../core/log/state.ts'
import type { Answer } from '../core/question/answer.ts'
import { citesIn, replyShape } from '../core/question/form.ts'
import { wordsFor } from '../core/question/question.ts'
import { shuffled } from '../core/random.ts'
import { maskFor, seatLabel } from '../core/wording/mask.ts'
import { askerPart } from './asker-words.ts'
import { commentsPart } from './comments-on-own.ts'
import { lettersPart } from './letters-part.ts'
import { briefPart, cut, fenced, inLanguage, questionPart, repeatsQuestion } from './prompt-parts.ts'
import type { Expectation, Load, Prompt } from './protocol.ts'
import { smallPrompt } from './small-model-prompts.ts'

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

const howToRevise = [
  'Read the texts of the others as their reader would, and comment on the passages that matter most: quote them',
  'exactly, say whether they work, why, and what would be better.',
  'Then look at your own text again. If something that you have read shows how it could be better, rewrite it, and keep',
  'your own voice: a text that only becomes more like the others is no gain. If it is good as it is, keep it.',
].join('\n')

const howToJoin =
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
      ...(peers.length > 0 ? [own ? howToRevise : howToJoin] : []),
    ],
    shared: repeatsQuestion(session, seat, round) ? 1 : 0,
    shape: replyShape(session.question, own !== undefined, session.form, false, citesIn(session)),
    longerBy: wordsFor(session.question) * tokensPerWord,
  }
}

/** Tokens of instructions and comments in an open round. */
const revisingTokens = 500

/** What a session of texts takes, in any protocol: everybody reads the others, and the moderator reads all texts once. */
export const expectTexts = ({ seats, rounds, question, answer }: Load): Expectation => {
  const read = Math.min((seats - 1) * answer, mostRead / 4)
  const moderator = { calls: 1, inputTokens: question + seats * answer, outputTokens: 200 + seats * 60 }
  return {
    calls: seats * (rounds + 1) + moderator.calls,
    inputTokens:
      seats * question * (rounds + 1) +
      rounds * seats * (revisingTokens + answer + read) +
      moderator.inputTokens,
    outputTokens: seats * (rounds + 1) * answer + moderator.outputTokens,
    moderator,
  }
}
