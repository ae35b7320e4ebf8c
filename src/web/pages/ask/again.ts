/** The form filled in from a session: the same question, for another table. */
import type { Session } from '../../../core/log/state.ts'
import { type AskForm, emptyForm, seatForm } from './form.ts'

/** An imported session's protocol and moderator were somebody else's. */
export const formFrom = (session: Session): AskForm => {
  const {
    text,
    format,
    options = [],
    unit = '',
    scale,
    tolerance,
    length,
    camps,
    attachments,
  } = session.question
  return {
    ...emptyForm,
    question: text,
    format,
    options: options.join('\n'),
    unit,
    ...(scale && { scale }),
    tolerance: tolerance === undefined ? '' : String(tolerance),
    words: length === undefined ? '' : String(length),
    byIntent: camps === 'intent',
    kind: session.kind ?? '',
    search: session.search ?? '',
    attachments: attachments.map(one => (one.sha256 ? { ...one, session: session.id } : one)),
    ...(session.excerpts && { excerpts: true }),
    seats: session.seats
      .filter(({ outside }) => !outside)
      .map(({ model, name, brief, temperature, effort }) =>
        seatForm({
          ...{ model, name },
          ...(brief !== undefined && { brief }),
          ...(temperature !== undefined && { temperature }),
          ...(effort && { effort }),
        }),
      ),
    people: session.seats.filter(({ person }) => person).map(({ name }) => name),
    ...(!session.imported && {
      protocol: session.protocol,
      rounds: session.rounds,
      names: session.names,
      moderator: session.moderator,
    }),
    budget: session.budget?.usd === undefined ? '' : String(session.budget.usd),
  }
}
