/**
 * The plain text of a session, in two layouts. It has no earlier rounds, so an import keeps what the
 * transcript claims about agreement and changes of mind, and calls these claims.
 */
import { type Happening, logSchema, type SessionEvent } from '../../core/log/event.ts'
import { allStamped } from '../../core/log/stamp.ts'
import { fold } from '../../core/log/state.ts'
import { deepest, pathText } from '../../core/question/schema-issue.ts'
import type { Exporter, ImportContext } from '../exporter.ts'
import { readTranscript, type Transcript } from './read.ts'
import type { ReadSeat } from './read-seats.ts'
import { found, sourceOf } from './source.ts'
import { writeTranscript } from './write.ts'

/** A, B, … Z, AA, AB, … */
const aliasAt = (index: number): string =>
  (index >= 26 ? aliasAt(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

const handedIn = (seat: ReadSeat, id: string, round: number): Happening => {
  switch (seat.status) {
    case 'given': {
      const { headline, reasoning, value } = seat
      const { late: _late, ...details } = seat.details
      const answer = { headline, reasoning, confidence: null, ...value, ...details, language: null }
      return { type: 'answer-given', round, seat: id, answer }
    }
    case 'silent':
      return { type: 'seat-silent', round, seat: id, error: seat.error }
    case 'abstained':
      return { type: 'seat-abstained', round, seat: id, words: seat.words }
    default:
      return seat satisfies never
  }
}

const isLate = (seat: ReadSeat): boolean => seat.status === 'given' && seat.details.late === true

/** What seats handed in: late answers come last, after the round has closed without them. */
const allHandedIn = (seats: readonly (ReadSeat & { readonly id: string })[], round: number): Happening[] => {
  const late = seats.filter(isLate)
  return [
    ...seats.filter(seat => !isLate(seat)).map(seat => handedIn(seat, seat.id, round)),
    ...late.map(({ id: seat }): Happening => ({ type: 'seat-overdue', round, seat, by: 'patience' })),
    ...late.map(seat => handedIn(seat, seat.id, round)),
  ]
}

/** A debate's sealed round is not in its transcript, so the log begins with the round after it. */
const happenings = (transcript: Transcript, id: string): Happening[] => {
  const { debate, question, report, line } = transcript
  const seats = transcript.seats.map((seat, index) => ({
    ...seat,
    id: `s${index + 1}`,
    alias: aliasAt(index),
  }))
  const round = debate ? 1 : 0
  return [
    {
      type: 'session-opened',
      id,
      question,
      seats: seats.map(({ id: seat, alias, name }) => ({ id: seat, alias, name, model: `imported/${name}` })),
      moderator: null,
      protocol: debate ? 'roundtable' : 'poll',
      rounds: round,
      names: 'shown',
      language: null,
      seed: 'imported',
      deadline: 120,
      imported: {
        from: 'transcript',
        line,
        changed: seats.filter(seat => seat.changed).map(seat => seat.id),
      },
    },
    { type: 'round-opened', round, sealed: !debate },
    ...allHandedIn(seats, round),
    { type: 'report-written', report, by: 'moderator' },
    { type: 'session-finished', outcome: line.startsWith('No quorum') ? 'no-quorum' : 'verdict' },
  ]
}

const read = (text: string, context: ImportContext): SessionEvent[] => {
  const source = sourceOf(text)
  const events = allStamped(happenings(readTranscript(source), context.newId()), 0, context.clock)
  const [issue] = logSchema.safeParse(events).error?.issues ?? []
  if (issue) source.fail(0, `${pathText(deepest(issue).path.slice(1))}: ${deepest(issue).message}`)
  // An import that does not give the same text back has lost something.
  const again = writeTranscript(fold(events), source.gap === 0).split('\n')
  const lost = source.lines.findIndex((line, index) => line !== again[index])
  if (lost >= 0 || again.length !== source.lines.length) {
    const at = lost >= 0 ? lost : source.lines.length
    const expected = again[at] === undefined ? 'nothing' : found(again[at]).slice('found '.length)
    source.fail(at, `${expected} was expected here, ${found(source.lines[at])}`)
  }
  return events
}

export const transcript = (): Exporter => ({
  id: 'transcript',
  label: 'Transcript',
  extension: 'txt',
  contentType: 'text/plain; charset=utf-8',
  write: (events, options) => writeTranscript(fold(events), options?.compact ?? false, options?.thread),
  read,
})
