/** What a reply is made of, whichever format it is written in: the debate piece by piece, then the end. */
import type { TableReply } from '../../api/index.ts'
import { apply, type Session, seatOf } from '../../core/log/state.ts'
import { usageOf } from '../../core/log/usage.ts'
import { verdictOf } from '../../core/verdict/verdict.ts'
import { answerText } from '../../core/wording/answer-text.ts'
import { narrated } from '../../core/wording/narration.ts'
import { follow } from '../follow.ts'
import type { Service } from '../service.ts'
import { type AnswerForm, inForm } from './answer-form.ts'
import { OpenAIError } from './errors.ts'

export interface TokenCounts {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
  readonly reasoningTokens: number
}

export interface Told {
  readonly content: string
  readonly usage: TokenCounts
  /** Length: the budget was reached first. */
  readonly finish: 'stop' | 'length'
  readonly table?: TableReply
}

/** Yields the debate, and returns the end. Throws OpenAIError if there is no answer. */
export type Telling = AsyncGenerator<string, Told>

export const tableReplyOf = (session: Session, origin: string): TableReply => {
  const { level, line, flags, final } = verdictOf(session)
  return {
    session: session.id,
    url: `${origin}/s/${session.id}`,
    level,
    line,
    flags: [...flags],
    silent: (final?.silent ?? []).map(seat => seatOf(session, seat).name),
  }
}

/** The session's answer, or why there is none. */
export const endOf = (session: Session): { readonly content: string; readonly finish: Told['finish'] } => {
  switch (session.outcome) {
    case undefined:
      throw new OpenAIError(
        `The server is stopping. Session ${session.id} continues when it is started again: send the same request then.`,
        { status: 503, code: 'stopping' },
      )
    case 'failed':
      throw new OpenAIError(session.stopped?.words ?? 'The session could not be run.', {
        status: 500,
        code: 'session_failed',
      })
    case 'no-quorum':
      throw new OpenAIError(verdictOf(session).line, { status: 503, code: 'no_quorum' })
    case 'budget':
      return { content: answerText(session), finish: 'length' }
    case 'verdict':
    case 'interrupted':
      return { content: answerText(session), finish: 'stop' }
    default:
      return session.outcome satisfies never
  }
}

export interface TellingOptions {
  readonly origin: string
  readonly form: AnswerForm | undefined
  readonly signal: AbortSignal
}

/** Until somebody has answered, nothing is told: a table where everybody fails is an error, not a reply. */
export async function* tellSession(service: Service, id: string, options: TellingOptions): Telling {
  const { origin, form, signal } = options
  let session: Session | undefined
  let held: string[] | undefined = []
  for await (const event of follow(service.engine, id, signal)) {
    const before = session
    session = apply(before, event)
    const lines = narrated(before, session, event)
    if (held) held.push(...lines)
    else if (lines.length > 0) yield `${lines.join('\n')}\n`
    if (held && event.type === 'answer-given') {
      yield `${held.join('\n')}\n`
      held = undefined
    }
  }
  if (!session) throw new OpenAIError(`There is no session "${id}".`, { status: 404, code: 'not_found' })
  const { content, finish } = endOf(session)
  const table = tableReplyOf(session, origin)
  const usage = usageOf(session)
  if (!form) return { content, finish, usage, table }
  const formed = await inForm(service, session, form, signal)
  return { content: formed.text, finish, usage: sumOf(usage, formed.usage), table }
}

export const sumOf = (one: TokenCounts, other: Partial<TokenCounts> = {}): TokenCounts => ({
  inputTokens: one.inputTokens + (other.inputTokens ?? 0),
  outputTokens: one.outputTokens + (other.outputTokens ?? 0),
  cachedTokens: one.cachedTokens + (other.cachedTokens ?? 0),
  reasoningTokens: one.reasoningTokens + (other.reasoningTokens ?? 0),
})
