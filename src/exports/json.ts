/** The whole session as JSON, every round included. Reading it back gives the same log. */
import { isDeepStrictEqual } from 'node:util'
import { UsageError } from '../core/errors.ts'
import type { SessionEvent } from '../core/log/event.ts'
import { deepest, pathText } from '../core/question/schema-issue.ts'
import { documentOf, documentSchema, documentVersion } from './document.ts'
import type { Exporter } from './exporter.ts'
import { checkLog } from './log-check.ts'

const messageOf = (text: string): string | undefined => {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Some of the parser's messages don't say where: then it is the shortest beginning that fails that way. */
const failsAt = (text: string, message: string): number => {
  const position = / at position (\d+)/.exec(message)?.[1]
  if (position !== undefined) return Number(position)
  if (!message.startsWith('Unexpected token')) return text.length
  let [fine, broken] = [0, text.length]
  while (broken - fine > 1) {
    const middle = Math.floor((fine + broken) / 2)
    if (messageOf(text.slice(0, middle))?.startsWith('Unexpected token')) broken = middle
    else fine = middle
  }
  return fine
}

const parsed = (text: string): unknown => {
  const message = messageOf(text)
  if (message === undefined) return JSON.parse(text)
  const before = text.slice(0, failsAt(text, message)).split('\n')
  const reason = message.replace(/,? ?(?:\.\.\.)?".*$| at position .*$/s, '')
  throw new UsageError(`Line ${before.length}, column ${before.at(-1)!.length + 1}: ${reason}.`)
}

/** The checked events have their fields in another order; as written, a second export is the same file. */
const isSame = (written: unknown, checked: SessionEvent[]): written is SessionEvent[] =>
  isDeepStrictEqual(written, checked)

const read = (text: string): SessionEvent[] => {
  const value = parsed(text.replace(/^\uFEFF/, ''))
  const version = value instanceof Object && 'version' in value ? value.version : undefined
  if (typeof version === 'number' && version > documentVersion) {
    throw new UsageError(
      `version: this document has version ${version}, and this Roundtable reads version ${documentVersion}. Update Roundtable.`,
    )
  }
  const document = documentSchema.safeParse(value)
  if (!document.success) {
    const { path, message } = deepest(document.error.issues[0]!)
    throw new UsageError(`${pathText(path) || 'The document'}: ${message}.`)
  }
  const checked = [...document.data.events]
  checkLog(checked)
  const written = value instanceof Object && 'events' in value ? value.events : undefined
  return isSame(written, checked) ? written : checked
}

export const json = (): Exporter => ({
  id: 'json',
  label: 'JSON',
  extension: 'json',
  contentType: 'application/json; charset=utf-8',
  write(events, { compact, thread, files = [] } = {}) {
    const document = { ...documentOf(events, thread), ...(files.length > 0 && { files }) }
    return `${JSON.stringify(document, null, compact ? undefined : 2)}\n`
  },
  read,
})
