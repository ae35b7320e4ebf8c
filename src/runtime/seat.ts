/** Asks a seat for its answer to a round, and turns whatever comes back into one event. */

import { creditFor } from '../core/camps/credit.ts'
import type { Command } from '../core/log/command.ts'
import type { Happening, Seat, Voice } from '../core/log/event.ts'
import { answerBefore, type Session, seatOf } from '../core/log/state.ts'
import type { Answer } from '../core/question/answer.ts'
import { languageName } from '../core/question/language.ts'
import { readReply } from '../core/question/reply.ts'
import { hash } from '../core/random.ts'
import type { Prompt, Protocol } from '../protocols/protocol.ts'
import { type Asked, ask, plus } from './ask.ts'
import { deadlinesFor, type RunContext, resolveModel } from './context.ts'
import { driftOf, languageOf } from './language.ts'

type AskSeat = Command & { type: 'ask-seat' }
type Unchecked = Omit<Answer, 'language'>

/** The session's seed reaches the models only where a person gave one: its own id would mean nothing to them. */
export const voiceOf = (session: Session, seat: Seat): Voice & { seed?: number } => ({
  ...(seat.temperature !== undefined && { temperature: seat.temperature }),
  ...(seat.effort && { effort: seat.effort }),
  // Thirty-one bits: some makers take no more.
  ...(session.seed !== session.id && { seed: hash(`${session.seed} ${seat.id}`) >>> 1 }),
})

const askOnce = (
  context: RunContext,
  session: Session,
  command: AskSeat,
  prompt: Prompt,
): Promise<Asked<Unchecked>> => {
  const { seat, round } = command
  const sitting = seatOf(session, seat)
  const { provider, model } = resolveModel(context.providers, sitting.model)
  const open = answerBefore(session, round, seat) !== undefined
  return ask<Unchecked>({
    ...context,
    provider,
    model,
    prompt,
    voice: voiceOf(session, sitting),
    deadlines: deadlinesFor(session, seat),
    name: `${session.seed} round ${round} seat ${seat}`,
    read(raw) {
      const reading = readReply(raw, session.question, open)
      if (!reading.ok) return reading
      const credit = creditFor(session, round, seat, reading.peer, reading.quote)
      return { ...reading.answer, ...(credit && { credit }) }
    },
    onDelta: (field, text) => context.publish({ type: 'delta', round, seat, field, text }),
    onRetry: (attempt, why) => context.publish({ type: 'retrying', round, seat, attempt, why }),
  })
}

const happeningOf = ({ round, seat }: AskSeat, asked: Asked<Answer>): Happening => {
  const { usage, timing } = asked
  const spent = { ...(usage && { usage }), timing }
  switch (asked.status) {
    case 'given':
      return { type: 'answer-given', round, seat, answer: asked.value, ...spent }
    case 'silent':
      return { type: 'seat-silent', round, seat, error: asked.error, ...spent }
    case 'abstained':
      return { type: 'seat-abstained', round, seat, words: asked.words, ...spent }
    default:
      return asked satisfies never
  }
}

const words = (answer: Unchecked): string => `${answer.headline}\n${answer.reasoning}`

/** An answer in another language is asked for once more; if that does not help, it is marked. */
export const askSeat = async (
  context: RunContext,
  session: Session,
  protocol: Protocol,
  command: AskSeat,
): Promise<Happening> => {
  const { seat, round } = command
  const prompt = protocol.prompt(session, seat, round)
  const first = await askOnce(context, session, command, prompt)
  if (first.status !== 'given') return happeningOf(command, first)
  const drift = await driftOf(words(first.value), session.language)
  if (drift === null) {
    const language = session.language ?? (await languageOf(words(first.value)))
    return happeningOf(command, { ...first, value: { ...first.value, language } })
  }
  const wish = `Your last reply was in ${languageName(drift)}. Write in ${languageName(session.language ?? 'en')}.`
  context.publish({ type: 'retrying', round, seat, attempt: first.timing.attempts + 1, why: wish })
  const second = await askOnce(context, session, command, { ...prompt, user: [...prompt.user, wish] })
  const last = second.status === 'given' ? second : first
  const still = await driftOf(words(last.value), session.language)
  return happeningOf(command, {
    ...last,
    value: { ...last.value, language: still ?? session.language, ...(still && { drifted: true }) },
    usage: second.usage ? plus(first.usage, second.usage) : first.usage,
    timing: {
      firstToken: first.timing.firstToken,
      total: first.timing.total + second.timing.total,
      attempts: first.timing.attempts + second.timing.attempts,
    },
  })
}
