/** Which call of which session a request to the lab was, and who made it. */
import type { SessionEvent } from '../../src/core/log/event.ts'
import type { RecordedCall } from '../lab/server.ts'

export const seatCount = 6
/** Each session asks its own question, so that its calls can be recognised. */
export const questionOf = (number: number): string => `Question #${number}: should a small team start early?`

/** `17 m2 0`: session 17, the model of the second seat, the sealed round. */
export const callKey = ({ body }: RecordedCall): string => {
  const text = body.messages.map(message => message.content).join('\n')
  const number = /Question #(\d+):/.exec(text)?.[1]
  const properties = body.response_format?.json_schema?.schema.properties ?? {}
  const round = 'decision' in (properties as object) ? 1 : 0
  return body.model === 'moderator' ? `${number} report` : `${number} ${body.model} ${round}`
}

/** The call that an event answers. */
export const answeredBy = (number: number, event: SessionEvent): string | undefined => {
  if (event.type === 'answer-given') return `${number} m${event.seat.slice(1)} ${event.round}`
  return event.type === 'report-written' ? `${number} report` : undefined
}

export const numberOf = (call: RecordedCall): number => Number.parseInt(callKey(call), 10)

/** Each process calls models with its own key, and gets a new one when it is started again. */
export const callerOf = ({ headers }: RecordedCall): string =>
  String(headers.authorization ?? '').replace('Bearer ', '')
