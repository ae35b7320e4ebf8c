/** What the MCP tools need: sessions of a server, in this process or in another one. */
import type {
  AnswerBody,
  AskBody,
  FindingsReply,
  FindQuery,
  ModelsQuery,
  ModelsReply,
} from '../../api/index.ts'
import type { SessionEvent } from '../../core/log/event.ts'

export interface Tables {
  /** Opens a session. With the same key, it is opened once, however often it is tried. */
  open(input: AskBody, key: string): Promise<string>
  /** Throws if there is no such session. */
  log(id: string): Promise<readonly SessionEvent[]>
  /** Every event from the first one, until the session is over or the signal is aborted. */
  follow(id: string, signal: AbortSignal): AsyncIterable<SessionEvent>
  stop(id: string): Promise<void>
  /** Hands in the answer of a seat that is held from outside. */
  handIn(id: string, seat: string, body: AnswerBody): Promise<void>
  find(query: FindQuery): Promise<FindingsReply>
  models(query: ModelsQuery): Promise<ModelsReply>
  /** Throws if the caller may not use this tool with these arguments. Left out: whoever gets here may use all of them. */
  permit?(tool: string, given: unknown): Promise<void>
  /** Where the pages are, such as `http://127.0.0.1:4317`. */
  origin(): Promise<string>
}
