/** Which call of which session a request to the lab was, and who made it. */
import { commandKey } from '../../src/core/log/command.ts'
import type { SessionEvent } from '../../src/core/log/event.ts'
import { nonceFor } from '../../src/core/random.ts'
import type { RecordedCall } from '../lab/server.ts'

export const seatCount = 6
/** Each session asks its own question, so that its calls can be recognised. */
export const questionOf = (number: number): string => `Question #${number}: should a small team start early?`

/** `17 m2 0`: session 17, the model of the second seat, the sealed round; the moderator's calls go by their fence. */
export const callKey = ({ body }: RecordedCall): string => {
  const text = body.messages.map(message => message.content).join('\n')
  const number = /Question #(\d+):/.exec(text)?.[1]
  const properties = body.response_format?.json_schema?.schema.properties ?? {}
  const round = 'decision' in (properties as object) ? 1 : 0
  // Each task of the moderator has a fence of its own; to say what kind of question it is, it reads no answers.
  const fence = /<<<(\w+)/.exec(text)?.[1] ?? 'kind'
  return `${number} ${body.model === 'moderator' ? fence : `${body.model} ${round}`}`
}

/** What the fence is called that the moderator read for an event. */
const fenceOf = (event: SessionEvent): string | undefined => {
  switch (event.type) {
    case 'round-read':
      return `group ${event.round} 0`
    case 'camps-proposed':
      return `group ${event.round} ${event.pass}`
    case 'membership-checked':
      return `check ${event.round} ${event.seat} ${event.exemplar}`
    case 'memberships-checked': {
      const pairs = event.checks.map(({ seat, exemplar }) => ({ seat, exemplar }))
      return commandKey({ type: 'check-memberships', round: event.round, pairs })
    }
    case 'challenge-made':
      return `challenge ${event.round}`
    case 'report-drafted':
    case 'report-written':
      return event.usage ? 'report' : undefined
    default:
      return undefined
  }
}

/** The call that an event answers. */
export const answeredBy = (number: number, event: SessionEvent, seed: string): string | undefined => {
  if (event.type === 'answer-given') return `${number} m${event.seat.slice(1)} ${event.round}`
  if (event.type === 'kind-found') return `${number} kind`
  const fence = fenceOf(event)
  return fence === undefined ? undefined : `${number} ${nonceFor(`${seed} ${fence}`)}`
}

export const numberOf = (call: RecordedCall): number => Number.parseInt(callKey(call), 10)

/** Each process calls models with its own key, and gets a new one when it is started again. */
export const callerOf = ({ headers }: RecordedCall): string =>
  String(headers.authorization ?? '').replace('Bearer ', '')
