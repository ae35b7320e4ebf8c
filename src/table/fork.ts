/** A fork from the start: the same question again. What a session had, and what is said anew. Pure. */
import type { Session } from '../core/log/state.ts'
import type { SeatInput } from '../core/question/seat-input.ts'
import type { AskInput } from './ask-input.ts'
import { withoutUndefined } from './usual.ts'

type SessionSeat = Session['seats'][number]

const seatWish = ({ model, name, brief, temperature, effort, sees }: SessionSeat): SeatInput => ({
  model,
  name,
  ...(brief !== undefined && { brief }),
  ...(temperature !== undefined && { temperature }),
  ...(effort && { effort }),
  // If it could not, it may see now.
  ...(sees && { sees }),
})

/** A model that sat at the table before keeps its name, brief and settings, unless they are said anew. */
const seatsAgain = (wanted: readonly SeatInput[], seats: readonly SessionSeat[]): SeatInput[] => {
  const left = [...seats]
  return wanted.map(seat => {
    const index = typeof seat === 'string' ? left.findIndex(({ model }) => model === seat) : -1
    const [before] = index < 0 ? [] : left.splice(index, 1)
    return before ? seatWish(before) : seat
  })
}

/** The same seats, in the words of a request. */
export const tableAgain = ({
  seats,
  outsideDeadline,
}: Session): Pick<AskInput, 'seats' | 'outside' | 'outsideDeadline' | 'people'> => {
  const outside = seats.filter(seat => seat.outside && !seat.person).map(({ name }) => name)
  const people = seats.filter(seat => seat.person)
  return {
    seats: seats.filter(seat => !seat.outside).map(seatWish),
    ...(outside.length > 0 && { outside }),
    ...(outsideDeadline !== undefined && { outsideDeadline }),
    ...(people.length > 0 && { people: people.map(({ name, deadline }) => ({ name, deadline })) }),
  }
}

/** How the question is to be answered. A scale belongs to numbers only. */
const formOf = ({ scale, ...form }: Omit<Session['question'], 'text' | 'attachments'>) => ({
  ...form,
  ...(form.format === 'number' && { scale }),
})

/** What is said anew takes the place of what was, with all that depended on it. */
export const forkOf = (session: Session, wanted: Partial<AskInput>): AskInput => {
  const changes = withoutUndefined(wanted)
  const { text, attachments, ...asked } = session.question
  const { seats, lineup, protocol = session.protocol } = changes
  const asBefore = !seats && lineup === undefined && !session.imported
  const sameProtocol = !session.imported && protocol === session.protocol
  return {
    question: text,
    attachments: attachments.map(one => (one.sha256 ? { ...one, session: session.id } : one)),
    ...((attachments.length > 0 || session.search) && !session.citations && { citations: false }),
    ...(session.search && { search: session.search }),
    ...(session.fetch === false && { fetch: false }),
    ...(session.excerpts && { excerpts: true }),
    ...(changes.format === undefined && formOf(asked)),
    ...(changes.format === undefined &&
      changes.question === undefined &&
      session.kind && { kind: session.kind }),
    ...(asBefore && tableAgain(session)),
    ...(!session.imported && { moderator: session.moderator, names: session.names }),
    ...(sameProtocol && { protocol, rounds: session.rounds }),
    ...(session.language !== null && changes.question === undefined && { language: session.language }),
    ...(session.budget && { budget: session.budget }),
    deadline: session.deadline,
    ...(session.patience !== undefined && { patience: session.patience }),
    ...(session.form && { form: session.form }),
    ...(session.book && { book: session.book }),
    ...(session.letters && { letters: [...new Set(session.letters.given.map(({ book }) => book))] }),
    ...(session.after && { after: session.after.session, carry: session.after.carry }),
    forkedFrom: session.id,
    ...changes,
    ...(seats && { seats: seatsAgain(seats, session.seats) }),
  }
}
