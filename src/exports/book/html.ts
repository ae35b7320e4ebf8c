/** A book of letters as one static page: no script, nothing loaded, and one letter a page on paper. */
import { commonThread, readingOrder, readingOrderHint } from '../../core/letters/book-words.ts'
import type { SessionEvent } from '../../core/log/event.ts'
import { listed } from '../../core/wording/numbers.ts'
import { staticPage } from '../html/static-page.ts'
import { escaped, plainText, richText } from '../html/text.ts'
import { bookOf, type ExportedBook, type ExportedLetter } from './book.ts'
import { bookStyle } from './style.ts'

const anchor = (index: number): string => `letter-${index + 1}`

const contents = ({ letters, thread }: ExportedBook): string => {
  if (letters.length === 0) return ''
  const rows = letters.map(
    ({ from, headline }, index) =>
      `<li><a href="#${anchor(index)}"><span class="from" dir="auto">${escaped(from)}</span></a>${plainText('span', headline, 'says')}</li>`,
  )
  return `<nav aria-labelledby="contents">
<h2 id="contents">${readingOrder}</h2>
<p class="hint">${readingOrderHint}</p>
<ol>
${rows.join('\n')}
</ol>
${thread ? `<p><a href="#thread">${commonThread}</a></p>` : ''}
</nav>`
}

const step = (letter: ExportedLetter | undefined, index: number, words: string): string =>
  letter ? `<a href="#${anchor(index)}">${words} ${escaped(letter.from)}</a>` : '<span></span>'

const letterArticle = (letter: ExportedLetter, index: number, letters: readonly ExportedLetter[]): string =>
  `<article id="${anchor(index)}" aria-labelledby="${anchor(index)}-from">
<p class="number">${index + 1} of ${letters.length}</p>
<h2 id="${anchor(index)}-from" dir="auto">${escaped(letter.from)}</h2>
${richText(letter.text, letter.language)}
${letter.note ? plainText('p', `${letter.note}.`, 'hint') : ''}
<p class="steps">${step(letters[index - 1], index - 1, '←')}${step(letters[index + 1], index + 1, '→')}</p>
</article>`

const threadSection = ({ thread }: ExportedBook): string =>
  thread
    ? `<section id="thread" aria-labelledby="thread-title">
<h2 id="thread-title">${commonThread}</h2>
${thread.byCode ? plainText('p', thread.answer) : richText(thread.answer)}
${thread.each ? richText(thread.each) : ''}
</section>`
    : ''

export const bookPage = (events: readonly SessionEvent[]): string => {
  const book = bookOf(events)
  const { letters, silent } = book
  return staticPage(
    book.title,
    bookStyle,
    `<header>
<h1>${escaped(book.title)}</h1>
${plainText('p', book.line, 'byline')}
${plainText('p', book.task, 'task')}
${book.notes.map(note => plainText('p', note, 'note')).join('\n')}
${silent.length > 0 && letters.length > 0 ? plainText('p', `No letter came from ${listed(silent)}.`, 'hint') : ''}
</header>
<main>
${contents(book)}
${letters.map(letterArticle).join('\n')}
${threadSection(book)}
</main>
<footer>
${plainText('p', book.provenance)}
</footer>`,
  )
}
