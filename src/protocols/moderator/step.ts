/** One thing that the moderator is asked to do: what it is asked, and what its reply means. */
import type { Happening } from '../../core/log/event.ts'
import type { Session } from '../../core/log/state.ts'
import type { Prompt } from '../protocol.ts'

export interface ModeratorStep<Command> {
  prompt(session: Session, command: Command): Prompt
  /** The event that a reply stands for, or what is wrong with the reply. */
  read(raw: unknown, session: Session, command: Command): Happening | { readonly problem: string }
}

export const moderatorSystem = [
  'You moderate a round table and hold no opinion of your own.',
  'Participants are known to you only as Seat A, Seat B and so on.',
  'Reply with one JSON object of the given form and nothing else.',
].join('\n')
