/** Removes keys from everything that a provider says, before anybody sees it. */
import { literal } from '../../core/literal.ts'
import type { ModelPart } from '../provider.ts'
import type { TextType } from './part-queue.ts'

const mark = '[key]'

/** Placeholders for a key aren't secret: removing them, or short values, would remove ordinary words. */
const placeholders = /^(?:none|null|empty|dummy|local|ollama|lm-studio|no-?key(?:-required)?|not-needed)$/i
const shortestSecret = 6

export const secretsFrom = (values: readonly (string | undefined)[]): readonly string[] => {
  const secrets = new Set<string>()
  for (const value of values) {
    if (value !== undefined && value.length >= shortestSecret && !placeholders.test(value)) secrets.add(value)
  }
  return [...secrets].sort((one, other) => other.length - one.length)
}

/** In capitals a key is still a key: some servers shout what they were sent. */
const without = (text: string, secrets: readonly string[]): string =>
  secrets.length === 0 ? text : text.replace(new RegExp(secrets.map(literal).join('|'), 'gi'), mark)

/**
 * The patterns start only where a word or a row of stars starts, or they would take time that grows with the square.
 *
 * An error's words without any secret, without anything that looks like a credential in a header, and
 * without the ends of a masked key that makers still show: `sk-p***aB`, `****aB3d`.
 */
export const redacted = (text: string, secrets: readonly string[]): string =>
  without(text, secrets)
    .replace(/(?<![\w-])[\w-]+\*{3,}[\w-]*|(?<!\*)\*{3,}[\w-]+/g, mark)
    .replace(/\b(Bearer|Basic)\s+(?!\[key\])[\w.~+/=-]{6,}/gi, `$1 ${mark}`)
    .replace(
      /\b(authorization|api-key|x-api-key)(["']?\s*[:=]\s*["']?)(?!\[key\]|bearer|basic)[^\s"',}]{6,}/gi,
      `$1$2${mark}`,
    )

type SourcePart = ModelPart & { type: 'source' }

/** A page that a search reports. Without its key an address would be another one, so such a page is left out. */
export const cleanSource = ({ address, title }: SourcePart, secrets: readonly string[]): SourcePart[] => {
  if (without(address, secrets) !== address) return []
  return [{ type: 'source', address, ...(title !== undefined && { title: without(title, secrets) }) }]
}

/** How many characters at the end of the text could be the start of a secret. */
const openEnd = (text: string, secrets: readonly string[]): number => {
  let longest = 0
  for (const secret of secrets) {
    let from = text.indexOf(secret[0]!, Math.max(0, text.length - secret.length + 1))
    while (from >= 0 && text.length - from > longest) {
      if (secret.startsWith(text.slice(from))) longest = text.length - from
      from = text.indexOf(secret[0]!, from + 1)
    }
  }
  return longest
}

export type WriteText = (type: TextType, text: string) => void

export interface TextWriter {
  readonly write: WriteText
  /** Writes what was held back. */
  readonly flush: () => void
}

/** Removes secrets from a stream of text, even if a secret arrives in several pieces. */
export const redactedWriter = (secrets: readonly string[], write: WriteText): TextWriter => {
  if (secrets.length === 0) return { write, flush() {} }
  let held = ''
  let heldType: TextType = 'text'
  const flush = (): void => {
    if (held !== '') write(heldType, held)
    held = ''
  }
  return {
    flush,
    write(type, text) {
      if (text === '') return
      if (type !== heldType) flush()
      heldType = type
      const clean = without(held + text, secrets)
      const end = clean.length - openEnd(clean, secrets)
      held = clean.slice(end)
      if (end > 0) write(type, clean.slice(0, end))
    },
  }
}
