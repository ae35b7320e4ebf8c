/** A session as the result of a tool: for programs as fields, for models as text. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { TableResult } from '../../api/index.ts'
import type { SessionEvent } from '../../core/log/event.ts'
import { apply, fold, type Session, seatOf } from '../../core/log/state.ts'
import { usageOf } from '../../core/log/usage.ts'
import { plainReport } from '../../core/verdict/plain-report.ts'
import { absenceOf } from '../../core/verdict/tally.ts'
import { flags, verdictOf } from '../../core/verdict/verdict.ts'
import { answerText } from '../../core/wording/answer-text.ts'
import { campLabel, narrated } from '../../core/wording/narration.ts'
import { reasonWords } from '../../core/wording/own-word.ts'

import { agentTurns, type OutsideTurn } from '../../runtime/outside.ts'
import { Refusal } from '../problem.ts'

export const pageOf = (origin: string, id: string): string => `${origin}/s/${id}`

const namesOf = (session: Session, seats: readonly string[]): string[] =>
  seats.map(seat => seatOf(session, seat).name)

const movesOf = (session: Session): TableResult['moved'] =>
  verdictOf(session).ledger.map(({ seat, from, to, reason, credit }) => ({
    seat: seatOf(session, seat).name,
    from: campLabel(session, from),
    to: campLabel(session, to),
    why: [
      ...(reason ? [reasonWords[reason]] : []),
      ...(credit?.verified ? [`citing ${seatOf(session, credit.seat).name}: “${credit.quote}”`] : []),
    ].join(', '),
  }))

/** The verdict as it stands: of a session that runs, that of its last closed round. */
export const verdictFields = (session: Session): Omit<TableResult, 'status' | 'id' | 'url'> => {
  const { line, level, leading, final, dissent, flags: raised } = verdictOf(session)
  const { answer } = session.report ?? plainReport(session)
  const { costUsd, inputTokens, outputTokens } = usageOf(session)
  return {
    ...(session.outcome && { outcome: session.outcome }),
    line,
    level,
    answer,
    camps: (final?.camps ?? []).map(({ id, label, seats }) => ({
      label,
      seats: namesOf(session, seats),
      leads: id === leading,
    })),
    moved: movesOf(session),
    dissent: namesOf(session, dissent),
    silent: (final?.silent ?? []).map(seat => ({
      seat: seatOf(session, seat).name,
      why: absenceOf(session, final?.round ?? 0, seat),
    })),
    flags: raised.map(flag => ({ flag, words: flags[flag] })),
    cost: { usd: costUsd, inputTokens, outputTokens },
  }
}

const storyOf = (log: readonly SessionEvent[]): string[] => {
  let session: Session | undefined
  return log.flatMap(event => {
    const before = session
    session = apply(before, event)
    return narrated(before, session, event)
  })
}

const replied = (fields: TableResult, text: string): CallToolResult => ({
  structuredContent: fields,
  content: [{ type: 'text', text }],
})

/** Nothing of what others said, except what stands in the prompt. */
const yourTurn = ({ round, prompt, deadline }: OutsideTurn, id: string, url: string): CallToolResult => {
  const text = [prompt.system, ...prompt.user].join('\n\n')
  const until = new Date(deadline).toISOString()
  return replied(
    {
      status: 'your-turn',
      id,
      url,
      round,
      prompt: text,
      form: prompt.shape.json,
      deadline: until,
      next: 'take_seat',
    },
    [
      `It is your turn in round ${round} of session ${id}, until ${until}. Answer the prompt yourself, with nothing but what it says, by take_seat. Your answer is an object of this JSON schema:`,
      JSON.stringify(prompt.shape.json),
      'The prompt:',
      text,
    ].join('\n\n'),
  )
}

/** While it is the caller's turn, it is told nothing of the others. */
export const refuseInTurn = (log: readonly SessionEvent[]): void => {
  if (agentTurns(fold(log)).length > 0)
    throw new Refusal(
      409,
      'It is your turn in this session. Hand in your answer first: wait_for_table gives the prompt.',
    )
}

/** Finished: the verdict. Otherwise what happened so far, and how to wait on. */
export const tableResult = (log: readonly SessionEvent[], origin: string): CallToolResult => {
  const session = fold(log)
  const { id } = session
  const url = pageOf(origin, id)
  const [turn] = agentTurns(session)
  if (turn) return yourTurn(turn, id, url)
  if (session.outcome)
    return replied(
      { status: 'finished', id, url, ...verdictFields(session) },
      `${answerText(session)}\n\nSession ${id}: ${url}`,
    )
  const so_far = storyOf(log)
  return replied(
    { status: 'running', id, url, so_far, next: 'wait_for_table' },
    [...so_far, '', `Still running. Call wait_for_table with the id ${id} for the verdict. ${url}`].join(
      '\n',
    ),
  )
}
