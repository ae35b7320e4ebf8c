/** The head of a session: the question and the table, before any answer. */
import type { Stability } from '../bench/replay.ts'
import {
  capitalised,
  counted,
  dollars,
  duration,
  percent,
  rangeText,
  spentCost,
  wholeNumber,
} from '../core/basics.ts'
import { draftFields, type LiveEvent } from '../core/event.ts'
import { apply, type UsageSum, usageOf } from '../core/fold.ts'
import { kindSaid } from '../core/form.ts'
import { numberText } from '../core/reply.ts'
import {
  type Draft,
  endedBy,
  isUnreached,
  latestRound,
  type Session,
  seatOf,
  written,
} from '../core/session.ts'
import type { Camp } from '../count/camps.ts'
import { readingsOf } from '../count/moves.ts'
import { howOftenRight } from '../count/splits.ts'
import {
  absenceOf,
  compatibleWords,
  figureText,
  levelWords,
  rankingText,
  type Tally,
  toleranceText,
} from '../count/tally.ts'
import { provisionalOf, type Verdict, verdictOf } from '../count/verdict.ts'
import { protocolNamed } from '../protocols/index.ts'
import { exhibitSize, formatNote, instructionNote, kindSentence, linkNotes } from '../words/asking.ts'
import { readingsTitle, readingTexts } from '../words/moves.ts'
import { progressWords, provisionalWords } from '../words/progress.ts'
import { importedNote, reportTitle, seatNotes } from '../words/story.ts'
import {
  cachedWords,
  flagRemarks,
  howOftenRightSentence,
  reportParts,
  searchWords,
  sourceHead,
} from '../words/words.ts'
import { programName } from './program-name.ts'
import { checkView, ledgerLines } from './round-view.ts'
import {
  clean,
  cut,
  grid,
  hanging,
  type Look,
  oneLine,
  padEnd,
  padStart,
  paragraph,
  room,
  rule,
  widthOf,
} from './terminal.ts'

/** The reader wrote the question: if it is long, its beginning is enough. */
const mostLines = 8

/** Cells. A chat program's own instruction can be as long as a page. */
const longestInstruction = 400

const questionLines = (session: Session, look: Look): string[] => {
  const text = clean(session.question.text.trim())
  const lines = paragraph(text, 1, look, look.paint.strong)
  if (lines.length <= mostLines) return lines
  return [...lines.slice(0, mostLines), look.paint.faint(` … ${counted(text.length, 'character')} in all`)]
}

const protocolLabel = (id: string): string => {
  try {
    return protocolNamed(id).label
  } catch {
    return oneLine(id)
  }
}

const settings = (session: Session): string =>
  [
    counted(session.seats.length, 'seat'),
    protocolLabel(session.protocol),
    session.rounds > 0 && `up to ${counted(session.rounds, 'open round')}`,
    session.names === 'shown' && 'names shown',
    session.moderator ? `moderator ${oneLine(session.moderator)}` : 'no moderator',
    session.budget?.usd !== undefined && `at most ${dollars(session.budget.usd)}`,
    session.budget?.tokens !== undefined && `at most ${counted(session.budget.tokens, 'token')}`,
  ]
    .filter(Boolean)
    .join(' · ')

/** What a reader must know before believing anything below. */
const warnings = (session: Session): string[] => [
  ...seatNotes(session.seats),
  ...(session.imported ? [importedNote] : []),
  ...linkNotes(session),
]

const settingLines = (session: Session, look: Look): string[] => [
  ...paragraph(settings(session), 1, look, look.paint.faint),
  ...warnings(session).flatMap(text => paragraph(oneLine(text), 1, look, look.paint.notable)),
  '',
]

/** While a fork is copied, its table and protocol are still those of the other session. They come where it goes on. */
export const forkLines = (session: Session, look: Look): string[] => [
  ' The fork goes on from here:',
  ...settingLines(session, look),
]

/** `isCopying`: the events of another session come first, and then those of the fork. */
export const header = (session: Session, look: Look, isCopying = false): string[] => {
  const { attachments } = session.question
  const note = formatNote(session.question)
  const instruction = instructionNote(session.question)
  return [
    '',
    ...questionLines(session, look),
    ...(note ? paragraph(oneLine(note), 1, look) : []),
    ...(instruction ? paragraph(cut(oneLine(instruction), longestInstruction), 1, look) : []),
    ...attachments.map(
      (one, index) =>
        ` + ${session.citations ? `[${index + 1}] ` : ''}${oneLine(one.name)}, ${exhibitSize(one)}`,
    ),
    ...(session.sources ?? []).map(
      (one, index) => ` + ${oneLine(sourceHead(one, index, attachments.length))}, ${oneLine(one.address)}`,
    ),
    ...(isCopying ? [''] : settingLines(session, look)),
  ]
}

// stabilityView: How stable a verdict is, on a terminal.

const comparison: Record<Stability['comparedBy'], string> = {
  value: 'Two runs have the same answer if the same value led.',
  headline: 'Two runs have the same answer if the leading headlines are equal: no moderator compared them.',
  moderator: 'The moderator compared the leading answers of all runs, as it compares the headlines of seats.',
}

const range = (low: number, high: number, words: (value: number) => string): string =>
  rangeText(words(low), words(high), ' to ')

export const stabilityLines = (stability: Stability, tag: string, look: Look): string[] => {
  const { runs, leaders, undecided, sameTwice, agreement, flips } = stability
  const rows = leaders.map(({ answer, runs: count, interval }) => [
    `${count} of ${runs.length}`,
    range(interval[0], interval[1], percent),
    answer,
  ])
  const none = undecided > 0 ? [[`${undecided} of ${runs.length}`, '', '(no answer led)']] : []
  const [head = '', ...lines] = grid([['Led in', '95%', 'Answer'], ...rows, ...none], look)
  const facts = [
    sameTwice === null ? '' : `Two of these runs give the same answer in ${percent(sameTwice)} of all pairs.`,
    `Agreement: ${percent(agreement.mean)} of the table on average (${range(agreement.low, agreement.high, percent)}).`,
    `Changes of mind per run: ${flips.mean.toFixed(1)} (${range(flips.low, flips.high, String)}).`,
  ]
  return [
    rule(`Stability over ${counted(runs.length, 'run')}`, look),
    look.paint.strong(head),
    ...lines,
    '',
    ...paragraph(facts.filter(Boolean).join(' '), 1, look),
    ...paragraph(
      `${comparison[stability.comparedBy]} Ranges are 95% Wilson intervals.`,
      1,
      look,
      look.paint.faint,
    ),
    ...paragraph(`Saved: ${programName()} sessions --tag ${tag}`, 1, look, look.paint.faint),
  ]
}

// tallyView: The count, sealed beside final, as small bars.

const mostCells = 20

const barOf = (count: number, of: number): string => {
  const cells = Math.min(of, mostCells)
  const filled = count === 0 ? 0 : Math.max(1, Math.round((count / of) * cells))
  return '█'.repeat(filled) + '·'.repeat(cells - filled)
}

/** Camps of both counts, in the final order first; a camp that everybody left keeps its line. */
const campsOf = (sealed: Tally | null, final: Tally): Camp[] => {
  const left = sealed?.camps.filter(camp => !final.camps.some(one => one.id === camp.id)) ?? []
  return [...final.camps, ...left]
}

const countIn = (tally: Tally, id: string): number =>
  tally.camps.find(camp => camp.id === id)?.seats.length ?? 0

/** One cell each for bar and count: "████·· 4". */
const measure = (tally: Tally, camp: Camp): string =>
  `${barOf(countIn(tally, camp.id), tally.of)} ${padStart(String(countIn(tally, camp.id)), String(tally.of).length)}`

const campLines = (verdict: Verdict, sealed: Tally | null, final: Tally, look: Look): string[] => {
  const camps = campsOf(sealed, final)
  const bar = Math.min(final.of, mostCells) + 1 + String(final.of).length
  const space = room(look) - 3 - (sealed ? bar + 3 : 0) - bar - 2
  const label = Math.min(Math.max(...camps.map(camp => widthOf(oneLine(camp.label)))), space)
  return camps.flatMap(camp => {
    const mark = camp.id === verdict.leading ? '▸' : ' '
    const before = sealed ? `${look.paint.faint(measure(sealed, camp))} → ` : ''
    const line = ` ${mark} ${padEnd(cut(oneLine(camp.label), label), label)}  ${before}${measure(final, camp)}`
    return [line, ...compatibleLine(final, camp, look)]
  })
}

/** Under each camp that is compatible with another one. */
const compatibleLine = (final: Tally, camp: Camp, look: Look): string[] => {
  const words = compatibleWords(final, camp.id, ({ label }) => `“${cut(oneLine(label), 40)}”`)
  return words === '' ? [] : hanging('~', words, 5, look, look.paint.faint)
}

const absentLines = (session: Session, tally: Tally, look: Look): string[] => {
  const absent = [...tally.silent, ...tally.abstained]
  if (absent.length === 0) return []
  const names = absent.map(
    seat => `${oneLine(seatOf(session, seat).name)} (${absenceOf(session, tally.round, seat)})`,
  )
  return hanging('No answer:', names.join(', '), 3, look, look.paint.bad)
}

const combinedLine = (session: Session, tally: Tally): string => {
  if (tally.ranking) return oneLine(rankingText(tally.ranking))
  if (tally.figure) return figureText(tally.figure, oneLine(session.question.unit ?? ''))
  return tally.median === undefined ? '' : numberText(tally.median, oneLine(session.question.unit ?? ''))
}

const combinedLines = (session: Session, sealed: Tally | null, final: Tally, look: Look): string[] => {
  const after = combinedLine(session, final)
  const before = sealed ? combinedLine(session, sealed) : after
  if (after === '') return []
  const label = session.question.format === 'ranking' ? 'Combined:' : 'Median:'
  return hanging(label, before === after ? after : `${before} → ${after}`, 3, look)
}

export const tallyView = (session: Session, verdict: Verdict, look: Look): string[] => {
  const { final } = verdict
  if (!final) return []
  const sealed = verdict.sealed && verdict.sealed.round !== final.round ? verdict.sealed : null
  return [
    ...(final.camps.length > 0 ? [look.paint.faint(`   ${sealed ? 'Camps, sealed → final' : 'Camps'}`)] : []),
    ...campLines(verdict, sealed, final, look),
    ...combinedLines(session, sealed, final, look),
    ...(final.tolerance
      ? paragraph(
          toleranceText(final.tolerance, oneLine(session.question.unit ?? '')),
          3,
          look,
          look.paint.faint,
        )
      : []),
    ...absentLines(session, final, look),
  ]
}

// verdictView: The end of a session: verdict, tally, report, flags and totals.

/** What a transcript claims was not counted here. */
const verdictTitle = (session: Session, verdict: Verdict): string => {
  if (session.imported) return 'Verdict · as the transcript claims'
  const isText = session.question.format === 'text'
  const level = verdict.level ? levelWords[verdict.level] : isText ? 'texts, not a vote' : 'none yet'
  if (session.outcome) return `Verdict · ${level}`
  return isText ? `Not finished · so far ${level}` : 'Not finished'
}

/** What the live view said last of a session that was cut off or still runs: its line, and what is counted in it. */
const countedSoFar = (session: Session, verdict: Verdict): { line: string; counted: Verdict } => {
  if (session.outcome || session.imported || session.stopped) return { line: verdict.line, counted: verdict }
  const soFar = provisionalOf(session)
  const final = soFar && !soFar.uncompared ? soFar.tally : null
  return {
    line: soFar ? provisionalWords(soFar) : capitalised(progressWords(session)),
    counted: { ...verdict, final, leading: final?.leading ?? null },
  }
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
  // Six lines about a verdict that nobody gave would hide the one that says what to do.
  if (isUnreached(session)) return ['', ...paragraph(oneLine(verdict.line), 1, look, look.paint.strong)]
  const foot = totals(session)
  const { line, counted } = countedSoFar(session, verdict)
  return [
    rule(verdictTitle(session, verdict), look),
    ...paragraph(oneLine(line), 1, look, look.paint.strong),
    ...kindLines(session, look),
    ...signalLines(session, look),
    ...(session.imported ? [] : tallyView(session, counted, look)),
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

// view: What a watcher knows: the fold of the log so far, and what seats are writing right now.

export interface View {
  readonly session: Session | undefined
  readonly drafts: ReadonlyMap<string, Draft>
  /** When the latest round began, by the watcher's clock. */
  readonly roundSince: number
  /** Says whether the event should be shown at once: it is more than another piece of a text. */
  take(event: LiveEvent, now: number): boolean
}

/** Characters of everything that was written, hidden reasoning included. */
export const draftLength = (draft: Draft): number =>
  draftFields.reduce((sum, field) => sum + draft[field].length, 0)

export const createView = (): View => {
  let session: Session | undefined
  let roundSince = 0
  const drafts = new Map<string, Draft>()

  const take = (event: LiveEvent, now: number): boolean => {
    if (event.type === 'delta' || event.type === 'retrying') {
      // A piece of a round that is over came too late to be shown.
      if (event.type === 'delta' && event.round !== (session && latestRound(session)?.index)) return false
      const before = drafts.get(event.seat)
      const draft = written(before, event)
      drafts.set(event.seat, draft)
      const goesOn = before !== undefined && before.turn === draft.turn && draftLength(before) > 0
      return event.type === 'retrying' || !goesOn
    }
    session = apply(session, event)
    const ended = endedBy(event)
    if (ended !== undefined) drafts.delete(ended)
    if (event.type === 'round-opened') {
      drafts.clear()
      roundSince = now
    }
    return true
  }

  return {
    get session() {
      return session
    },
    drafts,
    get roundSince() {
      return roundSince
    },
    take,
  }
}
