/** Which call of which session a request to the lab was, and who made it. */
import type { SessionEvent } from '../../src/core/log/event.ts'
import type { RecordedCall } from '../lab/server.ts'

export const seatCount = 6
/** Each session asks a question of its own, so that its calls can be told from others'. */
export const questionOf = (number: number): string => `Question #${number}: should a small team start early?`

/** `17 m2 0`: session 17, the model of the second seat, the sealed round. */
export const callKey = ({ body }: RecordedCall): string => {
  const text = body.messages.map(message => message.content).join('\n')
  const number = /Question #(\d+):/.exec(text)?.[1]
  const properties = body.response_format?.json_schema?.schema.properties ?? {}
  const round = 'decision' in (properties as object) ? 1 : 0
  return body.model === 'moderator' ? `${number} report` : `${number} ${body.model} ${round}`
}

/** The call that an event is the answer to. */
export const answeredBy = (number: number, event: SessionEvent): string | undefined => {
  if (event.type === 'answer-given') return `${number} m${event.seat.slice(1)} ${event.round}`
  return event.type === 'report-written' ? `${number} report` : undefined
}

export const numberOf = (call: RecordedCall): number => Number.parseInt(callKey(call), 10)

/** Every life of every process calls models with a key of its own. */
export const callerOf = ({ headers }: RecordedCall): string =>
  String(headers.authorization ?? '').replace('Bearer ', '')
