/** Every form that a session is exported to. Command-line choices and file endings derive from this list. */
import { UsageError } from '../core/basics.ts'
import { allStamped, type Happening, type SessionEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import type { Exporter, ImportContext } from './exporter.ts'
import { html } from './html.ts'
import { json } from './json.ts'
import { markdown } from './markdown.ts'
import { transcript } from './transcript.ts'

export type { Exporter, ExportOptions, ImportContext } from './exporter.ts'

export const exporters: readonly Exporter[] = [json(), markdown(), html(), transcript()]

export const exporterNamed = (id: string): Exporter => {
  const found = exporters.find(exporter => exporter.id === id)
  if (found) return found
  throw new UsageError(
    `There is no export format "${id}": choose one of ${exporters.map(exporter => exporter.id).join(', ')}.`,
  )
}

/** Reads a session from JSON or a transcript, whichever the text is. */
export const importText = (text: string, context: ImportContext): SessionEvent[] => {
  if (text.trim() === '')
    throw new UsageError('Line 1: the text is empty; a session as JSON or a transcript was expected.')
  const form = /^\uFEFF?\s*[{[]/.test(text) ? 'json' : 'transcript'
  return exporterNamed(form).read!(text, context)
}

const cutShort: readonly Happening[] = [
  {
    ...{ type: 'session-stopped', reason: 'interrupted' },
    words: 'The session was not over when it was exported.',
  },
  { type: 'session-finished', outcome: 'interrupted' },
]

/**
 * The log as it is saved. Nobody runs a session that was under way when it was exported, so it would seem to run for ever: it
 * is stopped, and can be resumed.
 */
export const savedLog = (
  log: readonly SessionEvent[],
  { clock }: Pick<ImportContext, 'clock'>,
): readonly SessionEvent[] =>
  log.length === 0 || fold(log).outcome ? log : [...log, ...allStamped(cutShort, log.length, clock)]
