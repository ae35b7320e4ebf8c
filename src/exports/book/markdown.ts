/** A book of letters as a Markdown document. */
import { commonThread, readingOrder, readingOrderHint } from '../../core/letters/book-words.ts'
import type { SessionEvent } from '../../core/log/event.ts'
import { listed } from '../../core/wording/numbers.ts'
import { inline, quoted } from '../markdown/text.ts'
import { bookOf } from './book.ts'

export const bookMarkdown = (events: readonly SessionEvent[]): string => {
  const { title, line, task, notes, letters, thread, silent, provenance } = bookOf(events)
  const contents = letters.map(
    ({ from, headline }, index) => `${index + 1}. **${inline(from)}**: ${inline(headline)}`,
  )
  const blocks = [
    `# ${inline(title)}`,
    inline(line),
    quoted(task),
    ...notes.map(note => `*${inline(note)}*`),
    ...(silent.length > 0 && letters.length > 0 ? [`No letter came from ${inline(listed(silent))}.`] : []),
    ...(contents.length > 0 ? [`## ${readingOrder}`, readingOrderHint, contents.join('\n')] : []),
    ...letters.flatMap(({ from, text, note }, index) => [
      `## ${index + 1}. ${inline(from)}`,
      quoted(text),
      ...(note ? [`*${inline(note)}.*`] : []),
    ]),
    ...(thread
      ? [`## ${commonThread}`, quoted(thread.answer), ...(thread.each ? [quoted(thread.each)] : [])]
      : []),
    inline(provenance),
  ]
  return `${blocks.join('\n\n')}\n`
}
