/** What lets a person check a verdict: other rules, who won whom over, what a transcript claims. */
import { resolutionOf } from '../../core/camps/resolution.ts'
import { type Session, seatOf } from '../../core/log/state.ts'
import { influenceOf } from '../../core/verdict/influence.ts'
import { transcriptCheckOf } from '../../core/verdict/transcript-check.ts'
import { type Verdict, verdictOf } from '../../core/verdict/verdict.ts'
import { grantedWords, persuasive, wonOver } from '../../core/wording/influence-words.ts'
import { othersOf, ruleLabel } from '../../core/wording/rule-labels.ts'
import { type TranscriptClaim, transcriptClaims } from '../../core/wording/transcript-claims.ts'
import { cut, oneLine } from '../terminal/cells.ts'
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

/** Only seats that somebody followed: "GLM 4.7 2 of 5 (40%), 1 by a quote". */
const pullLines = (session: Session, look: Look): string[] => {
  const pulled = persuasive(influenceOf(session).pull)
  if (pulled.length === 0) return []
  const words = pulled.slice(0, mostPulls).map(({ seat, adopters, exposures, credited }) => {
    const cause = credited > 0 ? `, ${credited} by a quote` : ''
    return `${oneLine(seatOf(session, seat).name)} ${wonOver({ adopters, exposures })}${cause}`
  })
  const more = pulled.length > mostPulls ? [`and ${pulled.length - mostPulls} more`] : []
  return [...hanging('Won over:', [...words, ...more].join('; '), 1, look, look.paint.faint), '']
}

/** The rest of a quote is in the answer that grants it. */
const longestGrant = 90

/** "GLM 4.7 granted Grok 4.20's point (“the bridge carries”)" */
const grantedLines = (session: Session, look: Look): string[] => {
  const { granted } = influenceOf(session)
  if (granted.length === 0) return []
  const name = (seat: string): string => oneLine(seatOf(session, seat).name)
  const words = granted
    .slice(0, mostPulls)
    .map(
      ({ seat, by, quote }) =>
        `${grantedWords(name(seat), name(by))} (“${cut(oneLine(quote), longestGrant)}”)`,
    )
  const more = granted.length > mostPulls ? [`and ${granted.length - mostPulls} more`] : []
  return [...hanging('Granted:', [...words, ...more].join('; '), 1, look, look.paint.faint), '']
}

const resolvedLines = (session: Session, look: Look): string[] => {
  const resolved = resolutionOf(session)
  return resolved
    ? [...hanging('Right answer:', oneLine(resolved.answer), 1, look, look.paint.notable), '']
    : []
}

const mark = (holds: boolean | null): string => {
  if (holds === null) return '?'
  return holds ? '✓' : '✗'
}

const transcriptClaimLines = (
  { what, claimed, computed, quote, holds }: TranscriptClaim,
  look: Look,
): string[] => [
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
    ...rows.flatMap(row => transcriptClaimLines(row, look)),
    '',
  ]
}

export const ledgerLines = (session: Session, verdict: Verdict, look: Look): string[] => [
  ...resolvedLines(session, look),
  ...otherLines(verdict, look),
  ...pullLines(session, look),
  ...grantedLines(session, look),
]
