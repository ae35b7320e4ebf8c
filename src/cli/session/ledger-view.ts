/** What lets a person check a verdict: other rules, who pulled whom over, what a transcript claims. */

import { type Session, seatOf } from '../../core/log/state.ts'
import { influenceOf, pullShare } from '../../core/verdict/influence.ts'
import { transcriptCheckOf } from '../../core/verdict/transcript-check.ts'
import { type Verdict, verdictOf } from '../../core/verdict/verdict.ts'
import { othersOf, ruleLabel } from '../../core/wording/rule-labels.ts'
import { type TranscriptClaim, transcriptClaims } from '../../core/wording/transcript-claims.ts'
import { oneLine } from '../terminal/cells.ts'
import { percent } from '../terminal/figures.ts'
import { hanging, type Look, rule } from '../terminal/look.ts'

const otherLines = (verdict: Verdict, look: Look): string[] => {
  const others = othersOf(verdict)
  if (others.length === 0) return []
  return [
    ...hanging('Counted by:', ruleLabel(verdict.rule ?? ''), 1, look, look.paint.faint),
    ...others.flatMap(({ rule: name, answer }) =>
      hanging(`${name}:`, oneLine(answer), 3, look, look.paint.notable),
    ),
    '',
  ]
}

/** Of a large table, the strongest are enough. */
const mostPulls = 6

/** Only seats that somebody followed: "GLM 4.7 2 of 5 (40%), 1 by its words". */
const pullLines = (session: Session, look: Look): string[] => {
  const pulled = influenceOf(session).pull.filter(({ adopters }) => adopters > 0)
  if (pulled.length === 0) return []
  const words = pulled.slice(0, mostPulls).map(({ seat, adopters, exposures, credited }) => {
    const share = percent(pullShare({ adopters, exposures }))
    const cause = credited > 0 ? `, ${credited} by its words` : ''
    return `${oneLine(seatOf(session, seat).name)} ${adopters} of ${exposures} (${share})${cause}`
  })
  const more = pulled.length > mostPulls ? [`and ${pulled.length - mostPulls} more`] : []
  return [...hanging('Pull:', [...words, ...more].join('; '), 1, look, look.paint.faint), '']
}

const resolvedLines = ({ resolved }: Session, look: Look): string[] =>
  resolved ? [...hanging('Right was:', oneLine(resolved.answer), 1, look, look.paint.notable), ''] : []

const mark = (holds: boolean | null): string => {
  if (holds === null) return '?'
  return holds ? '✓' : '✗'
}

const claimLines = ({ what, claimed, computed, quote, holds }: TranscriptClaim, look: Look): string[] => [
  ...hanging(
    `${mark(holds)} ${oneLine(what)}:`,
    `claimed “${oneLine(claimed)}”; computed “${oneLine(computed)}”`,
    1,
    look,
    holds === false ? look.paint.bad : look.paint.strong,
  ),
  ...(quote ? hanging('·', `“${oneLine(quote)}”`, 5, look, look.paint.faint) : []),
]

/** What an imported transcript claims beside what its own texts say. */
export const checkView = (session: Session, look: Look): string[] => {
  const check = transcriptCheckOf(session)
  if (!check) return []
  const rows = transcriptClaims({ check, verdict: verdictOf(session), seats: session.seats })
  return [
    rule(`Claimed and computed · read by ${check.moderator}`, look),
    ...rows.flatMap(row => claimLines(row, look)),
    '',
  ]
}

export const ledgerLines = (session: Session, verdict: Verdict, look: Look): string[] => [
  ...resolvedLines(session, look),
  ...otherLines(verdict, look),
  ...pullLines(session, look),
]
