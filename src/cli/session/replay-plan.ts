/** When each event of a saved session would be seen, and the pieces of text that were never stored. */
import { draftPoint } from '../../core/log/draft.ts'
import type { SessionEvent } from '../../core/log/event.ts'
import type { Delta, LiveEvent } from '../../core/log/live-event.ts'

export interface Beat {
  /** Milliseconds since the beginning. */
  readonly at: number
  readonly event: LiveEvent
}

/** How long an answer takes if nobody measured it, as in a transcript. */
const usualTime = 3_000
const longestPause = 10_000
const piecesPerText = 40

const pieces = (text: string): string[] => {
  const words = text.match(/\S+\s*|\s+/g) ?? []
  const size = Math.max(1, Math.ceil(words.length / piecesPerText))
  return Array.from({ length: Math.ceil(words.length / size) }, (_, index) =>
    words.slice(index * size, (index + 1) * size).join(''),
  )
}

type Field = Delta['field']

const deltasOf = (event: SessionEvent, headlineFirst: boolean): Delta[] => {
  const streamed = (work: Pick<Delta, 'round' | 'turn' | 'seat'>, field: Field, text: string): Delta[] =>
    pieces(text).map(piece => ({ type: 'delta', ...work, field, text: piece }))
  if (event.type === 'answer-given') {
    const { round, seat, answer } = event
    const { headline, reasoning, text = '' } = answer
    const points = (answer.points ?? []).map(draftPoint).join('\n')
    const said = { points, reasoning, text }
    const inOrder = headlineFirst ? { headline, ...said } : { ...said, headline }
    return Object.entries(inOrder).flatMap(([field, words]) =>
      streamed({ round, seat }, field as Field, words),
    )
  }
  if (event.type === 'statement-made' && 'argument' in event.said) {
    const { round, turn, seat, said } = event
    return streamed({ round, turn, seat }, 'reasoning', said.argument)
  }
  return []
}

/** What was said, spread over the time in which it was written. */
const writing = (event: SessionEvent, end: number, least: number, headlineFirst: boolean): Beat[] => {
  const deltas = deltasOf(event, headlineFirst)
  const timing = 'timing' in event ? event.timing : undefined
  const total = Math.min(timing?.total ?? usualTime, end - least)
  const begin = end - total + Math.min(timing?.firstToken ?? total / 4, total)
  return deltas.map((delta, index) => ({ at: begin + ((end - begin) * index) / deltas.length, event: delta }))
}

const isHandedIn = (event: SessionEvent): boolean =>
  event.type === 'answer-given' || event.type === 'seat-silent' || event.type === 'seat-abstained'

/** Milliseconds from each event to the next. A session without times of its own gets some. */
const pauses = (events: readonly SessionEvent[]): number[] => {
  const untimed = events.at(0)?.at === events.at(-1)?.at
  return events.map((event, index) => {
    const before = events[index - 1]
    if (!before) return 0
    if (!untimed) return Math.min(longestPause, Math.max(0, Date.parse(event.at) - Date.parse(before.at)))
    if (!isHandedIn(event)) return 300
    return isHandedIn(before) ? 150 : usualTime
  })
}

export const replayPlan = (events: readonly SessionEvent[]): Beat[] => {
  const waits = pauses(events)
  let now = 0
  let roundAt = 0
  let headlineFirst = true
  const answerFirst = events.some(event => event.type === 'session-opened' && event.form === 'answer-first')
  const beats = events.flatMap((event, index): Beat[] => {
    const before = now
    now += waits[index]!
    if (event.type === 'round-opened') {
      roundAt = now
      // The first version of the prompts asked for the headline first.
      headlineFirst = answerFirst || event.prompts === undefined
    }
    // Seats answer a round at the same time, and speak one after the other.
    const least = event.type === 'statement-made' ? before : roundAt
    return [...writing(event, now, least, headlineFirst), { at: now, event }]
  })
  return beats.toSorted((one, other) => one.at - other.at)
}
