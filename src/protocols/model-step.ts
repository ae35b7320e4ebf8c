/** One thing that a model is asked besides a seat's answer: its prompt, and the event that its reply becomes. */
import type { Happening } from '../core/log/event.ts'
import type { Session } from '../core/log/state.ts'
import type { Prompt } from './protocol.ts'

export interface ModelStep<Command> {
  prompt(session: Session, command: Command): Prompt
  /** The event that the reply becomes, or what is wrong with the reply. */
  read(raw: unknown, session: Session, command: Command): Happening | { readonly problem: string }
  /** What can be used of a reply that was still wrong when the model was asked once more. */
  salvage?(raw: unknown, session: Session, command: Command): Happening | undefined
}
