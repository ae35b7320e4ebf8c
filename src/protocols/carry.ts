/** What a follow-up is told of the session before it. Code writes it: a question, a count, headlines, and no transcript. */
import { UsageError } from '../core/basics.ts'
import { maskFor } from '../core/mask.ts'
import { type After, type Carried, type Carry, mostCarried, usualCarry } from '../core/opening.ts'
import type { Session } from '../core/session.ts'
import { answerAt } from '../count/camps.ts'
import { verdictOf } from '../count/verdict.ts'

/** Characters. A thread of long answers must not fill the prompt of the next question. */
const longest = { question: 2_000, line: 500, answer: 1_000, headline: 400, dissent: 600 } as const
const mostCamps = 8
const mostDissent = 4

/** The beginning of a text, in whole words. */
const beginning = (text: string, most: number): string => {
  const plain = text.trim()
  return plain.length <= most ? plain : `${plain.slice(0, most).replace(/\s+\S*$/, '')} …`
}

/** Letters of seats belong to one session: the next one gives them to others. */
const withoutLetters = (text: string): string =>
  text.replace(/\b[Ss]eats? [A-Z]{1,2}\b(?:(?:, and |, | and )[A-Z]{1,2}\b)*/g, 'a seat')

const campsOf = (session: Session, told: (text: string, most: number) => string): Partial<Carried> => {
  const final = verdictOf(session).final
  const camps = [...(final?.camps ?? [])].sort((one, other) => other.seats.length - one.seats.length)
  const dissent = final?.leading ? camps.filter(({ id }) => id !== final.leading) : []
  const words = (camp: (typeof camps)[number]): string =>
    session.question.format === 'open' ? camp.headline : camp.label
  return {
    camps: camps.slice(0, mostCamps).map(camp => ({
      headline: told(words(camp), longest.headline),
      seats: camp.seats.length,
    })),
    dissent: dissent
      .slice(0, mostDissent)
      .flatMap(camp => answerAt(session, camp.exemplar)?.reasoning ?? [])
      .map(text => told(text, longest.dissent)),
  }
}

const answerOf = (session: Session): string | undefined => {
  const { final } = verdictOf(session)
  return session.report?.answer ?? final?.camps.find(({ id }) => id === final.leading)?.headline
}

const carriedFrom = (session: Session, carry: Carry): Carried => {
  const mask = maskFor(session)
  const told = (text: string, most: number): string => beginning(withoutLetters(mask(text)), most)
  const answer = answerOf(session)
  return {
    session: session.id,
    question: beginning(session.question.text, longest.question),
    line: told(verdictOf(session).line, longest.line),
    ...(answer !== undefined && { answer: told(answer, longest.answer) }),
    ...(carry === 'camps' && campsOf(session, told)),
  }
}

/** Earlier sessions of the thread are told no further than this one is. */
const trimmed = ({ camps, dissent, ...verdict }: Carried, carry: Carry): Carried =>
  carry === 'camps' ? { ...verdict, ...(camps && { camps }), ...(dissent && { dissent }) } : verdict

/** How a follow-up belongs to the session before it. Throws UsageError while that one runs. */
export const afterOf = (session: Session, carry: Carry = usualCarry): After => {
  if (!session.outcome)
    throw new UsageError(`Session ${session.id} is still running: ask on when it is over.`)
  const earlier = (session.after?.carried ?? []).map(one => trimmed(one, carry))
  return {
    session: session.id,
    carry,
    carried: carry === 'none' ? [] : [...earlier, carriedFrom(session, carry)].slice(-mostCarried),
  }
}

/** The same for a table of other seats, whose names nobody may read either while they are hidden. */
export const maskedAfter = (after: After, session: Pick<Session, 'seats' | 'names' | 'question'>): After => {
  const mask = maskFor(session)
  return {
    ...after,
    carried: after.carried.map(({ session: id, question, line, answer, camps, dissent }) => ({
      session: id,
      question,
      line: withoutLetters(mask(line)),
      ...(answer !== undefined && { answer: withoutLetters(mask(answer)) }),
      ...(camps && {
        camps: camps.map(camp => ({ ...camp, headline: withoutLetters(mask(camp.headline)) })),
      }),
      ...(dissent && { dissent: dissent.map(text => withoutLetters(mask(text))) }),
    })),
  }
}
