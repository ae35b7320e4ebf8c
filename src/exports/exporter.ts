/** What a form of export is: a session written as one text, and read back where that makes sense. */
import type { SessionEvent } from '../core/log/event.ts'

/** Ids and times of an imported session; handed in, so that an import can be repeated exactly. */
export interface ImportContext {
  newId(): string
  clock(): number
}

export interface ExportOptions {
  /** The tighter layout, where the form has two. */
  readonly compact?: boolean
}

export interface Exporter {
  readonly id: string
  readonly label: string
  /** Without the dot. */
  readonly extension: string
  readonly contentType: string
  write(events: readonly SessionEvent[], options?: ExportOptions): string
  /** Throws a UsageError that names line and reason where the text is not of this form. */
  read?(text: string, context: ImportContext): SessionEvent[]
}
