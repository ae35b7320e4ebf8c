/** Makes event logs in few words, for tests: `table({ seats: 3 }).round(0, ['Yes', 'Yes', silent()])`. */
import type { ModelErrorKind } from '../../src/core/basics.ts'
import {
  allStamped,
  type Happening,
  type Relation,
  type SessionEvent,
  stamped,
} from '../../src/core/event.ts'
import { apply, fold } from '../../src/core/fold.ts'
import { promptVersion } from '../../src/core/form.ts'
import type { Seat, SessionOpened } from '../../src/core/opening.ts'
import { type Answer, type Question, questionSchema } from '../../src/core/question.ts'
import type { Session } from '../../src/core/session.ts'
import { groupingOf } from '../../src/count/settle.ts'

type Absent =
  | { readonly absent: 'silent'; readonly kind: ModelErrorKind }
  | { readonly absent: 'abstained'; readonly words: string }

/** A headline or choice, a number, a ranking, parts of an answer, or no answer at all. */
export type Said = string | number | readonly string[] | Partial<Answer> | Absent

export const silent = (kind: ModelErrorKind = 'timeout'): Absent => ({ absent: 'silent', kind })
export const abstained = (words = 'I would rather not say.'): Absent => ({ absent: 'abstained', words })

const names = [
  'GLM 4.7',
  'Gemini 3.5 Flash',
  'Grok 4.20',
  'Claude Sonnet 4.6',
  'GPT-5.5',
  'Mistral Medium 3.1',
]
const models = [
  'zai/glm-4.7',
  'google/gemini-3.5-flash',
  'xai/grok-4.20',
  'anthropic/claude-sonnet-4-6',
  'openai/gpt-5.5',
  'mistral/mistral-medium-3.1',
]

/** A, B, … Z, AA, AB, … */
const aliasOf = (index: number): string =>
  (index < 26 ? '' : String.fromCharCode(64 + Math.floor(index / 26))) +
  String.fromCharCode(65 + (index % 26))

export const seatsOf = (count: number): Seat[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `s${index + 1}`,
    alias: aliasOf(index),
    name: names[index] ?? `Model ${index + 1}`,
    model: models[index] ?? `lab/m${index + 1}`,
  }))

export const questionOf = (question: Partial<Question> = {}): Question =>
  questionSchema.parse({ text: 'Should the town build the bridge?', ...question })

export const yesOrNo = questionOf({ format: 'choice', options: ['Yes', 'No'] })

const isAbsent = (said: Said): said is Absent => typeof said === 'object' && 'absent' in said

const isRanking = (said: Said): said is readonly string[] => Array.isArray(said)

const valueFrom = (question: Question, said: Exclude<Said, Absent>): Partial<Answer> => {
  if (isRanking(said)) return { headline: `${said[0]} first`, ranking: [...said] }
  if (typeof said === 'number') return { headline: `It is ${said}`, number: said }
  if (typeof said === 'string')
    return question.format === 'choice' ? { headline: said, choice: said } : { headline: said }
  return said
}

export const answerOf = (question: Question, said: Exclude<Said, Absent>): Answer => ({
  headline: 'An answer',
  reasoning: 'Because of reasons that are set out here.',
  confidence: 0.7,
  language: 'en',
  ...valueFrom(question, said),
})

const handedIn = (question: Question, round: number, seat: string, said: Said): Happening => {
  if (!isAbsent(said)) return { type: 'answer-given', round, seat, answer: answerOf(question, said) }
  if (said.absent === 'abstained') return { type: 'seat-abstained', round, seat, words: said.words }
  return { type: 'seat-silent', round, seat, error: { kind: said.kind, message: 'no words' } }
}

export interface Setting extends Partial<Omit<SessionOpened, 'type' | 'seats' | 'question'>> {
  readonly seats?: number | readonly Seat[]
  readonly question?: Question
  /** The version of the prompts that rounds are asked with. Absent: today's. */
  readonly prompts?: number
}

/** A log that grows. Every method gives a new one, so that a beginning can be shared. */
export interface TestLog {
  readonly events: readonly SessionEvent[]
  readonly session: Session
  and(...happenings: readonly Happening[]): TestLog
  /** What each seat hands in, in the order of the table; the rest of the table is still being asked. */
  round(index: number, said: readonly Said[]): TestLog
  /** The moderator's labels in the order of the table, for one pass or the same for both. */
  labels(round: number, labels: readonly string[], second?: readonly string[]): TestLog
  check(round: number, seat: string, exemplar: string, relation: Relation): TestLog
  /** Answers every open check in the same way. */
  settle(relation?: Relation): TestLog
  fails(task: 'group' | 'check', round: number, subject: string): TestLog
  stop(reason?: 'budget' | 'interrupted', words?: string): TestLog
}

/** The membership checks that are still open; and once they are settled, those of seats whose camp changed. */
const openChecks = (session: Session, relation: Relation) =>
  session.roundsSoFar.flatMap(round => {
    const { pending, unrelated } = groupingOf(session, round)
    const own = unrelated.filter(({ seat, exemplar }) => exemplar.startsWith(`${seat}@`))
    return [
      ...pending.map(check => ({ round: round.index, relation, ...check })),
      ...(pending.length > 0
        ? []
        : own.map(check => ({ round: round.index, relation: 'different' as const, ...check }))),
    ]
  })

const clock = (): number => Date.UTC(2026, 0, 2, 3, 4, 5)

const grow = (events: readonly SessionEvent[], session: Session, prompts: number): TestLog => {
  const add = (...happenings: readonly Happening[]): TestLog => {
    const added = allStamped(happenings, events.length, clock)
    return grow([...events, ...added], added.reduce<Session>(apply, session), prompts)
  }
  const labelled = (labels: readonly string[]) =>
    Object.fromEntries(labels.map((label, index) => [session.seats[index]!.id, label]))
  return {
    events,
    session,
    and: add,
    round: (index, said) =>
      add(
        { type: 'round-opened', round: index, sealed: index === 0, prompts },
        ...said.map((one, seat) => handedIn(session.question, index, session.seats[seat]!.id, one)),
      ),
    labels: (round, labels, second = labels) =>
      add(
        { type: 'camps-proposed', round, pass: 0, labels: labelled(labels) },
        { type: 'camps-proposed', round, pass: 1, labels: labelled(second) },
      ),
    check: (round, seat, exemplar, relation) =>
      add({ type: 'membership-checked', round, seat, exemplar, relation }),
    settle: (relation = 'same') => {
      const open = openChecks(session, relation)
      if (open.length === 0) return grow(events, session, prompts)
      return add(...open.map(one => ({ type: 'membership-checked' as const, ...one }))).settle(relation)
    },
    fails: (task, round, subject) =>
      add({
        type: 'moderator-failed',
        task,
        round,
        subject,
        error: { kind: 'server-error', message: '500' },
      }),
    stop: (reason = 'interrupted', words = 'Stopped.') => add({ type: 'session-stopped', reason, words }),
  }
}

export const table = (setting: Setting = {}): TestLog => {
  const { seats = 6, question = questionOf(), prompts = promptVersion, ...rest } = setting
  const opened: SessionOpened = {
    type: 'session-opened',
    id: 'test',
    question,
    // Said by the asker, so that no moderator is asked for it. A text has its own.
    ...(question.format !== 'text' && { kind: 'fact' }),
    seats: typeof seats === 'number' ? seatsOf(seats) : [...seats],
    moderator: 'lab/moderator',
    protocol: 'hybrid',
    rounds: 2,
    names: 'hidden',
    language: 'en',
    seed: 'seed',
    deadline: 60,
    ...rest,
  }
  const events = [stamped(opened, 0, clock)]
  return grow(events, fold(events), prompts)
}
