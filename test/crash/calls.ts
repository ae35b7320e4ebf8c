/** Which call of which session a request to the lab was, and who made it. */
import { nonceFor } from '../../src/core/basics.ts'
import { commandKey, type SessionEvent } from '../../src/core/event.ts'
import type { RecordedCall } from '../lab/call.ts'

export const seatCount = 6
/** Each session asks its own question, so that its calls can be recognised. */
export const questionOf = (number: number): string => `Question #${number}: should a small team start early?`

/** `17 m2 0`: session 17, the model of the second seat, the sealed round; the moderator's calls go by their fence. */
export const callKey = ({ body }: RecordedCall): string => {
  const text = body.messages.map(message => message.content).join('\n')
  const number = /Question #(\d+):/.exec(text)?.[1]
  // Each task of the moderator has a fence of its own; to say what kind of question it is, it reads no answers. Nor does
  // a seat in the sealed round.
  const fence = /<<<(\w+)/.exec(text)?.[1]
  // `slow-m6` or `split-m6` holds the same seat as `m6` does elsewhere.
  const model = body.model.replace(/^.*-/, '')
  return `${number} ${model === 'moderator' ? (fence ?? 'kind') : `${model} ${fence ? 1 : 0}`}`
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
const answeredBy = (number: number, event: SessionEvent, seed: string): string | undefined => {
  if (event.type === 'answer-given') return `${number} m${event.seat.slice(1)} ${event.round}`
  if (event.type === 'kind-found') return `${number} kind`
  const fence = fenceOf(event)
  return fence === undefined ? undefined : `${number} ${nonceFor(`${seed} ${fence}`)}`
}

/** Where the last answer of a seat is that the table had gone on without. -1: nowhere. */
const lastLate = (log: readonly SessionEvent[]): number =>
  log.findLastIndex(
    (event, place) =>
      event.type === 'answer-given' &&
      log
        .slice(0, place)
        .some(one => one.type === 'seat-overdue' && one.seat === event.seat && one.round === event.round),
  )

/** The calls that a log has the answers of, for good: what the moderator read before a late answer came is read again. */
export const settledCalls = (
  number: number,
  log: readonly SessionEvent[],
): { readonly key: string; readonly at: number }[] => {
  const seed = log[0]?.type === 'session-opened' ? log[0].seed : ''
  const late = lastLate(log)
  return log.flatMap((event, place) => {
    const isKept = event.type === 'answer-given' || event.type === 'kind-found' || place > late
    const isOutdated = 'outdated' in event && event.outdated
    const key = isKept && !isOutdated ? answeredBy(number, event, seed) : undefined
    return key === undefined ? [] : [{ key, at: Date.parse(event.at) }]
  })
}

/** The call that a table no longer waits for: if it is lost, nobody makes it again. */
export const givenUpBy = (number: number, event: SessionEvent): string | undefined =>
  event.type === 'seat-overdue' ? `${number} m${event.seat.slice(1)} ${event.round}` : undefined

export const numberOf = (call: RecordedCall): number => Number.parseInt(callKey(call), 10)

/** Each process calls models with its own key, and gets a new one when it is started again. */
export const callerOf = ({ headers }: RecordedCall): string =>
  String(headers.authorization ?? '').replace('Bearer ', '')
