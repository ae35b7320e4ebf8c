/** The parts of the exported page, in the order of a transcript. */
import type { BetweenRounds } from '../../core/wording/between-rounds.ts'
import { citationsTitle } from '../../core/wording/citation-words.ts'
import { pointsTitle, readingLabel } from '../../core/wording/point-words.ts'
import { readingsTitle } from '../../core/wording/reading-words.ts'
import { flagRemarks, problemRemarks } from '../../core/wording/remarks.ts'
import { reportParts } from '../../core/wording/report-parts.ts'
import { roundName } from '../../core/wording/round-names.ts'
import { formatNote, instructionNote } from '../../core/wording/session-title.ts'
import { foundTitle, sourceHead, sourcesTitle } from '../../core/wording/source-words.ts'
import { citationsOf } from '../citation-texts.ts'
import type { HandedInDocument, SessionDocument } from '../document.ts'
import {
  absenceText,
  betweenRoundsTexts,
  changedMind,
  changesOf,
  closedValue,
  digestTexts,
  finalRound,
  howOftenRightOf,
  kindTextOf,
  letterOf,
  nameOf,
  namesOf,
  ownWordOf,
  pointsOf,
  readingTextsOf,
  remarksOn,
  resolvedText,
  sameNumbers,
  tallyRows,
  usageRows,
} from '../wording.ts'
import { drawings } from './drawings.ts'
import { escaped, plainText, richText } from './text.ts'

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
  const note = same === undefined ? '' : plainText('p', same, 'meta')
  return section('tally', title, `${table(title, ['Position', 'Sealed', 'Final'], rows)}${note}`)
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
