/** An export format: a session written as one text, and read back if that makes sense. */
import type { SessionEvent } from '../core/event.ts'
import type { StoredFile } from '../core/excerpts.ts'
import type { ThreadSession } from '../words/asking.ts'

/** Ids and times of an imported session; handed in, so that an import can be repeated exactly. */
export interface ImportContext {
  newId(): string
  clock(): number
}

export interface ExportOptions {
  /** The compact layout, if the format has two. */
  readonly compact?: boolean
  /** Follow-ups and forks, as the archive knows them. Absent: only what the log says of the sessions before. */
  readonly thread?: readonly ThreadSession[]
  /** The files of the session, for a format that can hold them. */
  readonly files?: readonly StoredFile[]
}

export interface Exporter {
  readonly id: string
  readonly label: string
  /** Without the dot. */
  readonly extension: string
  readonly contentType: string
  write(events: readonly SessionEvent[], options?: ExportOptions): string
  /** Throws a UsageError that names line and reason if the text isn't in this format. */
  read?(text: string, context: ImportContext): SessionEvent[]
}
