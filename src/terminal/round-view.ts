/** A round that is over: what each seat handed in, who moved, and whether the quotes it credits were found. */
import { fold } from '../core/fold.ts'
import type { Seat } from '../core/opening.ts'
import { type Answer, type Citation, isUnsupported, type Point } from '../core/question.ts'
import {
  answerBefore,
  answerIn,
  type Draft,
  type HandedIn,
  isClosed,
  type Round,
  type Session,
  seatOf,
} from '../core/session.ts'
import { lettersIn } from '../count/letters.ts'
import { type Move, moveOf, resolutionOf } from '../count/moves.ts'
import { groupingOf, isGrouped } from '../count/settle.ts'
import { trackRecordOf } from '../count/track-record.ts'
import { influenceOf, type Verdict, verdictOf } from '../count/verdict.ts'
import { type TranscriptClaim, transcriptCheckOf, transcriptClaims } from '../exports/transcript-parts.ts'
import type { Archive, FoundSession } from '../store/archive.ts'
import { knownThread, type ThreadSession, threadTexts, threadTitle } from '../words/asking.ts'
import {
  betweenRoundsOf,
  citationHead,
  citationMark,
  citationSign,
  creditWords,
  directionWords,
  grantedWords,
  moveWord,
  moveWordFor,
  namesIn,
  ownWord,
  persuasive,
  pointsLine,
  pointsTitle,
  quoteWords,
  readingLabel,
  reasonWords,
  roundHint,
  roundName,
  unlikeItsWord,
  unsupportedWords,
  wonOver,
} from '../words/moves.ts'
import { type MeasuredTimes, measuredIn } from '../words/progress.ts'
import { bookLine, bookTitle, commonThread, letterNote } from '../words/story.ts'
import {
  answerWords,
  confidenceWords,
  draftState,
  driftWords,
  handedInWords,
  rangeWords,
  seatWords,
  spentParts,
} from '../words/words.ts'
import { programName } from './program-name.ts'
import {
  clean,
  cut,
  hanging,
  type Look,
  modelAdvice,
  oneLine,
  type Paint,
  padEnd,
  paragraph,
  room,
  rule,
  widthOf,
} from './terminal.ts'

// answerLines: Below a headline: how the seat reads the question, its own word on its answer, and what it says of others' points.

const nameIn = (session: Session, seat: string): string =>
  oneLine(session.seats.find(one => one.id === seat)?.name ?? seat)

const mark = (verified: boolean): string => `${verified ? '✓' : '✗'}\u00a0`

/** Why a seat moved: its reason, the quote it credits, and whether that was found. */
const causes = (session: Session, { reason, credit }: Answer): string[] => [
  ...(reason ? [reasonWords[reason]] : []),
  ...(credit
    ? [
        `“${oneLine(credit.quote)}” — ${nameIn(session, credit.seat)}, ${mark(credit.verified)}${creditWords(credit.verified)}`,
      ]
    : []),
]

/** Of a change of mind: if nobody is credited, that is said. */
export const causeWords = (session: Session, answer: Answer): string =>
  [...causes(session, answer), ...(answer.credit ? [] : ['credits nobody'])].join('; ')

/** The cause of a change of mind is told with the change. */
const ownWordLines = (session: Session, round: Round, seat: string, answer: Answer, look: Look): string[] => {
  const said = ownWord(answer)
  if (!said) return []
  const move = moveOf(session, round, seat)
  const toldBelow = move === 'switched' && !session.imported
  const cause = toldBelow ? '' : cut(causes(session, answer).join('; '), 400)
  const unlike = session.imported ? undefined : unlikeItsWord(answer, move)
  return [
    ...hanging('says', `it ${said}${cause && `: ${cause}`}`, 4, look, look.paint.faint),
    ...(unlike ? hanging('but', unlike, 4, look, look.paint.notable) : []),
  ]
}

const pointLines = (session: Session, { seat, quote, verified, judgement, why }: Point, look: Look) => {
  const words = `${nameIn(session, seat)}: “${oneLine(quote)}” ${mark(verified)}${quoteWords(verified)}`
  return [
    ...hanging('·', words, 6, look, look.paint.faint),
    ...hanging('→', [judgement, oneLine(why)].filter(Boolean).join(': '), 8, look, look.paint.faint),
  ]
}

/** All points with their words if the whole answer is asked for, otherwise who was judged how. */
const pointsLines = (session: Session, points: readonly Point[], full: boolean, look: Look): string[] => {
  if (points.length === 0) return []
  if (!full)
    return hanging(
      'points',
      pointsLine(points, seat => nameIn(session, seat)),
      4,
      look,
      look.paint.faint,
    )
  return [
    ...paragraph(`${pointsTitle}:`, 4, look, look.paint.faint),
    ...points.flatMap(point => pointLines(session, point, look)),
  ]
}

/** All citations with their words if the whole answer is asked for; otherwise where they are, and those not found. */
const citationLines = (
  { question }: Session,
  citations: readonly Citation[],
  full: boolean,
  look: Look,
): string[] => {
  const head = (one: Citation): string =>
    `${citationSign(one)}\u00a0${oneLine(citationHead(one, question.attachments))}`
  const shown = full ? citations : citations.filter(({ verified }) => !verified)
  const standing = citations.filter(({ verified }) => verified)
  return [
    ...(full || standing.length === 0
      ? []
      : hanging(
          'cites',
          `${standing.map(one => oneLine(citationMark(one))).join(' ')} ✓`,
          4,
          look,
          look.paint.faint,
        )),
    ...shown.flatMap(one =>
      hanging(
        'cites',
        `${head(one)}: “${cut(oneLine(one.quote), 400)}”`,
        4,
        look,
        isUnsupported(one) ? look.paint.notable : look.paint.faint,
      ),
    ),
  ]
}

export const answerLines = (
  session: Session,
  round: Round,
  seat: string,
  answer: Answer,
  look: Look & { readonly full?: boolean },
): string[] => [
  ...(answer.reading
    ? hanging(`${readingLabel.toLowerCase()}:`, cut(oneLine(answer.reading), 400), 4, look, look.paint.faint)
    : []),
  ...pointsLines(session, answer.points ?? [], look.full ?? false, look),
  ...citationLines(session, answer.citations ?? [], look.full ?? false, look),
  ...ownWordLines(session, round, seat, answer, look),
]

// betweenRoundsView: What happens between rounds: figures of the group, stakes, advocates' turns, a judge's rulings.

export const betweenRoundsLines = (session: Session, round: Round, look: Look): string[] =>
  betweenRoundsOf(round, namesIn(session, round)).flatMap(({ who, words }) =>
    hanging(`${oneLine(who)}:`, clean(words), 1, look, look.paint.notable),
  )

// bookView: Books of letters on a terminal.

const none = ` There are no books of letters yet. To get one: ${programName()} letters ask`

export const bookLines = (books: readonly FoundSession[], look: Look): string[] =>
  books.length === 0
    ? [none]
    : books.flatMap(({ id, openedAt, models, question, outcome }) => [
        ` ${look.paint.strong(padEnd(oneLine(id), 16))} ${look.paint.faint(oneLine(openedAt).slice(0, 10))}  ${outcome === null ? 'not finished · ' : ''}${cut(models.map(oneLine).join(', '), room(look) - 45)}`,
        ` ${' '.repeat(16)} ${cut(oneLine(question), room(look) - 18)}`,
      ])

const lines = (text: string, look: Look): string[] =>
  text.split(/\r\n|\r|\n/).flatMap(line => (line.trim() === '' ? [''] : paragraph(oneLine(line), 1, look)))

export const bookView = (session: Session, look: Look): string[] => {
  const letters = lettersIn(session)
  const head = [rule(bookTitle(session), look), ...paragraph(oneLine(bookLine(letters)), 1, look)]
  const { report } = session
  return [
    ...head,
    ...letters.flatMap((letter, index) => {
      const note = letterNote(letter, seat => seatOf(session, seat).name)
      return [
        '',
        rule(`${index + 1} · ${letter.from}`, look),
        ...lines(letter.text, look),
        ...(note ? paragraph(oneLine(note), 1, look, look.paint.faint) : []),
      ]
    }),
    ...(report
      ? ['', rule(commonThread, look), ...lines(report.answer, look), ...lines(report.summary, look)]
      : []),
  ]
}

// ledgerView: What lets a person check a verdict: what stands beside the count, who won whom over, what a transcript claims.

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

const markOfQuote = (holds: boolean | null): string => {
  if (holds === null) return '?'
  return holds ? '✓' : '✗'
}

const transcriptClaimLines = (
  { what, claimed, computed, quote, holds }: TranscriptClaim,
  look: Look,
): string[] => [
  ...hanging(
    `${markOfQuote(holds)} ${oneLine(what)}:`,
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
  ...verdict.asides.flatMap(aside => [...paragraph(oneLine(aside), 1, look), '']),
  ...pullLines(session, look),
  ...grantedLines(session, look),
]

// measuredTimes: How long models took in their latest sessions: the terminal says from it how long a session may still take.

/** Of each model. Older ones may have been slower or faster, and an archive can hold thousands. */
const latestSessions = 5

export type EarlierSessions = Pick<Archive, 'find' | 'read'>

export const measuredTimes = async (
  archive: EarlierSessions,
  models: readonly string[],
): Promise<MeasuredTimes> => {
  const ids = new Set<string>()
  for (const model of new Set(models)) {
    const { sessions } = await archive.find({ model, outcome: 'verdict' }, { limit: latestSessions })
    for (const { id } of sessions) ids.add(id)
  }
  const sessions: Session[] = []
  for (const id of ids) {
    const log = await archive.read(id)
    // It may have been removed after it was found.
    if (log.length > 0) sessions.push(fold(log))
  }
  return measuredIn(trackRecordOf(sessions).models)
}

// seatState: What a seat is doing or did, as a mark and a word; colour only adds to them.

export interface SeatState {
  readonly mark: string
  readonly word: string
  readonly tone: keyof Paint
}

const moveStates: Record<Move, SeatState> = {
  held: { mark: '=', word: moveWord.held, tone: 'good' },
  refined: { mark: '≈', word: moveWord.refined, tone: 'good' },
  switched: { mark: '⇄', word: moveWord.switched, tone: 'notable' },
  silent: { mark: '✗', word: moveWord.silent, tone: 'bad' },
  abstained: { mark: '○', word: moveWord.abstained, tone: 'notable' },
}

const draftStates: Record<ReturnType<typeof draftState>, SeatState> = {
  thinking: { mark: '∴', word: seatWords.thinking, tone: 'strong' },
  weighing: { mark: '∴', word: seatWords.weighing, tone: 'strong' },
  writing: { mark: '▸', word: seatWords.writing, tone: 'strong' },
  retrying: { mark: '↻', word: 'try', tone: 'notable' },
}

const writingState = (draft: Draft): SeatState => {
  const { turn, retrying } = draft
  const state = draftState(draft)
  if (retrying)
    return { ...draftStates.retrying, word: retrying.waits ? seatWords.waiting : `try ${retrying.attempt}` }
  return turn !== undefined && state === 'writing'
    ? { ...draftStates.writing, word: seatWords.speaking }
    : draftStates[state]
}

/** A move counts once the round's camps are settled: before that it could still turn out otherwise. */
const settledMove = (session: Session, round: Round, seat: string): Move | null =>
  isClosed(session, round) && isGrouped(groupingOf(session, round)) ? moveOf(session, round, seat) : null

export const seatState = (session: Session, round: Round, seat: string, draft?: Draft): SeatState => {
  const handedIn = round.handedIn[seat]
  if (draft?.turn !== undefined && !session.outcome) return writingState(draft)
  if (handedIn?.status === 'silent' || handedIn?.status === 'abstained') return moveStates[handedIn.status]
  if (handedIn) {
    const move = settledMove(session, round, seat)
    const word = move && moveWordFor(session.question.format)[move]
    return move && word
      ? { ...moveStates[move], word }
      : { mark: '✓', word: seatWords.answered, tone: 'good' }
  }
  if (session.outcome) return { mark: '-', word: seatWords.notAsked, tone: 'faint' }
  if (!draft) return { mark: '·', word: seatWords.waiting, tone: 'faint' }
  return writingState(draft)
}

// textLines: The texts that seats wrote: whole, wrapped, and only once if a seat keeps its text.

export const textLines = (session: Session, round: Round, seat: string, look: Look): string[] => {
  const text = answerIn(round, seat)?.text?.trim()
  if (!text || moveOf(session, round, seat) === 'held') return []
  return ['', ...paragraph(clean(text), 4, look), '']
}

export const roundTitle = (round: Round): string => `${roundName(round)} · ${roundHint(round)}`

/** "213 tokens, 4.2 s, $0.0012" */
export const spentWords = (handedIn: HandedIn): string => spentParts(handedIn).join(', ')

const moveLines = (session: Session, round: Round, seat: Seat, look: Look): string[] => {
  const answer = answerIn(round, seat.id)
  if (!answer || seatState(session, round, seat.id).word !== moveWord.switched || session.imported) return []
  const before = answerBefore(session, round.index, seat.id)
  const flip = verdictOf(session).ledger.find(one => one.seat === seat.id && one.round === round.index)
  const direction = flip?.direction
  return [
    ...(before
      ? hanging('was', cut(oneLine(answerWords(session.question, before)), 300), 4, look, look.paint.faint)
      : []),
    ...hanging('why', cut(causeWords(session, answer), 400), 4, look, look.paint.faint),
    ...(direction ? hanging('went', directionWords[direction], 4, look, look.paint.faint) : []),
    ...(flip?.unsupported
      ? hanging('note', unsupportedWords(flip.unsupported), 4, look, look.paint.notable)
      : []),
  ]
}

export interface RoundLook extends Look {
  /** Shows the reasoning below the headlines. */
  readonly full?: boolean
}

const extras = (session: Session, answer: Answer): string =>
  [
    rangeWords(session.question, answer),
    answer.confidence !== null && confidenceWords(answer.confidence),
    answer.drifted && driftWords,
  ]
    .filter(Boolean)
    .join(', ')

/** A person who stopped the session, or reads an old transcript, needs no advice. */
const adviceLines = (session: Session, handedIn: HandedIn | undefined, look: Look): string[] => {
  if (handedIn?.status !== 'silent' || handedIn.error.kind === 'cancelled' || session.imported) return []
  return hanging('→', modelAdvice(handedIn.error.kind), 4, look, look.paint.faint)
}

const seatBlock = (session: Session, round: Round, seat: Seat, name: number, look: RoundLook): string[] => {
  const state = seatState(session, round, seat.id)
  const handedIn = round.handedIn[seat.id]
  const answer = answerIn(round, seat.id)
  const figures = [handedIn && spentWords(handedIn), answer && extras(session, answer)]
    .filter(Boolean)
    .join(' · ')
  const head = [
    ` ${padEnd(oneLine(seat.alias), 2)}`,
    look.paint.strong(padEnd(cut(oneLine(handedIn?.by?.name ?? seat.name), name), name)),
    look.paint[state.tone](padEnd(`${state.mark} ${state.word}`, 11)),
    look.paint.faint(cut(figures, room(look) - 4 - name - 13)),
  ]
  return [
    head.join(' ').trimEnd(),
    ...(handedIn ? paragraph(oneLine(handedInWords(session.question, handedIn)), 4, look) : []),
    ...adviceLines(session, handedIn, look),
    ...(answer ? answerLines(session, round, seat.id, answer, look) : []),
    ...moveLines(session, round, seat, look),
    ...textLines(session, round, seat.id, look),
    ...(look.full && answer?.reasoning.trim()
      ? ['', ...paragraph(clean(answer.reasoning.trim()), 4, look, look.paint.faint), '']
      : []),
  ]
}

const objectionLines = (round: Round, look: Look): string[] => {
  if (round.objection === undefined) return []
  const words = round.objection === null ? 'found no objection that can be checked' : oneLine(round.objection)
  return hanging('Challenger:', words, 1, look, look.paint.notable)
}

export const roundView = (session: Session, round: Round, look: RoundLook): string[] => {
  const name = Math.min(
    Math.max(...session.seats.map(seat => widthOf(oneLine(seat.name)))),
    Math.floor(look.columns / 4),
  )
  return [
    rule(roundTitle(round), look),
    ...session.seats.flatMap(seat => seatBlock(session, round, seatOf(session, seat.id), name, look)),
    ...objectionLines(round, look),
    ...betweenRoundsLines(session, round, look),
    '',
  ]
}

// threadView: The thread that a session belongs to: what it follows, and what follows it.

/** `thread`: as the archive knows it. Absent: the session comes from a file, and only its log is known. */
export const threadView = (
  session: Session,
  thread: readonly ThreadSession[] | undefined,
  look: Look,
): string[] => {
  const line = session.outcome ? verdictOf(session).line : null
  const whole = thread ?? knownThread({ ...session, question: session.question.text, line })
  const lines = threadTexts(whole, session.id)
  if (lines.length === 0) return []
  return [
    '',
    rule(threadTitle, look),
    ...lines.flatMap(({ depth, text }) => paragraph(oneLine(text), 1 + 2 * Math.min(depth, 10), look)),
  ]
}
