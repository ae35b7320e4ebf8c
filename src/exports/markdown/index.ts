/** The session as a readable Markdown document. */

import type { BetweenRounds } from '../../core/wording/between-rounds.ts'
import { othersOf, ruleLabel } from '../../core/wording/rule-labels.ts'
import { holdsText, transcriptClaims } from '../../core/wording/transcript-claims.ts'
import { documentOf, type HandedInDocument, type SessionDocument } from '../document.ts'
import type { Exporter } from '../exporter.ts'
import { pullsOf, resolvedText } from '../ledger-wording.ts'
import {
  absenceText,
  changesOf,
  closedValue,
  digestTexts,
  exhibitTexts,
  flagTexts,
  formatNote,
  nameOf,
  namesOf,
  provenance,
  remarksOn,
  roundTitle,
  scriptedNote,
  tallyRows,
  titleOf,
  usageRows,
} from '../wording.ts'
import { inline, quoted, table } from './text.ts'

/** Paragraphs, lists and tables, to be set apart by blank lines. */
type Blocks = string[]

const section = (title: string, blocks: Blocks): Blocks =>
  blocks.length > 0 ? [`## ${title}`, ...blocks] : []

const questionBlocks = (document: SessionDocument): Blocks => {
  const note = formatNote(document)
  const attached = document.attachments.map(
    ({ name, text }) => `- ${inline(name)} (${text.length} characters)`,
  )
  return [
    quoted(document.question),
    ...(note ? [inline(note)] : []),
    ...(attached.length > 0 ? [`Attached:\n\n${attached.join('\n')}`] : []),
  ]
}

const verdictBlocks = (document: SessionDocument): Blocks => {
  const { verdict, report } = document
  const resolved = resolvedText(document)
  const flags = flagTexts(document).map(
    ({ flag, explanation }) => `- *${inline(flag)}*: ${inline(explanation)}`,
  )
  return [
    `**${inline(verdict.line)}**`,
    ...(report ? [`Answer: ${inline(report.answer)}`] : []),
    ...(resolved ? [`*${inline(resolved)}*`] : []),
    ...(report?.counterpoint === undefined ? [] : [`Counterpoint: ${inline(report.counterpoint)}`]),
    ...(flags.length > 0 ? [flags.join('\n')] : []),
  ]
}

const tallyBlocks = (document: SessionDocument): Blocks => {
  const cell = (seats: readonly string[] | null): string => {
    if (!seats) return 'not kept'
    return seats.length === 0 ? '0' : `${seats.length} (${namesOf(document, seats)})`
  }
  const rows = tallyRows(document)
  if (rows.length === 0) return []
  return [
    table(
      ['Position', 'Sealed', 'Final'],
      rows.map(row => [row.label, cell(row.sealed), cell(row.final)]),
    ),
  ]
}

const otherBlocks = (document: SessionDocument): Blocks => {
  const others = othersOf(document.verdict).map(({ rule, answer }) => `- ${inline(rule)}: ${inline(answer)}`)
  if (others.length === 0) return []
  return [`Counted by: ${inline(ruleLabel(document.verdict.rule ?? ''))}.`, others.join('\n')]
}

const pullBlocks = (document: SessionDocument): Blocks => {
  const rows = pullsOf(document).map(({ who, followed, credited }) => [who, followed, credited])
  return rows.length > 0
    ? [table(['Seat', 'Followed by, of those exposed', 'By words that stand'], rows)]
    : []
}

const claimBlocks = (document: SessionDocument): Blocks => {
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

const seatBlocks = (document: SessionDocument, answer: HandedInDocument): Blocks => {
  const heading = `### ${inline(answer.by?.name ?? nameOf(document, answer.seat))}`
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
    ...(answer.reasoning.trim() === '' ? [] : [quoted(answer.reasoning)]),
    ...(answer.wouldChangeMind ? [`Would change its mind: ${inline(answer.wouldChangeMind)}`] : []),
    ...(remarks.length > 0 ? [`*${inline(remarks.join(' · '))}*`] : []),
  ]
}

const exhibitBlocks = (title: string, exhibits: readonly BetweenRounds[]): Blocks =>
  exhibits.length === 0
    ? []
    : [`### ${title}`, ...exhibits.flatMap(({ who, words }) => [`**${inline(who)}**`, quoted(words)])]

const roundBlocks = (document: SessionDocument, round: SessionDocument['rounds'][number]): Blocks => [
  ...(round.objection ? ['The challenger objected:', quoted(round.objection)] : []),
  ...round.answers.flatMap(answer => seatBlocks(document, answer)),
  ...exhibitBlocks('After the round', exhibitTexts(document, round)),
  ...exhibitBlocks('The positions, summed up', digestTexts(document, round)),
]

const failureBlocks = ({ failures, report, stopped }: SessionDocument): Blocks => {
  const lines = [
    ...failures.map(({ task, error }) => `- ${task}: ${inline(error.message)} (${error.kind})`),
    ...(report?.rejected ?? []).map(reason => `- report turned down: ${inline(reason)}`),
    ...(stopped ? [`- stopped (${stopped.reason}): ${inline(stopped.words)}`] : []),
  ]
  return lines.length > 0 ? [lines.join('\n')] : []
}

const usageBlocks = (document: SessionDocument): Blocks => [
  table(
    ['Who', 'Tokens in', 'Tokens out', 'Cost'],
    usageRows(document).map(({ label, input, output, cost }) => [label, input, output, cost]),
  ),
]

const page = (document: SessionDocument): string => {
  const scripted = scriptedNote(document)
  const summary = document.report?.summary ?? ''
  const blocks: Blocks = [
    `# ${inline(titleOf(document))}`,
    ...(scripted ? [`*${inline(scripted)}*`] : []),
    ...section('Question', questionBlocks(document)),
    ...section('Verdict', verdictBlocks(document)),
    ...section('Final summary', summary === '' ? [] : [quoted(summary)]),
    ...section('Tally, sealed → final', tallyBlocks(document)),
    ...section('Claimed and computed', claimBlocks(document)),
    ...section('What other rules would have said', otherBlocks(document)),
    ...section('Who moved, and why', changeBlocks(document)),
    ...section('Who pulled others over', pullBlocks(document)),
    ...document.rounds.flatMap(round => section(roundTitle(round), roundBlocks(document, round))),
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
  write: events => page(documentOf(events)),
})
