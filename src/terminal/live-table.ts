/** The table while a round is under way: one line for each seat, as many as fit on the terminal. */
import { capitalised, duration, reportWriter, shortNumber } from '../core/basics.ts'
import type { Command } from '../core/event.ts'
import type { Seat } from '../core/opening.ts'
import { type Draft, type HandedIn, latestRound, type Round, type Session, seatOf } from '../core/session.ts'
import { provisionalOf } from '../count/verdict.ts'
import { protocols } from '../protocols/index.ts'
import { concessionLine } from '../words/moves.ts'
import { leftWords, type MeasuredTimes, progressWords, provisionalWords } from '../words/progress.ts'
import { asReporting } from '../words/stages.ts'
import { draftWords, handedInWords, knownCost, outputTokens } from '../words/words.ts'
import { roundTitle, seatState } from './round-view.ts'
import {
  cut,
  type Look,
  oneLine,
  padEnd,
  padStart,
  paragraph,
  room,
  rule,
  widthOf,
  wrap,
} from './terminal.ts'
import { draftLength, type View } from './views.ts'

export interface LiveLook extends Look {
  readonly rows: number
  readonly now: number
  readonly measured?: MeasuredTimes
}

/** Characters of English text to a token, about: used until the provider gives a figure. */
const charactersPerToken = 4

const stateCells = 11

const isSpeaking = (view: View, seat: string): boolean => view.drafts.get(seat)?.turn !== undefined

const tokensOf = (view: View, round: Round, seat: string): string => {
  const usage = isSpeaking(view, seat) ? undefined : round.handedIn[seat]?.usage
  if (usage) return outputTokens(usage)
  const draft = view.drafts.get(seat)
  const characters = draft ? draftLength(draft) : 0
  return characters > 0 ? `~${shortNumber(characters / charactersPerToken)}` : ''
}

const secondsOf = (view: View, round: Round, seat: string, now: number): string => {
  const handedIn = round.handedIn[seat]
  if (isSpeaking(view, seat)) return ''
  if (handedIn) return handedIn.timing ? duration(handedIn.timing.total) : ''
  return duration(Math.max(0, now - view.roundSince))
}

interface Columns {
  readonly name: number
  readonly words: number
  readonly cost: boolean
}

/** Names and figures keep their width; what a seat writes gets the rest. */
const columnsFor = (session: Session, round: Round, look: Look): Columns => {
  const names = session.seats.map(seat => widthOf(oneLine(seat.name)))
  const name = Math.min(Math.max(...names), look.columns < 60 ? 8 : look.columns < 100 ? 18 : 26)
  const hasCost =
    look.columns >= 60 && Object.values(round.handedIn).some(one => one.usage && one.usage.costUsd !== null)
  const alias = Math.max(...session.seats.map(seat => seat.alias.length))
  const fixed = 1 + alias + 1 + name + 1 + stateCells + 1 + 1 + 5 + 1 + 6 + (hasCost ? 9 : 0)
  return { name, words: Math.max(0, room(look) - fixed), cost: hasCost }
}

/** Reasons and an advocate's words take more than a line: the latest are shown. A headline is read from its start. */
const wordsOf = (
  session: Session,
  handedIn: HandedIn | undefined,
  draft: Draft | undefined,
  cells: number,
): string => {
  if (!handedIn && draft?.retrying?.waits) return oneLine(draft.retrying.why)
  const drafted = oneLine(draft ? draftWords(draft) : '')
  if (handedIn && draft?.turn === undefined) return oneLine(handedInWords(session.question, handedIn))
  return draft?.headline || drafted.length <= cells ? drafted : `…${drafted.slice(1 - cells)}`
}

const seatLine = (
  view: View,
  session: Session,
  round: Round,
  seat: Seat,
  look: LiveLook,
  to: Columns,
): string => {
  const { paint } = look
  const state = seatState(session, round, seat.id, view.drafts.get(seat.id))
  const handedIn = round.handedIn[seat.id]
  const words = wordsOf(session, handedIn, view.drafts.get(seat.id), to.words)
  const alias = Math.max(...session.seats.map(one => one.alias.length))
  const parts = [
    ` ${padEnd(oneLine(seat.alias), alias)}`,
    padEnd(cut(oneLine(seat.name), to.name), to.name),
    paint[state.tone](padEnd(cut(`${state.mark} ${state.word}`, stateCells), stateCells)),
    padEnd(cut(words, to.words), to.words),
    paint.faint(padStart(tokensOf(view, round, seat.id), 5)),
    paint.faint(padStart(secondsOf(view, round, seat.id, look.now), 6)),
    ...(to.cost ? [paint.faint(padStart(knownCost(handedIn?.usage), 8))] : []),
  ]
  return parts.join(' ')
}

const doing: Record<Command['type'], string | null> = {
  search: null,
  'open-round': null,
  'ask-seat': null,
  'find-kind': null,
  'group-readings': null,
  'read-round': 'reading the round',
  'group-answers': 'grouping the answers',
  'check-membership': 'checking who agrees',
  'check-memberships': 'checking who agrees',
  'write-digest': 'summing up the round',
  challenge: 'looking for an objection',
  'make-statement': 'hearing the advocates',
  judge: 'judging the two cases',
  'write-report': 'writing the report',
  'settle-report': null,
  'check-change': null,
  finish: null,
}

/** What the moderator is doing; the protocol says what. */
export const moderatorWork = (session: Session): string | null => {
  if (session.stopped || session.outcome) return null
  const work = protocols.find(({ id }) => id === session.protocol)?.next(session) ?? []
  const words = new Set(work.flatMap(command => doing[command.type] ?? []))
  return words.size > 0 ? `Moderator: ${[...words].join(', ')} …` : null
}

/** Seats at work are kept before those that are done; the order of the table stays. */
const seatsThatFit = (view: View, session: Session, round: Round, most: number): readonly Seat[] => {
  if (session.seats.length <= most) return session.seats
  const isBusy = ({ id }: Seat): boolean => !round.handedIn[id] || isSpeaking(view, id)
  const busy = session.seats.filter(isBusy)
  const done = session.seats.filter(seat => !isBusy(seat))
  const chosen = new Set([...busy, ...done].slice(0, Math.max(0, most - 1)))
  return session.seats.filter(seat => chosen.has(seat))
}

/** "… and 38 more: 12 waiting, 26 answered" */
const theRest = (view: View, session: Session, round: Round, shown: readonly Seat[]): string => {
  const hidden = session.seats.filter(seat => !shown.includes(seat))
  const states = new Map<string, number>()
  for (const seat of hidden) {
    const { word } = seatState(session, round, seat.id, view.drafts.get(seat.id))
    states.set(word, (states.get(word) ?? 0) + 1)
  }
  return ` … and ${hidden.length} more: ${[...states].map(([word, count]) => `${count} ${word}`).join(', ')}`
}

/** "B conceded a point to C": the latest of them. */
const latestConcession = (session: Session, round: Round): string[] => {
  const alias = (seat: string): string => oneLine(seatOf(session, seat).alias)
  const lines = Object.entries(round.handedIn).flatMap(([seat, handedIn]) =>
    handedIn.status === 'given' ? (concessionLine(seat, handedIn.answer, alias) ?? []) : [],
  )
  return lines.slice(-1)
}

/** On a low terminal every line that is not a seat's costs one that is. */
const rowsForTwoLines = 16

/** Words that may take a second line, if the terminal is tall enough. */
const fitting = (words: string, look: LiveLook): string[] => {
  const cells = room(look) - 1
  const [first = '', ...rest] = look.rows < rowsForTwoLines ? [words] : wrap(words, cells)
  return [first, ...(rest.length > 0 ? [rest.join(' ')] : [])].map(line => ` ${cut(line, cells)}`)
}

/** The verdict so far, the latest concession, what is going on and how long it may still take. */
const linesBelow = (session: Session, round: Round, look: LiveLook): string[] => {
  const soFar = provisionalOf(session)
  const left = leftWords(session, look.now, look.measured)
  const doing = [moderatorWork(session) ?? oneLine(progressWords(session)), ...(left ? [left] : [])]
  const joined = doing.join(' · ')
  // The time left is what people look for, so it isn't what is cut off.
  const isParted = widthOf(joined) > room(look) - 1 && look.rows >= rowsForTwoLines
  return [
    ...(soFar ? fitting(oneLine(provisionalWords(soFar)), look).map(look.paint.strong) : []),
    ...[...latestConcession(session, round), ...(isParted ? doing.map(capitalised) : [joined])].map(words =>
      look.paint.faint(` ${cut(words, room(look) - 1)}`),
    ),
  ]
}

/** More would push the table out of sight. */
const mostReportLines = 8

/** The report while it is written: its latest lines. */
const reportLines = (view: View, look: LiveLook): string[] => {
  const draft = view.drafts.get(reportWriter)
  const words = draft
    ? [draft.points, draft.reasoning, draft.headline].filter(part => part.trim() !== '')
    : []
  const most = Math.min(mostReportLines, Math.max(0, look.rows - 8))
  if (words.length === 0 || most === 0) return []
  const lines = words
    .join('\n')
    .split('\n')
    .flatMap(line => paragraph(line, 3, look))
  return [look.paint.faint(' Report, as it is written:'), ...lines.slice(-most)]
}

/** Never taller than the terminal: what has scrolled out of sight cannot be drawn over. */
export const liveTable = (view: View, look: LiveLook): string[] => {
  const { session } = view
  const round = session && latestRound(session)
  if (!session || !round || session.outcome) return []
  const seen = asReporting(session, view.drafts.has(reportWriter))
  const below = [...linesBelow(seen, round, look), ...reportLines(view, look)]
  const shown = seatsThatFit(view, session, round, look.rows - 3 - below.length)
  const columns = columnsFor(session, round, look)
  return [
    rule(roundTitle(round), look),
    ...shown.map(seat => seatLine(view, session, round, seat, look, columns)),
    ...(shown.length < session.seats.length ? [cut(theRest(view, session, round, shown), room(look))] : []),
    ...below,
  ]
}
