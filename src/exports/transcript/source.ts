/** The lines of a transcript that is being read, and errors that name the line. */
import { UsageError } from '../../core/errors.ts'
import { trimmedEnd } from '../../core/question/trimmed.ts'
import { isContinuation } from './lines.ts'

export interface TextSource {
  readonly lines: readonly string[]
  /** Blank lines between blocks: one, or none in the compact layout. */
  readonly gap: 0 | 1
  fail(index: number, reason: string): never
  /** The lines of the field that begins here, continuation lines included. */
  fieldAt(index: number): readonly string[]
  /** Where the field begins whose last line is this one. */
  fieldEndingAt(index: number): number
  /** The lines of the text between two blocks, given the last line of the one and the first of the other. */
  between(last: number, first: number): readonly string[]
}

const shortened = (line: string): string => (line.length > 60 ? `${line.slice(0, 60)}…` : line)

export const found = (line: string | undefined): string =>
  line === undefined ? 'the text ends' : `found "${shortened(line)}"`

/** Removes line ends of other systems, a byte order mark, and the line of a page that was still loading. */
const withoutWrapping = (text: string): { lines: string[]; skipped: number } => {
  const unmarked = text.replace(/^\uFEFF/, '')
  const windows = /^(?:Loading session\.\.\.\r\n)?\s*AI Roundtable[^\r\n]*\r\n/.test(unmarked)
  const unix = windows ? unmarked.replaceAll('\r\n', '\n') : unmarked
  const lines = trimmedEnd(unix, '\n').split('\n')
  if (lines[0] !== 'Loading session...') return { lines, skipped: 0 }
  const blank = lines.findIndex((line, index) => index > 0 && line !== '')
  const skipped = blank < 0 ? lines.length : blank
  return { lines: lines.slice(skipped), skipped }
}

export const sourceOf = (text: string): TextSource => {
  const { lines, skipped } = withoutWrapping(text)
  const responses = lines.indexOf(
    'Model Responses',
    lines.findIndex(line => line.startsWith('Answer: ')),
  )
  const gap = responses >= 0 && lines[responses + 1] === '' ? 1 : 0
  const fail = (index: number, reason: string): never => {
    throw new UsageError(`Line ${Math.min(index, lines.length) + skipped + 1} of the transcript: ${reason}.`)
  }
  return {
    lines,
    gap,
    fail,
    fieldAt(index) {
      let end = index + 1
      while (isContinuation(lines[end])) end++
      return lines.slice(index, end)
    },
    fieldEndingAt(index) {
      let start = index
      while (start > 0 && isContinuation(lines[start])) start--
      return start
    },
    between(last, first) {
      const all = lines.slice(last + 1, first)
      if (gap === 0) return all
      if (all[0] !== '') return fail(last + 1, `a blank line was expected, ${found(lines[last + 1])}`)
      if (all.length === 1) return []
      if (all.at(-1) !== '' || all.length === 2)
        return fail(first - 1, `a blank line was expected, ${found(lines[first - 1])}`)
      return all.slice(1, -1)
    },
  }
}
