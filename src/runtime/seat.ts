/** Asks a seat for its answer to a round, once more if the answer is in the wrong language. */

import { creditFor } from '../core/camps/credit.ts'
import type { Command } from '../core/log/command.ts'
import type { Happening } from '../core/log/event.ts'
import { asSeenIn } from '../core/log/late.ts'
import { answerBefore, type Session, seatOf } from '../core/log/state.ts'
import type { Answer } from '../core/question/answer.ts'
import { type Citable, citationsFrom } from '../core/question/citation.ts'
import { languageName } from '../core/question/language.ts'
import { readReply } from '../core/question/reply.ts'
import type { Prompt, Protocol } from '../protocols/protocol.ts'
import type { Asked } from './ask.ts'
import { askModel, eventFrom } from './ask-model.ts'
import { plus } from './call-usage.ts'
import { withCitedPages } from './cited-pages.ts'
import { type RunContext, resolveModel } from './context.ts'
import { driftOf, languageOf } from './language.ts'

type AskSeat = Command & { type: 'ask-seat' }
export type Unchecked = Omit<Answer, 'language'>

/** What an answer may cite. */
export const citableIn = ({ question, sources = [], search }: Session): Citable => ({
  exhibits: question.attachments,
  sources,
  web: search === 'native',
})

/** What a seat handed in, checked: its form, and whose words it quotes. */
export const readAnswer = (
  raw: Record<string, unknown>,
  session: Session,
  round: number,
  seat: string,
): Unchecked | { readonly problem: string } => {
  const before = answerBefore(session, round, seat)
  const parsed = readReply(raw, session.question, before !== undefined, before)
  if (!parsed.ok) return parsed
  const credit = parsed.credit && creditFor(session, round, seat, parsed.credit)
  const points = parsed.points.flatMap(({ judgement, why, moved, ...quoted }) => {
    const found = creditFor(session, round, seat, quoted)
    return found ? [{ ...found, judgement, why, ...(moved && { moved }) }] : []
  })
  const citations = session.citations ? citationsFrom(raw.citations, citableIn(session)) : []
  return {
    ...parsed.answer,
    ...(points.length > 0 && { points }),
    ...(citations.length > 0 && { citations }),
    ...(credit && { credit }),
  }
}

const answerTo = (
  context: RunContext,
  session: Session,
  { seat, round }: AskSeat,
  prompt: Prompt,
): Promise<Asked<Unchecked>> =>
  searching(context, session, seat, prompt, searched =>
    askModel<Unchecked>(context, session, {
      prompt: searched,
      name: `round ${round} seat ${seat}`,
      to: { round, seat },
      read: raw => readAnswer(raw, session, round, seat),
    }),
  )

/** If seats search for themselves: what this one found, or that its maker has no search tool. */
const searching = async (
  { providers }: RunContext,
  session: Session,
  seat: string,
  prompt: Prompt,
  ask: (prompt: Prompt) => Promise<Asked<Unchecked>>,
): Promise<Asked<Unchecked>> => {
  if (session.search !== 'native') return ask(prompt)
  const { provider, model } = resolveModel(providers, seatOf(session, seat).model)
  const can = (provider.searches?.(model) ?? 0) > 0
  const asked = await ask({ ...prompt, search: can })
  if (asked.status !== 'given') return asked
  const { value, found } = asked
  return {
    ...asked,
    value: { ...value, ...(found && { found: [...found] }), ...(!can && { unsearched: true as const }) },
  }
}

const handedIn = ({ round, seat }: AskSeat, asked: Asked<Answer>): Happening =>
  eventFrom(asked, {
    given: answer => ({ type: 'answer-given', round, seat, answer }),
    failed: error => ({ type: 'seat-silent', round, seat, error }),
    declined: words => ({ type: 'seat-abstained', round, seat, words }),
  })

/** Not what it says of others' points: that quotes them, perhaps in another language. */
export const words = ({ headline, reasoning, text = '' }: Unchecked): string =>
  `${headline}\n${reasoning}\n${text}`

/** A seat that answers in another language is asked once more. If that doesn't help, the answer is marked. */
export const askSeat = async (
  context: RunContext,
  now: Session,
  protocol: Protocol,
  command: AskSeat,
): Promise<Happening> => {
  const { seat, round } = command
  const session = asSeenIn(now, round)
  const prompt = protocol.prompt(session, seat, round)
  const first = await answerTo(context, session, command, prompt)
  if (first.status !== 'given') return handedIn(command, first)
  const drift = await driftOf(words(first.value), session.language)
  const checked = (value: Unchecked): Promise<Unchecked> => withCitedPages(context.pages, session, value)
  if (drift === null) {
    const language = session.language ?? (await languageOf(words(first.value)))
    return handedIn(command, { ...first, value: { ...(await checked(first.value)), language } })
  }
  const wish = `Your last reply was in ${languageName(drift)}. Write in ${languageName(session.language ?? 'en')}.`
  context.publish({ type: 'retrying', round, seat, attempt: first.timing.attempts + 1, why: wish })
  const second = await answerTo(context, session, command, { ...prompt, user: [...prompt.user, wish] })
  const last = second.status === 'given' ? second : first
  const still = await driftOf(words(last.value), session.language)
  return handedIn(command, {
    ...last,
    value: {
      ...(await checked(last.value)),
      language: still ?? session.language,
      ...(still && { drifted: true }),
    },
    usage: second.usage ? plus(first.usage, second.usage) : first.usage,
    timing: {
      firstToken: first.timing.firstToken,
      total: first.timing.total + second.timing.total,
      attempts: first.timing.attempts + second.timing.attempts,
    },
  })
}
