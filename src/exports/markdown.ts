/** A book of letters as a Markdown document. */
import { listed } from '../core/basics.ts'
import type { SessionEvent } from '../core/event.ts'
import { exhibitSize, formatNote, linkNotes, threadTexts, threadTitle } from '../words/asking.ts'
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
import { holdsText, transcriptClaims } from './transcript-parts.ts'
import {
  absenceText,
  betweenRoundsTexts,
  bookOf,
  changesOf,
  closedValue,
  digestTexts,
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

// text: Text of people and models inside a Markdown document: data that can neither add structure nor leave it.

/**
 * HTML would be run, an image would be loaded from wherever it points to, a link could run a script,
 * and a link definition would hold for the whole document.
 */
const disarmed = (line: string): string =>
  line
    .replace(/<(?=[a-z/!?])/gi, '&lt;')
    .replace(/!\[/g, '!\\[')
    .replace(/\]\((?!\s*<?(?:https?:\/\/|mailto:))/gi, ']\\(')
    .replace(/\]:/g, ']\\:')

/** A long text as a quotation: its headings, lists and fences stay inside. */
export const quoted = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map(line => (line.trim() === '' ? '>' : `> ${disarmed(line)}`))
    .join('\n')

/** A short text as part of a line of ours. */
export const inline = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>|~]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(/^[#+=-]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2')

export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    `| ${heads.join(' | ')} |`,
    `|${heads.map(() => ' --- |').join('')}`,
    ...rows.map(row => `| ${row.map(inline).join(' | ')} |`),
  ].join('\n')

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

// markdown: The session as a readable Markdown document.

/** Paragraphs, lists and tables; blank lines separate them. */
type Blocks = string[]

const section = (title: string, blocks: Blocks): Blocks =>
  blocks.length > 0 ? [`## ${title}`, ...blocks] : []

/** Addresses are shown, and escaped as all words of others are. */
const sourceBlocks = ({ sources = [], attachments }: SessionDocument): Blocks => {
  const lines = sources.map(
    (one, index) => `- ${inline(sourceHead(one, index, attachments.length))}: ${inline(one.address)}`,
  )
  return lines.length > 0 ? [`${sourcesTitle}:\n\n${lines.join('\n')}`] : []
}

const foundBlocks = ({ found = [] }: Given): Blocks => {
  const lines = found.map(({ address, title = '' }) => `- ${inline(`${title} ${address}`.trim())}`)
  return lines.length > 0 ? [`${foundTitle}:`, lines.join('\n')] : []
}

const questionBlocks = (document: SessionDocument): Blocks => {
  const note = formatNote(document)
  const attached = document.attachments.map(
    (one, index) =>
      `- ${document.citations ? `${inline(`[${index + 1}]`)} ` : ''}${inline(one.name)} (${one.media ? exhibitSize(one) : `${one.text.length} characters`})`,
  )
  return [
    quoted(document.question),
    ...(note ? [inline(note)] : []),
    ...(document.instruction ? [`Instruction of the asker:\n\n${quoted(document.instruction)}`] : []),
    ...(attached.length > 0 ? [`Attached:\n\n${attached.join('\n')}`] : []),
    ...sourceBlocks(document),
  ]
}

const verdictBlocks = (document: SessionDocument): Blocks => {
  const { verdict, report } = document
  const resolved = resolvedText(document)
  const kind = kindTextOf(document)
  const signal = howOftenRightOf(document)
  const readings = readingTextsOf(document).map(({ reading, who }) => `- ${inline(reading)} (${inline(who)})`)
  const flags = flagRemarks(verdict.flags, document).map(
    ({ head, words }) => `- *${inline(head)}*: ${inline(words)}`,
  )
  return [
    `**${inline(verdict.line)}**`,
    ...(report ? [`Answer: ${inline(report.answer)}`] : []),
    ...(kind ? [inline(kind)] : []),
    ...(signal ? [inline(signal)] : []),
    ...(readings.length > 0 ? [`${readingsTitle}:`, readings.join('\n')] : []),
    ...(resolved ? [`*${inline(resolved)}*`] : []),
    ...(report?.counterpoint === undefined ? [] : [`Counterpoint: ${inline(report.counterpoint)}`]),
    ...(flags.length > 0 ? [flags.join('\n')] : []),
  ]
}

/** The counterpoint stands with the verdict. */
const summaryBlocks = (document: SessionDocument): Blocks =>
  (document.report ? reportParts(document.report, seat => nameOf(document, seat)) : [])
    .filter(({ id }) => id !== 'counterpoint')
    .flatMap(({ title, text }) => [...(title === null ? [] : [`### ${title}`]), quoted(text)])

const tallyBlocks = (document: SessionDocument): Blocks => {
  const cell = (seats: readonly string[] | null): string => {
    if (!seats) return 'unknown'
    return seats.length === 0 ? '0' : `${seats.length} (${namesOf(document, seats)})`
  }
  const rows = tallyRows(document)
  const same = sameNumbers(document)
  if (rows.length === 0) return []
  return [
    table(
      ['Position', 'Sealed', 'Final'],
      rows.map(row => [row.label, cell(row.sealed), cell(row.final)]),
    ),
    ...(same === undefined ? [] : [inline(same)]),
    ...document.verdict.asides.map(aside => inline(aside)),
  ]
}

const pullBlocks = (document: SessionDocument): Blocks => {
  const rows = pullsOf(document).map(({ who, followed, credited }) => [who, followed, credited])
  return rows.length > 0 ? [table([...influenceHeads], rows)] : []
}

const transcriptClaimBlocks = (document: SessionDocument): Blocks => {
  const rows = transcriptClaims(document).map(({ what, claimed, computed, quote, holds }) => [
    what,
    claimed,
    quote ? `${computed}: “${quote}”` : computed,
    holdsText(holds),
  ])
  return rows.length > 0 ? [table(['', 'Claimed', 'From the texts', 'Holds'], rows)] : []
}

const changeBlocks = (document: SessionDocument): Blocks =>
  changesOf(document).flatMap(({ who, how, quote }) => [
    `**${inline(who)}** ${inline(how)}${quote ? `, crediting ${inline(quote.from)} (${quote.verdict}):` : ', crediting nobody.'}`,
    ...(quote ? [quoted(quote.words)] : []),
  ])

type Given = Extract<HandedInDocument, { status: 'given' }>

const readingBlocks = ({ reading }: Given): Blocks =>
  reading === undefined ? [] : [`${readingLabel}: ${inline(reading)}`]

const ownWordBlocks = (document: SessionDocument, answer: Given): Blocks => {
  const own = ownWordOf(document, answer)
  if (!own) return []
  const { line, quote } = own
  if (!quote) return [`${inline(line)}.`]
  return [`${inline(line)}, crediting ${inline(quote.from)} (${quote.verdict}):`, quoted(quote.words)]
}

const pointBlocks = (document: SessionDocument, answer: Given): Blocks => {
  const points = pointsOf(document, answer).map(({ from, words, verdict, judgement, why }) => {
    const judged = `*${judgement}*${why.trim() === '' ? '' : `: ${inline(why)}`}`
    return `- ${inline(from)}: “${inline(words)}” (${verdict})\n  ${judged}`
  })
  return points.length > 0 ? [`${pointsTitle}:`, points.join('\n')] : []
}

const citationBlocks = (document: SessionDocument, answer: Given): Blocks => {
  const lines = citationsOf(document, answer).map(
    ({ head, words }) => `- ${inline(head)}: “${inline(words)}”`,
  )
  return lines.length > 0 ? [`${citationsTitle}:`, lines.join('\n')] : []
}

const seatBlocks = (document: SessionDocument, answer: HandedInDocument): Blocks => {
  const heading = `### ${letterOf(document, answer.seat)} · ${inline(answer.by?.name ?? nameOf(document, answer.seat))}`
  if (answer.status !== 'given') {
    const { what, words } = absenceText(answer)
    return [heading, `*${what}*`, quoted(words)]
  }
  const value = closedValue(document, answer)
  const remarks = remarksOn(document, answer)
  return [
    heading,
    ...(value === undefined ? [] : [`Answer: ${inline(value)}`]),
    `**${inline(answer.headline)}**`,
    ...readingBlocks(answer),
    ...(answer.text === undefined ? [] : [quoted(answer.text)]),
    ...ownWordBlocks(document, answer),
    ...(answer.reasoning.trim() === ''
      ? []
      : [...(answer.text === undefined ? [] : [aboutText]), quoted(answer.reasoning)]),
    ...citationBlocks(document, answer),
    ...foundBlocks(answer),
    ...pointBlocks(document, answer),
    ...(answer.wouldChangeMind ? [`Would change its mind: ${inline(answer.wouldChangeMind)}`] : []),
    ...(remarks.length > 0 ? [`*${inline(remarks.join(' · '))}*`] : []),
  ]
}

/** Stands between a text and what its author says about it. */
const aboutText = 'About the text:'

const betweenRoundsBlocks = (title: string, texts: readonly BetweenRounds[]): Blocks =>
  texts.length === 0
    ? []
    : [`### ${title}`, ...texts.flatMap(({ who, words }) => [`**${inline(who)}**`, quoted(words)])]

const roundBlocks = (document: SessionDocument, round: SessionDocument['rounds'][number]): Blocks => [
  ...(round.objection ? ['Objection put to the table:', quoted(round.objection)] : []),
  ...round.answers.flatMap(answer => seatBlocks(document, answer)),
  ...betweenRoundsBlocks('After the round', betweenRoundsTexts(document, round)),
  ...betweenRoundsBlocks('Summary of the positions', digestTexts(document, round)),
]

const failureBlocks = ({ failures, report, stopped }: SessionDocument): Blocks => {
  const remarks = problemRemarks({ failures, rejected: report?.rejected ?? [], stopped })
  const lines = remarks.map(({ head, words }) => `- ${inline(head)}: ${inline(words)}`)
  return lines.length > 0 ? [lines.join('\n')] : []
}

const usageBlocks = (document: SessionDocument): Blocks => [
  table(
    ['Who', 'Tokens in', 'Tokens out', 'Cost'],
    usageRows(document).map(({ label, input, output, cost }) => [label, input, output, cost]),
  ),
]

const threadBlocks = ({ thread = [], id }: SessionDocument): Blocks => {
  const lines = threadTexts(thread, id).map(({ depth, text }) => `${'  '.repeat(depth)}- ${inline(text)}`)
  return lines.length > 0 ? [lines.join('\n')] : []
}

const page = (document: SessionDocument): string => {
  const blocks: Blocks = [
    `# ${inline(titleOf(document))}`,
    ...[...seatNotes(document.seats), ...linkNotes(document)].map(note => `*${inline(note)}*`),
    ...section('Question', questionBlocks(document)),
    ...section('Verdict', verdictBlocks(document)),
    ...section('Final summary', summaryBlocks(document)),
    ...section('Tally, sealed → final', tallyBlocks(document)),
    ...section('Claimed and computed', transcriptClaimBlocks(document)),
    ...section('Who moved, and why', changeBlocks(document)),
    ...section(influenceTitle, pullBlocks(document)),
    ...document.rounds.flatMap(round => section(roundName(round), roundBlocks(document, round))),
    ...section(threadTitle, threadBlocks(document)),
    ...section('What went wrong', failureBlocks(document)),
    ...section('Tokens and cost', usageBlocks(document)),
    inline(provenance(document)),
  ]
  return `${blocks.join('\n\n')}\n`
}

export const markdown = (): Exporter => ({
  id: 'markdown',
  label: 'Markdown',
  extension: 'md',
  contentType: 'text/markdown; charset=utf-8',
  write: (events, options) =>
    isBook(events) ? bookMarkdown(events) : page(documentOf(events, options?.thread)),
})
