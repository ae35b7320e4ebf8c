/** The end of a session: verdict, tally, report, flags and totals. */
import { readingsOf } from '../../core/camps/readings.ts'
import { type Session, seatOf } from '../../core/log/state.ts'
import { type UsageSum, usageOf } from '../../core/log/usage.ts'
import { kindSaid } from '../../core/question/kind.ts'
import { howOftenRight } from '../../core/track-record/how-often-right.ts'
import { type Verdict, verdictOf } from '../../core/verdict/verdict.ts'
import { duration } from '../../core/wording/durations.ts'
import { howOftenRightSentence } from '../../core/wording/how-often-right-words.ts'
import { kindSentence } from '../../core/wording/kind-words.ts'
import { levelWords } from '../../core/wording/level-words.ts'
import { spentCost } from '../../core/wording/money.ts'
import { counted, wholeNumber } from '../../core/wording/numbers.ts'
import { readingsTitle, readingTexts } from '../../core/wording/reading-words.ts'
import { flagRemarks } from '../../core/wording/remarks.ts'
import { reportParts } from '../../core/wording/report-parts.ts'
import { reportTitle } from '../../core/wording/session-title.ts'
import { cachedWords, searchWords } from '../../core/wording/spent-words.ts'
import { clean, oneLine } from '../terminal/cells.ts'
import { hanging, type Look, paragraph, rule } from '../terminal/look.ts'
import { checkView, ledgerLines } from './ledger-view.ts'
import { tallyView } from './tally-view.ts'

/** What a transcript claims was not counted here. */
const verdictTitle = (session: Session, verdict: Verdict): string => {
  if (session.imported) return 'Verdict · as the transcript claims'
  const isText = session.question.format === 'text'
  const level = verdict.level ? levelWords[verdict.level] : isText ? 'texts, not a vote' : 'none yet'
  return session.outcome ? `Verdict · ${level}` : `Not finished · so far ${level}`
}

/** A list stands below its title, each item with its own margin. */
const titled = (title: string, text: string, look: Look): string[] => {
  if (!text.startsWith('- ')) return hanging(`${title}:`, text, 1, look, look.paint.notable)
  const items = text.split('\n').flatMap(item => hanging('-', item.replace(/^- /, ''), 1, look))
  return [look.paint.notable(` ${title}:`), ...items]
}

const reportLines = (session: Session, look: Look): string[] => {
  const { report } = session
  if (!report) return []
  const parts = reportParts(report, seat => seatOf(session, seat).name).flatMap(({ title, text }) => [
    '',
    ...(title === null ? paragraph(clean(text), 1, look) : titled(title, clean(text), look)),
  ])
  return [
    rule(reportTitle(session.question.format, verdictOf(session).level), look),
    ...paragraph(clean(report.answer), 1, look, look.paint.strong),
    ...parts,
    '',
  ]
}

const flagLines = (session: Session, verdict: Verdict, look: Look): string[] => {
  if (verdict.flags.length === 0) return []
  return [
    ...flagRemarks(verdict.flags, session).flatMap(({ head, words }) =>
      hanging(`! ${head}:`, words, 1, look, look.paint.notable),
    ),
    '',
  ]
}

/** Nothing if no model was paid: a transcript, or a script. */
const costWords = (session: Session, usage: UsageSum): string => {
  if (session.imported || session.seats.every(seat => seat.scripted)) return ''
  return `${spentCost(usage, 'cost unknown')}${searchWords(usage)}`
}

/** "12,345 tokens in (3,200 cached), 4,321 out · $0.023 · 23.4 s" */
export const totals = (session: Session): string => {
  const usage = usageOf(session)
  const about = usage.estimated ? 'about ' : ''
  const input = `${counted(usage.inputTokens, 'token')} in${cachedWords(usage)}`
  const tokens = `${about}${input}, ${wholeNumber(usage.outputTokens)} out`
  const time = Date.parse(session.lastAt) - Date.parse(session.openedAt)
  return [
    usage.inputTokens + usage.outputTokens > 0 && tokens,
    costWords(session, usage),
    time > 0 && duration(time),
  ]
    .filter(Boolean)
    .join(' · ')
}

const kindLines = (session: Session, look: Look): string[] => {
  const said = kindSaid(session)
  return said ? paragraph(kindSentence(said.kind, said.by), 1, look) : []
}

const signalLines = (session: Session, look: Look): string[] => {
  const signal = howOftenRight(session)
  return signal ? paragraph(howOftenRightSentence(signal), 1, look) : []
}

const readingLines = (session: Session, verdict: Verdict, look: Look): string[] => {
  const texts = readingTexts({
    level: verdict.level,
    readings: readingsOf(session),
    name: seat => seatOf(session, seat).name,
  })
  if (texts.length === 0) return []
  return [
    ...paragraph(`${readingsTitle}:`, 1, look, look.paint.notable),
    ...texts.flatMap(({ reading, who }) => hanging('-', oneLine(`${reading} (${who})`), 3, look)),
    '',
  ]
}

export const verdictView = (session: Session, look: Look): string[] => {
  const verdict = verdictOf(session)
  const foot = totals(session)
  return [
    rule(verdictTitle(session, verdict), look),
    ...paragraph(oneLine(verdict.line), 1, look, look.paint.strong),
    ...kindLines(session, look),
    ...signalLines(session, look),
    ...(session.imported ? [] : tallyView(session, verdict, look)),
    '',
    ...readingLines(session, verdict, look),
    ...checkView(session, look),
    ...ledgerLines(session, verdict, look),
    ...reportLines(session, look),
    ...flagLines(session, verdict, look),
    ...(session.stopped ? [...paragraph(oneLine(session.stopped.words), 1, look), ''] : []),
    ...(foot ? paragraph(foot, 1, look, look.paint.faint) : []),
  ]
}
