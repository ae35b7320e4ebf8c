/** Every form that a session is exported to. Command-line choices and file endings derive from this list. */
import { UsageError } from '../core/basics.ts'
import type { SessionEvent } from '../core/event.ts'
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
