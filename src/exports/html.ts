/** A book of letters as one static page: no script, nothing loaded, and one letter a page on paper. */

import { createRequire } from 'node:module'
import type { RendererRule } from 'markdown-it'
import { listed } from '../core/basics.ts'
import type { SessionEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { campNumbers, hasCamps } from '../count/moves.ts'
import { formatNote, instructionNote, linkNotes, threadTexts, threadTitle } from '../words/asking.ts'
import { campPatterns, shape, svgText } from '../words/camp-patterns.ts'
import {
  type BetweenRounds,
  citationsTitle,
  influenceHeads,
  influenceTitle,
  pointsTitle,
  readingLabel,
  readingsTitle,
  roundName,
} from '../words/moves.ts'
import { colourNames, flowDrawing, paletteCss, tableDrawing } from '../words/pictures.ts'
import { commonThread, readingOrder, readingOrderHint, seatNotes } from '../words/story.ts'
import {
  flagRemarks,
  foundTitle,
  problemRemarks,
  reportParts,
  sourceHead,
  sourcesTitle,
} from '../words/words.ts'
import type { Exporter } from './exporter.ts'
import { citationsOf, documentOf, type HandedInDocument, type SessionDocument } from './json.ts'
import { guardedParser, type MarkdownParser } from './markdown-parser.ts'
import { holdsText, transcriptClaims } from './transcript-parts.ts'
import {
  absenceText,
  betweenRoundsTexts,
  bookOf,
  changedMind,
  changesOf,
  closedValue,
  digestTexts,
  type ExportedBook,
  type ExportedLetter,
  finalRound,
  howOftenRightOf,
  isBook,
  kindTextOf,
  letterOf,
  nameOf,
  namesOf,
  ownWordOf,
  pointsOf,
  provenance,
  pullsOf,
  readingTextsOf,
  remarksOn,
  resolvedText,
  sameNumbers,
  tallyRows,
  titleOf,
  usageRows,
} from './wording.ts'

// text: Text of people and models as HTML: Markdown is rendered, everything that could act is shown as text.

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Marks that change the direction of text: with them a text could show itself as another one. */
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

export const escaped = (text: string): string =>
  text.replace(bidi, '').replace(/[&<>"']/g, character => entities[character]!)

const codeText: RendererRule = (tokens, index) =>
  `<pre tabindex="0"><code>${escaped(tokens[index]!.content)}</code></pre>\n`

const rules = {
  // An image would be fetched from its server when the file is opened, so only its description is shown.
  image: (tokens, index) => `[${escaped(tokens[index]!.content || 'image')}]`,
  link_open: (tokens, index) =>
    `<a href="${escaped(String(tokens[index]!.attrGet('href')))}" rel="noopener noreferrer nofollow">`,
  // A text's own headings would break the order of the page's.
  heading_open: () => '<p><strong>',
  heading_close: () => '</strong></p>\n',
  fence: codeText,
  code_block: codeText,
} satisfies Record<string, RendererRule>

let parser: MarkdownParser | undefined

/** The parser is loaded when the first text is written, so that commands that write none start faster. */
const markdown = (): MarkdownParser => {
  if (parser) return parser
  parser = guardedParser(createRequire(import.meta.url)('markdown-it'))
  Object.assign(parser.renderer.rules, rules)
  return parser
}

/** A long text. `dir="auto"`, since it may be in any script. */
export const richText = (text: string, language?: string | null): string => {
  const lang = language && /^[a-z]{2,3}$/i.test(language) ? ` lang="${language}"` : ''
  return `<div class="text" dir="auto"${lang}>${markdown().render(text.replace(bidi, ''))}</div>`
}

/** A short text, or one that is to keep its line breaks as they are. */
export const plainText = (tag: string, text: string, className = ''): string =>
  `<${tag}${className && ` class="${className}"`} dir="auto">${escaped(text)}</${tag}>`

// staticPage: The frame of every exported page: it may run nothing and load nothing.

/** Even if a text slipped through as markup, nothing may run and nothing may be loaded. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** `body` is markup; the title is text. */
export const staticPage = (title: string, style: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title.length > 80 ? `${title.slice(0, 79)}…` : title)} · Roundtable</title>
<style>
${style}
</style>
</head>
<body>
${body}
</body>
</html>
`

/** The look of an exported book: a column of type, light or dark as the reader's system is, and a page a letter on paper. */
export const bookStyle = `
:root { color-scheme: light dark; --paper: #fdfcfa; --ink: #1f1d1a; --soft: #5d5850; --line: #ddd6ca;
  --accent: #7a3e12; --shade: #f4f0e8 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #191816; --ink: #ebe7df; --soft: #b0a99c; --line: #3b3833; --accent: #e8a878; --shade: #22201d }
}
* { box-sizing: border-box }
html { scroll-behavior: smooth }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1.125rem/1.7 Charter, 'Bitstream Charter', 'Iowan Old Style', Georgia, serif }
body > * { max-width: 36rem; margin-inline: auto; padding-inline: 1.25rem }
header { padding-block: 5rem 2rem; text-align: center }
h1 { font-size: 2.4rem; line-height: 1.2; font-weight: 500; letter-spacing: -.01em; margin: 0 }
h2 { font-weight: 500; font-size: 1.7rem; line-height: 1.25; margin: 0 0 1.5rem }
h1, h2, p, li, .text, .says { overflow-wrap: anywhere }
.byline { color: var(--soft); margin: 1rem 0 0 }
.task { font-style: italic; color: var(--soft); white-space: pre-wrap; margin: 2rem auto 0; max-width: 30rem; font-size: 1rem }
.note { background: var(--shade); border-inline-start: 3px solid var(--accent); padding: .75rem 1rem; text-align: start; font-size: .95rem }
.hint, .number, footer { color: var(--soft); font-size: .9rem }
nav ol { padding: 0; margin: 1.5rem 0; list-style: none; counter-reset: letter }
nav li { counter-increment: letter; display: grid; grid-template-columns: 2rem 1fr; padding-block: .8rem; border-top: 1px solid var(--line) }
nav li::before { content: counter(letter); color: var(--soft); font-variant-numeric: oldstyle-nums; grid-row: span 2 }
.from { font-weight: 600 }
.says { grid-column: 2; color: var(--soft); font-size: .95rem; line-height: 1.5 }
nav, article, section { padding-block: 3rem }
article, section { border-top: 1px solid var(--line) }
.number { margin: 0; letter-spacing: .04em }
.text > p:first-child { margin-top: 0 }
pre { overflow-x: auto; background: var(--shade); padding: .75rem 1rem; font-size: .85rem; line-height: 1.45 }
code { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: .9em }
blockquote { margin: .75rem 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line) }
a { color: var(--accent) }
.steps { display: flex; justify-content: space-between; gap: 1rem; margin: 2.5rem 0 0; font-size: .95rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px }
:target { scroll-margin-top: 1rem }
footer { padding-block: 1rem 4rem; overflow-wrap: anywhere }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto } }
@media (max-width: 30rem) { body { font-size: 1.0625rem } header { padding-top: 2.5rem } h1 { font-size: 1.9rem } }
@page { margin: 22mm 20mm }
@media print {
  :root { --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #000; --shade: #f3f3f3 }
  body { font-size: 11.5pt; line-height: 1.6 } body > * { max-width: none; padding: 0 }
  header { padding-top: 12mm } nav, article, section { padding-block: 0; border: 0 }
  nav { padding-top: 8mm } article, section { break-before: page } h2 { break-after: avoid }
  a { text-decoration: none; color: inherit } .steps { display: none } p { orphans: 3; widows: 3 }
}
`.trim()

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

const threadSectionOf = ({ thread }: ExportedBook): string =>
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
${threadSectionOf(book)}
</main>
<footer>
${plainText('p', book.provenance)}
</footer>`,
  )
}

// drawings: The table and the flow, drawn as on the pages.

/** Nobody grouped the answers of an imported transcript: a drawing of camps would claim it. */
export const drawings = ({ events, imported }: SessionDocument): string => {
  const session = fold(events)
  if (imported || !hasCamps(session) || session.roundsSoFar.length === 0) return ''
  const numbers = campNumbers(session)
  const flow = flowDrawing(session, numbers)
  const patterns = shape('svg', { width: 0, height: 0, 'aria-hidden': 'true' }, campPatterns(numbers.size))
  return [
    svgText(patterns),
    '<div class="drawings">',
    `<figure>${svgText(tableDrawing(session, numbers))}</figure>`,
    flow ? `<figure>${svgText(flow)}</figure>` : '',
    '</div>',
  ].join('')
}

// sections: The parts of the exported page, in the order of a transcript.

export const section = (id: string, title: string, content: string): string =>
  content === ''
    ? ''
    : `<section aria-labelledby="${id}">\n<h2 id="${id}">${escaped(title)}</h2>\n${content}\n</section>`

export const table = (caption: string, heads: readonly string[], rows: readonly string[]): string =>
  `<div class="scroll" tabindex="0" role="region" aria-label="${escaped(caption)}: table"><table><thead><tr>${heads
    .map(head => `<th scope="col">${escaped(head)}</th>`)
    .join('')}</tr></thead><tbody>${rows.map(row => `<tr>${row}</tr>`).join('')}</tbody></table></div>`

/** Addresses of a log are http or https. They say nothing of the page that links to them. */
const linkTo = (address: string): string =>
  `<a href="${escaped(address)}" rel="noopener noreferrer">${escaped(address)}</a>`

const sourceList = ({ sources = [], attachments }: SessionDocument): string => {
  const items = sources.map(
    (one, index) =>
      `<li dir="auto">${escaped(sourceHead(one, index, attachments.length))}: ${linkTo(one.address)}</li>`,
  )
  return items.length > 0 ? `<p class="label">${sourcesTitle}</p><ul>${items.join('')}</ul>` : ''
}

const foundList = ({ found = [] }: Given): string => {
  const items = found.map(
    ({ address, title }) => `<li dir="auto">${title ? `${escaped(title)}: ` : ''}${linkTo(address)}</li>`,
  )
  return items.length > 0 ? `<p class="label">${foundTitle}</p><ul>${items.join('')}</ul>` : ''
}

export const questionSection = (document: SessionDocument): string => {
  const note = formatNote(document)
  const attached = document.attachments.map(one => one.name).join(', ')
  const instruction = instructionNote(document)
  return section(
    'question',
    'Question',
    [
      plainText('p', document.question, 'question'),
      note ? plainText('p', note, 'meta') : '',
      instruction ? plainText('p', instruction, 'meta words') : '',
      attached ? plainText('p', `Attached: ${attached}`, 'meta') : '',
      sourceList(document),
      ...document.rounds
        .flatMap(({ said = [] }) => said)
        .map(({ words }) => plainText('p', `Added by the asker: ${words}`, 'meta words')),
    ].join(''),
  )
}

const readingList = (document: SessionDocument): string => {
  const items = readingTextsOf(document).map(
    ({ reading, who }) => `<li dir="auto">${escaped(reading)} (${escaped(who)})</li>`,
  )
  return items.length > 0 ? `<p class="label">${readingsTitle}</p><ul>${items.join('')}</ul>` : ''
}

export const answerSection = (document: SessionDocument): string => {
  const { report, verdict } = document
  const resolved = resolvedText(document)
  const kind = kindTextOf(document)
  const signal = howOftenRightOf(document)
  return section(
    'answer',
    'Answer',
    [
      report ? plainText('p', report.answer, 'answer') : '',
      plainText('p', verdict.line, 'mark'),
      kind ? plainText('p', kind, 'meta') : '',
      signal ? plainText('p', signal, 'meta') : '',
      readingList(document),
      resolved ? plainText('p', resolved, 'note') : '',
      report?.counterpoint === undefined
        ? ''
        : `<p class="label">Counterpoint</p>${plainText('p', report.counterpoint, 'words')}`,
      drawings(document),
    ].join(''),
  )
}

type Given = Extract<HandedInDocument, { status: 'given' }>

const quotation = (words: string): string => `<blockquote>${plainText('p', words, 'words')}</blockquote>`

const ownWordPart = (document: SessionDocument, answer: Given): string => {
  const own = ownWordOf(document, answer)
  if (!own) return ''
  const { line, quote } = own
  const cause = quote ? `, crediting ${quote.from}; ${quote.verdict}:` : '.'
  return plainText('p', line + cause, 'own') + (quote ? quotation(quote.words) : '')
}

const pointsPart = (document: SessionDocument, answer: Given): string => {
  const points = pointsOf(document, answer).map(
    ({ from, words, verdict, judgement, why }) =>
      `<li dir="auto"><strong>${escaped(judgement)}</strong>: ${escaped(from)}, ${escaped(verdict)}${quotation(words)}${why.trim() && plainText('p', why, 'words')}</li>`,
  )
  return points.length > 0
    ? `<details class="points" open><summary>${escaped(pointsTitle)}</summary><ul>${points.join('')}</ul></details>`
    : ''
}

const citationsPart = (document: SessionDocument, answer: Given): string => {
  const items = citationsOf(document, answer).map(
    ({ head, words }) => `<li dir="auto">${escaped(head)}${quotation(words)}</li>`,
  )
  return items.length > 0 ? `<p class="label">${citationsTitle}</p><ul>${items.join('')}</ul>` : ''
}

const seatEntry = (document: SessionDocument, answer: HandedInDocument, mark: boolean): string => {
  const name = `<h3 dir="auto"><span class="letter">${escaped(letterOf(document, answer.seat))}</span>${escaped(answer.by?.name ?? nameOf(document, answer.seat))}${mark ? ' <span class="mark">changed its mind</span>' : ''}</h3>`
  if (answer.status !== 'given') {
    const { what, words } = absenceText(answer)
    return `<article>${name}${plainText('p', what, 'mark')}${plainText('p', words, 'words')}</article>`
  }
  const value = closedValue(document, answer)
  const remarks = remarksOn(document, answer)
  const doubt = answer.wouldChangeMind ? `Would change its mind: ${answer.wouldChangeMind}` : ''
  return [
    `<article>${name}`,
    value === undefined ? '' : plainText('p', value, 'answer'),
    plainText('p', answer.headline, 'headline'),
    answer.reading === undefined ? '' : plainText('p', `${readingLabel}: ${answer.reading}`, 'meta'),
    ownWordPart(document, answer),
    answer.text !== undefined && `<div class="text">${richText(answer.text, answer.language)}</div>`,
    answer.text !== undefined && answer.reasoning.trim() && '<p class="label">About the text</p>',
    answer.reasoning.trim() && richText(answer.reasoning, answer.language),
    citationsPart(document, answer),
    foundList(answer),
    pointsPart(document, answer),
    doubt && plainText('p', doubt, 'meta'),
    remarks.length > 0 ? plainText('p', remarks.join(' · '), 'meta') : '',
    '</article>',
  ]
    .filter(part => part !== false)
    .join('')
}

export const responsesSection = (document: SessionDocument): string => {
  const answers = finalRound(document)?.answers ?? []
  return section(
    'responses',
    'Model responses',
    answers.map(answer => seatEntry(document, answer, changedMind(document, answer.seat))).join('\n'),
  )
}

/** The counterpoint stands with the answer that it speaks against. */
export const summarySection = (document: SessionDocument): string => {
  const { report, verdict } = document
  const parts = report ? reportParts(report, seat => nameOf(document, seat)) : []
  const texts = parts
    .filter(({ id }) => id !== 'counterpoint')
    .map(({ title, text }) => `${title === null ? '' : `<h3>${escaped(title)}</h3>`}${richText(text)}`)
  return section(
    'summary',
    'Final summary',
    report ? `${texts.join('')}${plainText('p', verdict.line, 'mark')}` : '',
  )
}

export const tallySection = (document: SessionDocument): string => {
  const cell = (seats: readonly string[] | null): string => {
    if (!seats) return '<td>unknown</td>'
    const share = Math.round((seats.length * 100) / Math.max(1, document.seats.length))
    const bar = seats.length > 0 ? `<span class="bar" style="--share: ${share}%"></span>` : ''
    return `<td><strong>${seats.length}</strong> ${escaped(namesOf(document, seats))}${bar}</td>`
  }
  const rows = tallyRows(document).map(
    row =>
      `<th scope="row" dir="auto">${escaped(row.label)}${row.leads ? ' <span class="mark">leads</span>' : ''}</th>${cell(row.sealed)}${cell(row.final)}`,
  )
  const title = 'Tally, sealed → final'
  if (rows.length === 0) return ''
  const same = sameNumbers(document)
  const notes = [...(same === undefined ? [] : [same]), ...document.verdict.asides]
  return section(
    'tally',
    title,
    `${table(title, ['Position', 'Sealed', 'Final'], rows)}${notes.map(note => plainText('p', note, 'meta')).join('')}`,
  )
}

export const changesSection = (document: SessionDocument): string =>
  section(
    'changes',
    'Who moved, and why',
    changesOf(document)
      .map(({ who, how, quote }) => {
        const cause = quote ? `, crediting ${quote.from}; ${quote.verdict}:` : ', crediting nobody.'
        const words = quote ? quotation(quote.words) : ''
        return `<p dir="auto"><strong>${escaped(who)}</strong> ${escaped(how + cause)}</p>${words}`
      })
      .join('\n'),
  )

const entriesOf = (title: string, texts: readonly BetweenRounds[]): string =>
  texts.length === 0
    ? ''
    : `<h3>${escaped(title)}</h3>${texts
        .map(({ who, words }) => `<p dir="auto"><strong>${escaped(who)}</strong></p>${quotation(words)}`)
        .join('')}`

/** What happened between rounds: figures, advocates, a judge, and what the next round read. */
export const betweenRoundsSection = (document: SessionDocument): string =>
  section(
    'between-rounds',
    'Between the rounds',
    document.rounds
      .map(round => {
        const entries =
          entriesOf('After the round', betweenRoundsTexts(document, round)) +
          entriesOf('Summary of the positions', digestTexts(document, round))
        return entries && `<details><summary>${escaped(roundName(round))}</summary>\n${entries}</details>`
      })
      .filter(entry => entry !== '')
      .join('\n'),
  )

/** Every round but the one whose answers are shown above. */
export const roundsSection = (document: SessionDocument): string => {
  const shown = finalRound(document)?.index
  const rounds = document.rounds.filter(round => round.index !== shown)
  return section(
    'rounds',
    'Other rounds',
    rounds
      .map(round => {
        const objection = round.objection ? `Objection put to the table: ${round.objection}` : ''
        const answers = round.answers.map(answer => seatEntry(document, answer, answer.move === 'switched'))
        return `<details><summary>${escaped(roundName(round))}</summary>\n${answers.join('\n')}${objection && plainText('p', objection, 'note')}</details>`
      })
      .join('\n'),
  )
}

export const flagsSection = (document: SessionDocument): string => {
  const { verdict, failures, report, stopped } = document
  const item = (head: string, words: string): string =>
    `<li dir="auto"><strong>${escaped(head)}</strong>: ${escaped(words)}</li>`
  const items = [
    ...flagRemarks(verdict.flags, document),
    ...problemRemarks({ failures, rejected: report?.rejected ?? [], stopped }),
  ].map(({ head, words }) => item(head, words))
  return section('flags', 'Flags', items.length > 0 ? `<ul>${items.join('')}</ul>` : '')
}

export const usageSection = (document: SessionDocument): string => {
  const rows = usageRows(document).map(({ label, input, output, cost }) => {
    const numbers = [input, output, cost].map(text => `<td class="number">${escaped(text)}</td>`)
    return `<th scope="row" dir="auto">${escaped(label)}</th>${numbers.join('')}`
  })
  const title = 'Tokens and cost'
  return section('usage', title, table(title, ['Who', 'Tokens in', 'Tokens out', 'Cost'], rows))
}

// ledger: The parts of the exported page that let a reader check the verdict: influence, claims.

const row = (head: string, cells: readonly string[]): string =>
  `<th scope="row" dir="auto">${escaped(head)}</th>${cells.map(cell => `<td dir="auto">${escaped(cell)}</td>`).join('')}`

export const pullSection = (document: SessionDocument): string => {
  const rows = pullsOf(document).map(({ who, followed, credited }) => row(who, [followed, credited]))
  return section('pull', influenceTitle, rows.length > 0 ? table(influenceTitle, influenceHeads, rows) : '')
}

export const transcriptClaimsSection = (document: SessionDocument): string => {
  const rows = transcriptClaims(document).map(({ what, claimed, computed, quote, holds }) =>
    row(what, [claimed, quote ? `${computed}: “${quote}”` : computed, holdsText(holds)]),
  )
  const title = 'Claimed and computed'
  const heads = ['', 'Claimed', 'From the texts', 'Holds']
  return section('claims', title, rows.length > 0 ? table(title, heads, rows) : '')
}

export const threadSection = ({ thread = [], id }: SessionDocument): string => {
  const lines = threadTexts(thread, id)
  const items = lines.map(
    ({ depth, text }) => `<li style="margin-inline-start:${Math.min(depth, 10)}rem">${escaped(text)}</li>`,
  )
  return section('thread', threadTitle, items.length > 0 ? `<ul>${items.join('')}</ul>` : '')
}

// style: The look of the exported page: one column of type, light or dark as the reader's system is.

/** What the drawings use besides the colours of the text. */
const drawn = colourNames.filter(name => /^(surface|edge|bad|level-.*|camp-.*)$/.test(name))

export const style = `
:root { color-scheme: light dark; --paper: #fdfcfa; --ink: #1f1d1a; --soft: #5d5850; --line: #ddd6ca;
  --accent: #7a3e12; --shade: #f4f0e8; ${paletteCss('light', drawn)} }
@media (prefers-color-scheme: dark) {
  :root { --paper: #191816; --ink: #ebe7df; --soft: #b0a99c; --line: #3b3833; --accent: #e8a878; --shade: #22201d;
    ${paletteCss('dark', drawn)} }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 Charter, 'Bitstream Charter', 'Iowan Old Style', Georgia, serif }
body > * { max-width: 42rem; margin-inline: auto; padding-inline: 1.25rem }
header { padding-top: 3rem }
footer { padding-block: 2rem 4rem; color: var(--soft); font-size: .85rem; overflow-wrap: anywhere }
h1, h2, h3, .label, .meta, table, summary { font-family: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif }
h1 { font-size: 1rem; font-weight: 600; color: var(--soft); margin: 0 }
h2 { font-size: 1.2rem; margin: 3rem 0 1rem; padding-top: 1rem; border-top: 1px solid var(--line) }
h3 { font-size: 1.02rem; margin: 2.25rem 0 .4rem }
.question { font-size: 1.35rem; line-height: 1.4; white-space: pre-wrap; margin: 1.5rem 0 }
.answer { font-size: 1.3rem; line-height: 1.4; margin: .25rem 0 }
.headline { font-weight: 600; margin: .25rem 0 .75rem; white-space: pre-wrap }
.label { font-size: .8rem; font-weight: 600; color: var(--soft); margin: 1.5rem 0 0 }
.meta { font-size: .85rem; color: var(--soft); margin: .5rem 0 }
.mark { color: var(--accent); font-weight: 600; font-size: .85rem }
.note { background: var(--shade); border-left: 3px solid var(--accent); padding: .75rem 1rem }
.question, .answer, .headline, .text, .words, li, td { overflow-wrap: anywhere }
thead th { white-space: nowrap }
tbody th { min-width: 6rem; overflow-wrap: break-word }
.words { white-space: pre-wrap }
.own { margin: .5rem 0; font-style: italic; overflow-wrap: anywhere }
.points summary { font-size: .9rem; color: var(--soft) }
.points ul { margin: 0; padding-left: 1.1rem; font-size: .95rem }
.points li { margin-bottom: .9rem }
.points blockquote, .points li > p { margin: .3rem 0 }
blockquote { margin: .75rem 0; padding-left: 1rem; border-left: 3px solid var(--line) }
pre { overflow-x: auto; background: var(--shade); padding: .75rem 1rem; font-size: .85rem; line-height: 1.45 }
code { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: .9em }
a { color: var(--accent) }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .9rem; line-height: 1.4 }
th, td { text-align: start; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line) }
.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap }
[aria-labelledby='usage'] thead th:not(:first-child) { text-align: end }
.letter { display: inline-grid; place-content: center; min-width: 1.6em; height: 1.6em; padding-inline: .3em; margin-inline-end: .35em;
  border: 1px solid var(--line); border-radius: 1em; font-size: .85em; line-height: 1 }
.drawings { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: center; margin-top: 1.5rem }
.drawings figure { flex: 1 1 min(20rem, 100%); min-width: 0; max-width: 27rem; margin: 0 auto }
.drawings svg { display: block; width: 100%; height: auto; font-family: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif }
.bar { display: block; height: .3rem; width: var(--share); background: var(--accent); margin-top: .3rem }
summary { cursor: pointer; font-weight: 600; padding: .6rem 0 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
@media (max-width: 30rem) { body { font-size: 1rem } header { padding-top: 1.5rem } .question { font-size: 1.15rem } }
@media print {
  :root { --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #000; --shade: #f3f3f3;
    ${paletteCss('light', drawn)} }
  body { font-size: 10.5pt } body > * { max-width: none }
  h2, h3 { break-after: avoid } tr, .note, figure { break-inside: avoid } svg { print-color-adjust: exact }
  details::details-content { content-visibility: visible; height: auto }
}
`.trim()

// html: The session as one static page: no script, nothing loaded, readable offline and on paper.

const leftOut = 'What each seat wrote is left out here.'

/** The compact page says what came of it, and leaves out what each seat wrote. */
const page = (document: SessionDocument, compact: boolean): string => {
  const title = document.question.replace(/\s+/g, ' ').trim()
  const parts = [
    questionSection(document),
    answerSection(document),
    compact ? plainText('p', leftOut, 'note') : responsesSection(document),
    summarySection(document),
    tallySection(document),
    transcriptClaimsSection(document),
    changesSection(document),
    ...(compact ? [] : [pullSection, betweenRoundsSection, roundsSection].map(part => part(document))),
    threadSection(document),
    flagsSection(document),
    usageSection(document),
  ]
  return staticPage(
    title,
    style,
    `<header>
<h1>${escaped(titleOf(document))}</h1>
${[...seatNotes(document.seats), ...linkNotes(document)].map(note => plainText('p', note, 'note')).join('\n')}
</header>
<main>
${parts.filter(part => part !== '').join('\n')}
</main>
<footer>
${plainText('p', provenance(document))}
</footer>`,
  )
}

export const html = (): Exporter => ({
  id: 'html',
  label: 'Web page',
  extension: 'html',
  contentType: 'text/html; charset=utf-8',
  write: (events, options) =>
    isBook(events) ? bookPage(events) : page(documentOf(events, options?.thread), options?.compact ?? false),
})
