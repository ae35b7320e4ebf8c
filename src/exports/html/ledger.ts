/** The parts of the exported page that let a reader check the verdict: other rules, influence, claims. */
import { influenceHeads, influenceTitle } from '../../core/wording/influence-words.ts'
import { othersOf, ruleLabel } from '../../core/wording/rule-labels.ts'
import { threadTexts, threadTitle } from '../../core/wording/thread-words.ts'
import { holdsText, transcriptClaims } from '../../core/wording/transcript-claims.ts'
import type { SessionDocument } from '../document.ts'
import { pullsOf } from '../wording.ts'
import { section, table } from './sections.ts'
import { escaped, plainText } from './text.ts'

const row = (head: string, cells: readonly string[]): string =>
  `<th scope="row" dir="auto">${escaped(head)}</th>${cells.map(cell => `<td dir="auto">${escaped(cell)}</td>`).join('')}`

export const othersSection = (document: SessionDocument): string => {
  const rows = othersOf(document.verdict).map(({ rule, answer }) => row(rule, [answer]))
  const title = 'What other rules would have said'
  if (rows.length === 0) return ''
  const spoke = plainText('p', `Counted by: ${ruleLabel(document.verdict.rule ?? '')}.`, 'meta')
  return section('others', title, spoke + table(title, ['Rule', 'Answer'], rows))
}

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
