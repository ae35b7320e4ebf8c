/** Asks a seat for its answer to a round, once more if the answer is in the wrong language. */
import { languageName, type ModelError, UsageError } from '../core/basics.ts'
import {
  type Command,
  commandKey,
  type Happening,
  type ModeratorTask,
  type Relation,
  type Report,
} from '../core/event.ts'
import { type Answer, type Citable, citationsFrom } from '../core/question.ts'
import { readReply } from '../core/reply.ts'
import { answerBefore, asSeenIn, checkKey, latestRound, type Session, seatOf } from '../core/session.ts'
import { creditFor } from '../count/moves.ts'
import { plainDigest } from '../protocols/answers.ts'
import { relationFrom } from '../protocols/grouping.ts'
import { type ModeratorCommand, moderatorStep } from '../protocols/index.ts'
import type { Prompt, Protocol } from '../protocols/protocol.ts'
import { answerProblem, answerPrompt, draftedFor, finished } from '../protocols/report.ts'
import { statement } from '../protocols/statements.ts'
import { seenFor } from '../protocols/steps.ts'
import { plainReport, toCompare } from '../report/report.ts'
import { type Asked, askModel, eventFrom, type RunContext, resolveModel } from './ask.ts'
import { plus } from './budget.ts'
import { withCitedPages } from './material.ts'

// language: Detects the language of a text, if it is long enough.

type Detect = (text: string) => {
  readonly language: string
  readonly isReliable: () => boolean
  readonly getScores: () => Record<string, number>
}

let loading: Promise<Detect> | undefined

/** Loads the detector. It takes a tenth of a second, so it is loaded early and no token waits for it. */
export const loadDetector = (): Promise<Detect> => {
  loading ??= import('eld/extrasmall').then(
    ({ eld }) =>
      text =>
        eld.detect(text),
  )
  return loading
}

/** Enough characters to detect a language. Whole answers of three hundred seats would hold up everybody. */
const sample = 500

/** Code and links say nothing about the language of a text. */
const prose = (text: string): string =>
  text
    .slice(0, 4 * sample)
    .replace(/```[\s\S]*?```|`[^`]*`|https?:\S+/g, ' ')
    .slice(0, sample)

/** Below this a name or a formula can look like any language. */
const shortestText = 12

/** Short English questions sometimes look like another language. The reverse hardly happens. */
const favour: Readonly<Record<string, number>> = { en: 0.1 }

/** An ISO 639-1 code, or null if the language can't be detected. */
export const languageOf = async (text: string): Promise<string | null> => {
  const words = prose(text).trim()
  if (words.length < shortestText) return null
  const found = (await loadDetector())(words)
  if (!found.isReliable()) return null
  const weighed = Object.entries(found.getScores()).map(([code, score]) => ({
    code,
    score: score + (favour[code] ?? 0),
  }))
  return weighed.reduce((best, one) => (one.score > best.score ? one : best), {
    code: found.language,
    score: 0,
  }).code
}

/** How much better another language must fit before an answer counts as written in it. */
const clearMargin = 0.08
const shortestAnswer = 40

/** The wrong language that an answer is in. Null if it is in the expected one, or too short to say. */
export const driftOf = async (text: string, expected: string | null): Promise<string | null> => {
  const words = prose(text).trim()
  if (expected === null || words.length < shortestAnswer) return null
  const found = (await loadDetector())(words)
  if (!found.isReliable() || found.language === expected) return null
  const scores = found.getScores()
  return (scores[found.language] ?? 0) - (scores[expected] ?? 0) > clearMargin ? found.language : null
}

const known = (code: string, locale: string): string | undefined =>
  new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' }).of(code)?.toLowerCase()

/** "fr", "French" or "français" as a code. */
export const languageCode = (wish: string): string => {
  const word = wish.trim().toLowerCase()
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const codes = [...letters].flatMap(first => [...letters].map(second => first + second))
  const found = codes.find(
    code => known(code, 'en') !== undefined && [code, known(code, 'en'), known(code, code)].includes(word),
  )
  if (found) return found
  throw new UsageError(`There is no language "${wish}". Give a name such as French, or a code such as fr.`)
}

// moderate: Has the moderator do one task. If it can't, code does what code can, and the log says so.

const subjectOf = (command: ModeratorCommand): { subject?: string; subjects?: string[] } => {
  if (command.type === 'check-memberships')
    return { subjects: command.pairs.map(({ seat, exemplar }) => checkKey(seat, exemplar)) }
  if (command.type === 'group-answers') return { subject: String(command.pass) }
  if (command.type === 'check-membership') return { subject: checkKey(command.seat, command.exemplar) }
  if (command.type === 'judge') return { subject: String(command.order) }
  return command.type === 'check-change' ? { subject: command.seat } : {}
}

/** What code does instead of the moderator. */
const withoutModerator = (
  session: Session,
  command: ModeratorCommand,
  rejected: readonly string[],
): Happening[] => {
  switch (command.type) {
    case 'write-digest':
      return [
        {
          type: 'digest-written',
          round: command.round,
          ...(command.batch !== undefined && { batch: command.batch }),
          digest: plainDigest(session, command.round, command.batch),
          by: 'code',
        },
      ]
    case 'write-report':
      return [reportByCode(session, rejected)]
    case 'find-kind':
    case 'group-readings':
    case 'read-round':
    case 'group-answers':
    case 'check-membership':
    case 'check-memberships':
    case 'challenge':
    case 'check-change':
    case 'judge':
      return []
    default:
      return command satisfies never
  }
}

type Reported = Happening & { type: 'report-written' | 'report-drafted' }

/** What code puts in place of a report that can't be used. While memberships are being checked, the counts come later. */
const reportByCode = (session: Session, rejected: readonly string[]): Reported => ({
  ...(session.asLabelled
    ? draftedFor(session)
    : { type: 'report-written', report: plainReport(session), by: 'code' }),
  ...(rejected.length > 0 && { rejected: [...rejected] }),
})

const reportIn = (session: Session, written: Reported): Report | undefined => {
  if (written.type === 'report-written') return written.report
  return written.draft && finished(session, written.draft)
}

/**
 * A report whose answer is worded otherwise than the leading headline is compared with it once, in one more call. If
 * they aren't the same answer, or that can't be found out, code writes the report.
 */
const checkedReport = async (
  context: RunContext,
  session: Session,
  written: Reported,
): Promise<Happening | Happening[]> => {
  const report = reportIn(session, written)
  const compared = report && toCompare(session, report)
  if (!compared) return written
  const asked = await askModel<Relation>(context, session, {
    prompt: answerPrompt(session, compared),
    name: 'report answer',
    read: raw => {
      const found = relationFrom(raw)
      return 'problem' in found ? found : found.relation
    },
  })
  const usage = asked.usage ? plus(written.usage, asked.usage) : written.usage
  const spent = { ...(usage && { usage }), ...(written.timing && { timing: written.timing }) }
  if (asked.status === 'given') {
    const problem = answerProblem(compared.answer, asked.value)
    return { ...(problem ? reportByCode(session, [problem]) : written), ...spent }
  }
  const failed = eventFrom(asked, {
    given: () => written,
    failed: error => failure(session, 'report', error),
  })
  return [
    { ...failed, ...spent } as Happening,
    reportByCode(session, ['its answer could not be compared with the leading position']),
  ]
}

const failure = (
  session: Session,
  task: ModeratorTask,
  error: ModelError,
): Happening & { type: 'moderator-failed' } => ({
  type: 'moderator-failed',
  task,
  round: session.roundsSoFar.at(-1)?.index ?? 0,
  error,
})

const failureIn = (session: Session, command: ModeratorCommand, error: ModelError): Happening => ({
  ...failure(session, moderatorStep(command).task, error),
  ...('round' in command && { round: command.round }),
  ...subjectOf(command),
})

/** A task that came to nothing: that it failed, and what code does instead. */
export const moderatorFailed = (
  state: Session,
  command: ModeratorCommand,
  error: ModelError,
): Happening[] => {
  const session = seenFor(command, state)
  return [failureIn(session, command, error), ...withoutModerator(session, command, [error.message])]
}

export const moderate = async (
  context: RunContext,
  state: Session,
  command: ModeratorCommand,
): Promise<Happening[]> => {
  const session = seenFor(command, state)
  const tooHard = session.smallModerator && command.type !== 'check-membership'
  if (session.moderator === null || session.stopped || tooHard) return withoutModerator(session, command, [])
  const { step } = moderatorStep(command)
  let lastReply: unknown
  const asked = await askModel<Happening>(context, session, {
    prompt: step.prompt(session, command),
    name: commandKey(command),
    ...(command.type === 'write-report' && { reportOn: latestRound(session)?.index ?? 0 }),
    read: raw => {
      lastReply = raw
      return step.read(raw, session, command)
    },
  })
  const happening = eventFrom(asked, {
    given: found => found,
    failed: error =>
      (error.kind === 'bad-shape' && step.salvage?.(lastReply, session, command)) ||
      failureIn(session, command, error),
  })
  if (happening.type === 'report-written' || happening.type === 'report-drafted')
    return [await checkedReport(context, session, happening)].flat()
  if (asked.status === 'given') return [happening]
  return [happening, ...withoutModerator(session, command, asked.status === 'silent' ? asked.problems : [])]
}

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
): Unchecked | { readonly problem: string } | { readonly declines: string } => {
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

// statement: Gives an advocate its turn.

type MakeStatement = Command & { type: 'make-statement' }

export const makeStatement = async (
  context: RunContext,
  session: Session,
  command: MakeStatement,
): Promise<Happening> => {
  const { round, turn, seat } = command
  const asked = await askModel<Happening>(context, session, {
    prompt: statement.prompt(session, command),
    name: `statement ${round} ${turn}`,
    to: { round, turn, seat },
    read: raw => statement.read(raw, session, command),
  })
  return eventFrom(asked, {
    given: happening => happening,
    failed: error => ({ type: 'statement-made', round, turn, seat, said: { error } }),
  })
}
