/** A question that follows on from a session: it goes to the same table unless another one is named. Pure. */
import type { Session } from '../core/log/state.ts'
import { formatFor } from '../core/question/ask-input.ts'
import { formats } from '../core/question/question.ts'
import { protocolNamed } from '../protocols/index.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { type AskInput, isOpenTable } from './ask-input.ts'
import { tableAgain } from './fork.ts'
import { withoutUndefined } from './usual.ts'

/** A protocol that can't take the new question's format was meant for the old one. */
const protocolAgain = (session: Session, asked: AskInput, known: readonly Protocol[]): Partial<AskInput> => {
  if (asked.protocol !== undefined || session.imported) return {}
  const { formats: taken = formats } = protocolNamed(session.protocol, known)
  return taken.includes(formatFor(asked)) ? { protocol: session.protocol, rounds: session.rounds } : {}
}

export const followUpOf = (session: Session, given: AskInput, known: readonly Protocol[]): AskInput => {
  const asked = withoutUndefined(given)
  const { imported, book, budget, patience } = session
  return {
    ...(isOpenTable(asked) && !imported && tableAgain(session)),
    ...(!imported && { moderator: session.moderator, deadline: session.deadline }),
    // Letters are signed, and votes usually aren't.
    ...(!imported && !book && { names: session.names }),
    ...protocolAgain(session, asked, known),
    ...(budget && { budget }),
    ...(patience !== undefined && { patience }),
    ...asked,
  }
}
