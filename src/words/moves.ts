/** What happens between rounds, in words: figures of the group, stakes, advocates, a judge, the digest. */
import { counted, dollars, listed, type ModelError, models, wordingOf } from '../core/basics.ts'
import type { Figures } from '../core/opening.ts'
import {
  type Answer,
  type AnswerDecision,
  type Attachment,
  type Citation,
  decisions,
  type Format,
  isInPicture,
  isUnsupported,
  type Judgement,
  judgements,
  type Point,
  type Reason,
} from '../core/question.ts'
import {
  answerIn,
  isClosed,
  isUnreached,
  latestRound,
  type Reading,
  type Round,
  roundAt,
  type Session,
  seatOf,
} from '../core/session.ts'
import { newestOf } from '../count/camps.ts'
import { rulingText, statementText } from '../count/group.ts'
import { type Direction, flipsOf, type Move, type Standing } from '../count/moves.ts'
import { groupingOf } from '../count/settle.ts'
import { figuresText, type Level, roundPhrase, seatCount, stakeText } from '../count/tally.ts'
import { disagreeing, type Pull, type Verdict, verdictOf } from '../count/verdict.ts'
import { failureName, failureWords } from './words.ts'

export interface BetweenRounds {
  readonly who: string
  readonly words: string
}

type RoundParts = Pick<Round, 'digest' | 'statements' | 'rulings' | 'said'>

/** What seats and camps are called, and which unit numbers have. */
export interface Names {
  readonly unit?: string
  /** The session is over and no round came after this one: nobody read what the asker said in it. */
  readonly isLast?: boolean
  seat(id: string): string
  camp(id: string): string
}

/** The session's own names for them, after a round. */
export const namesIn = (session: Session, round: Round): Names => ({
  ...(session.question.unit && { unit: session.question.unit }),
  isLast: session.outcome !== undefined && round.index === latestRound(session)?.index,
  seat: id => seatOf(session, id).name,
  camp: id => groupingOf(session, round).camps.find(camp => camp.id === id)?.label ?? id,
})

const figureTexts = (figures: Figures | undefined, { unit, seat }: Names): BetweenRounds[] => {
  if (!figures) return []
  const stakes = figures.kind === 'prices' ? figures.stakes : []
  return [
    ...stakes.map(stake => ({ who: seat(stake.seat), words: stakeText(stake) })),
    { who: 'The group', words: figuresText({ unit }, figures) },
  ]
}

const statementTexts = ({ statements = [] }: RoundParts, { seat }: Names): BetweenRounds[] =>
  statements.map(statement => ({
    who: `${statement.by?.name ?? seat(statement.seat)}, advocate, turn ${statement.turn + 1}`,
    words: statementText(statement),
  }))

const rulingTexts = (round: RoundParts, { camp }: Names): BetweenRounds[] => {
  const each = (round.rulings ?? []).flatMap((ruling, order): BetweenRounds[] => {
    if (!ruling) return []
    const who = `Judge, order ${order + 1} of 2`
    if (!('words' in ruling)) return [{ who, words: `failed, ${failureName(ruling)}: ${ruling.message}` }]
    const side = ruling.camp === null ? 'neither side' : `“${camp(ruling.camp)}”`
    return [{ who, words: `for ${side}: ${ruling.words}` }]
  })
  const outcome = rulingText(round, camp)
  return outcome ? [...each, { who: 'Judge', words: outcome }] : each
}

/** Beside words of the asker that came too late for the seats. */
export const unreadWords = 'no round followed, so no seat read it'

const askerTexts = ({ said = [] }: RoundParts, { seat, isLast }: Names): BetweenRounds[] =>
  said.map(({ words, to }) => {
    const who = to === undefined ? 'The asker' : `The asker, to ${seat(to)}`
    return { who: isLast ? `${who} (${unreadWords})` : who, words }
  })

/** What becomes of words that the asker says now: only what is certain is promised. */
export const saidReply = (session: Session): string => {
  const round = latestRound(session)
  const held = session.roundsSoFar.filter(({ sealed }) => !sealed).length
  const record = 'It stays in the record of the session.'
  if (!round || held >= session.rounds) return `No round is left in which a seat could read it. ${record}`
  return isClosed(session, round)
    ? `If another round follows, the seats read it there. ${record}`
    : 'The seats read it in the next round, unless the session is stopped before.'
}

/** The positions and arguments, as they are summed up for the next round. */
export const digestParts = ({ digest }: RoundParts, { seat }: Names): BetweenRounds[] =>
  (digest?.positions ?? []).map(({ position, arguments: quotes }) => ({
    who: position,
    words: quotes.map(quote => `“${quote.quote}” (${seat(quote.seat)})`).join('\n\n'),
  }))

export const betweenRoundsOf = (round: RoundParts, names: Names): BetweenRounds[] => [
  ...figureTexts(round.digest?.figures, names),
  ...statementTexts(round, names),
  ...rulingTexts(round, names),
  ...askerTexts(round, names),
]

// changedWords: Who changed its mind, in one sentence beside the verdict: "dune changed its mind, citing birch."

/** More names than this are a number. */
const mostNames = 4

/** "; 2 adjusted their numbers": another number of the same camp isn't a change of mind, and a reader sees it move. */
const adjustedWords = (session: Session, last: number, changed: readonly string[]): string => {
  if (session.question.format !== 'number') return ''
  const [first, final] = [roundAt(session, 0), roundAt(session, last)]
  const count = session.seats.filter(({ id }) => {
    const [before, after] = [answerIn(first, id)?.number, newestOf(session, final, id)?.number]
    return !changed.includes(id) && before !== undefined && after !== undefined && before !== after
  }).length
  if (count === 0) return ''
  return `; ${count} adjusted ${count === 1 ? 'its number' : 'their numbers'}`
}

/** Without this, a camp grows by more seats than changed their minds. */
const laterWords = (session: Session, last: number): string => {
  const names = session.seats
    .filter(({ id }) => !answerIn(roundAt(session, 0), id) && newestOf(session, roundAt(session, last), id))
    .map(({ name }) => name)
  if (names.length === 0) return ''
  const who = names.length > mostNames ? `${names.length} seats` : listed(names)
  return ` ${who} answered only after the sealed round.`
}

/**
 * Up to a round, or to the one that counts. Only those whose quoted words were found are named as a cause. Undefined if nobody could change its mind: no open round was
 * counted, texts take no sides, and a transcript lacks its earlier rounds.
 */
export const changedSentence = (
  session: Session,
  last = verdictOf(session).final?.round ?? 0,
): string | undefined => {
  if (session.imported || session.question.format === 'text' || last === 0) return undefined
  const ledger = flipsOf(session).filter(({ round }) => round <= last)
  const bySeat = Map.groupBy(ledger, ({ seat }) => seat)
  const seats = [...bySeat.keys()]
  const name = (seat: string): string => seatOf(session, seat).name
  const cited = (seat: string): string | undefined => {
    const credit = bySeat.get(seat)?.findLast(flip => flip.credit?.verified)?.credit
    return credit ? `citing ${name(credit.seat)}` : undefined
  }
  const adjusted = adjustedWords(session, last, seats)
  const later = laterWords(session, last)
  // Who disagrees with the vote that counts: in a round that is still being answered nobody knows.
  const others = new Set(verdictOf(session).final?.round === last ? disagreeing(session) : [])
  const [only] = seats
  if (only === undefined)
    return `No ${seatCount(session.seats, 1).slice(2)} changed its mind${adjusted}.${later}`
  if (seats.length === 1)
    return `${[`${name(only)} changed its mind`, cited(only), others.has(only) && 'and still disagrees'].filter(Boolean).join(', ')}${adjusted}.${later}`
  const many = `${seats.length} of ${seatCount(session.seats, session.seats.length)} changed their minds`
  const named = seats.map(seat => {
    const notes = [cited(seat), others.has(seat) && 'still disagrees'].filter(Boolean).join('; ')
    return notes ? `${name(seat)} (${notes})` : name(seat)
  })
  return `${many}${seats.length > mostNames ? '' : `: ${listed(named)}`}${adjusted}.${later}`
}

// citationWords: Citations in words, the same on every face.

export const citationsTitle = 'Cites'

/** "[1, p. 3]"; a page that the seat found itself has no number. */
export const citationMark = ({ exhibit, place }: Citation): string =>
  `[${[exhibit ?? 'web', place].filter(part => part !== undefined).join(', ')}]`

type Found = Pick<Citation, 'verified' | 'address' | 'unreachable'>

/** "stands", "not found in the exhibit", "source not reachable (the server replied 404)". */
export const citationWords = ({ verified, address, unreachable }: Found): string => {
  if (verified) return 'stands'
  if (isInPicture({ address, unreachable })) return 'in a picture, not looked up'
  if (unreachable !== undefined) return `source not reachable (${unreachable})`
  return address === undefined ? 'not found in the exhibit' : 'not found in the source'
}

/** What is cited: the name of an exhibit, or the address of a source. */
export const citedName = ({ exhibit, address }: Citation, exhibits: readonly Attachment[]): string =>
  address ?? exhibits[(exhibit ?? 0) - 1]?.name ?? ''

/** The sign before it. */
export const citationSign = (found: Found): '✓' | '✗' | '○' => {
  if (found.verified) return '✓'
  return isUnsupported(found) ? '✗' : '○'
}

/** "[1, p. 3] lease.pdf, stands". */
export const citationHead = (citation: Citation, exhibits: readonly Attachment[]): string =>
  `${citationMark(citation)} ${citedName(citation, exhibits)}, ${citationWords(citation)}`

/** "2 of 3 citations stand". */
export const countWords = (cited: number, standing: number): string =>
  `${standing} of ${cited} ${cited === 1 ? 'citation stands' : 'citations stand'}`

/** "2 of the passages that it cites were not found": a change of mind that rests on them is to be read with care. */
export const unsupportedWords = (count: number): string =>
  count === 1
    ? 'a passage that it cites was not found'
    : `${count} of the passages that it cites were not found`

// roundNames: What rounds are called.

type Named = Pick<Round, 'index' | 'sealed'>

/** "Sealed round", "Open round 1" */
export const roundName = ({ index, sealed }: Named): string =>
  sealed ? 'Sealed round' : `Open round ${index}`

/** For a narrow place: "Sealed", "Round 1" */
export const roundLabel = ({ index, sealed }: Named): string => (sealed ? 'Sealed' : `Round ${index}`)

/** What the seats know when they answer. */
export const roundHint = ({ sealed }: Pick<Named, 'sealed'>): string =>
  sealed ? 'no seat sees another' : 'the seats respond to what the table said'

// endingWords: How a session ended without a verdict, or before its time: in one sentence, with the one act that helps.

/** Asking under the same budget again would end at the same place, so that isn't an act. */
export type EndingAct = 'ask silent seats' | 'resume' | 'larger budget' | 'another table'

export interface Ending {
  /** Absent: the verdict's line has said it. */
  readonly words?: string
  readonly act: EndingAct
}

const stops: Readonly<Record<string, string>> = {
  budget: 'Out of budget',
  interrupted: 'Stopped',
  failed: 'Failed',
}

/** The badge of a session that ended too early for a verdict says why: "No quorum" would blame the seats. */
export const endedWords = ({ stopped }: Session, level: Level): string | undefined =>
  level === 'no-quorum' && stopped ? stops[stopped.reason] : undefined

const answeredWords = ({ answered, of }: Verdict): string =>
  answered === 0 ? 'before any model had answered' : `when ${answered} of ${models(of)} had answered`

const budgetWords = ({ usd, tokens }: NonNullable<Session['budget']>): string =>
  [usd !== undefined && dollars(usd), tokens !== undefined && counted(tokens, 'token')]
    .filter(Boolean)
    .join(' and ')

/**
 * The budget of a person or the team ended the session, not its own. It has words of its own: whose it is, and when there is
 * room again.
 */
const isPayers = ({ stopped, budget }: Session): boolean =>
  stopped?.reason === 'budget' &&
  /^The (team's budget|budget of )/.test(stopped.words) &&
  !(budget && /^The budget of [$\d]/.test(stopped.words))

const whyStopped = (session: Session, when: string): string => {
  const { reason = '', words = '' } = session.stopped ?? {}
  if (reason === 'interrupted' || isPayers(session)) return `The session was stopped ${when}`
  if (reason === 'budget')
    return `The budget${session.budget ? ` of ${budgetWords(session.budget)}` : ''} ran out ${when}`
  return `The session failed ${when} (${words.trim().replace(/\.$/, '')})`
}

/** What it takes to go on, if only somebody else can give it. */
const payersWords = (session: Session): string => (isPayers(session) ? ` ${session.stopped?.words}` : '')

const actAfter = (session: Session): EndingAct =>
  session.stopped?.reason === 'budget' && !isPayers(session) ? 'larger budget' : 'resume'

/** Undefined if the session is under way, or came to its end with a verdict. */
export const endingOf = (session: Session): Ending | undefined => {
  if (!session.outcome || session.imported) return undefined
  if (session.stopped && isUnreached(session)) return { words: session.stopped.words, act: 'resume' }
  const verdict = verdictOf(session)
  const { stopped } = session
  if (verdict.level !== 'no-quorum') {
    const counted = verdict.final && roundAt(session, verdict.final.round)
    if (!counted) return undefined
    if (!stopped) return counted === latestRound(session) ? undefined : { act: 'ask silent seats' }
    const vote = `${whyStopped(session, 'before the end')}: this is the vote of ${roundPhrase(counted)}.`
    return { words: vote + payersWords(session), act: actAfter(session) }
  }
  if (stopped)
    return {
      words: `${whyStopped(session, answeredWords(verdict))}, too few for a verdict.${payersWords(session)}`,
      act: actAfter(session),
    }
  const handedIn = Object.values(latestRound(session)?.handedIn ?? {})
  return {
    words: `${verdict.answered === 0 ? 'None' : `Only ${verdict.answered}`} of ${models(verdict.of)} answered, and a verdict needs more than half of them.`,
    act: handedIn.some(({ status }) => status === 'silent') ? 'ask silent seats' : 'another table',
  }
}

/** More causes than this are a number. */
const mostCauses = 3

/** A lost connection explains itself, mostly with what to do; the others don't. */
const actOn = ({ kind, message, variable }: ModelError): string => {
  if (variable) return `Correct ${variable}.`
  return /: (?:is the server running|check)/.test(message) ? '' : wordingOf(kind).advice
}

/**
 * Why no model could be reached, and what to do about it: "No model could be reached: 127.0.0.1:8787 refused the connection: is
 * the server running? (ECONNREFUSED)." The log keeps it, and every face shows it in place of a verdict.
 */
export const unreachedWords = (errors: readonly ModelError[]): string => {
  const causes = [
    ...new Set(errors.map(error => (error.kind === 'network' ? error.message : failureWords(error)))),
  ]
  const rest = causes.length - mostCauses
  const named = causes.slice(0, mostCauses).map(cause => cause.trim().replace(/\.$/, ''))
  const all = [...named, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')
  const acts = [...new Set(errors.map(actOn))].filter(act => act !== '')
  return `No model could be reached: ${[`${all}.`, ...acts].join(' ')}`
}

/** Flags that say again what the sentence of an ending says; and without a verdict, who wrote the report that isn't shown. */
export const saidByEnding = (session: Session): readonly string[] => {
  if (!endingOf(session)) return []
  const ends = ['budget reached', 'interrupted', 'failed']
  return verdictOf(session).level === 'no-quorum' ? [...ends, 'report by code'] : ends
}

// influenceWords: Who won others over, in words.

export const influenceTitle = 'Who won others over'

/** Heads of a table with a row for each seat. */
export const influenceHeads = [
  'Seat',
  'Joined its camp after reading it',
  'By a quote that was found',
] as const

export const grantedTitle = 'Points granted without a change of mind'

/** "GLM 4.7 granted Grok 4.20's point" */
export const grantedWords = (seat: string, by: string): string => `${seat} granted ${by}'s point`

/** "2 of 5": those of other camps who read it and then joined, of all who could. Each open round is a chance of its own. */
export const wonOver = ({ adopters, exposures }: Pick<Pull, 'adopters' | 'exposures'>): string =>
  `${adopters} of ${exposures}`

/** Seats that somebody followed, the strongest first. */
export const persuasive = <Row extends Pick<Pull, 'adopters'>>(pull: readonly Row[]): Row[] =>
  pull.filter(({ adopters }) => adopters > 0)

// moveWords: What a seat did from one round to the next, in words.

export const moveWords: Record<Move, string> = {
  held: 'held its position',
  refined: 'refined its position',
  switched: 'changed its mind',
  silent: 'fell silent',
  abstained: 'abstained',
}

/** A seat's own word, beside a move that shows something else. */
export const saidOtherwiseWords: Record<AnswerDecision, string> = {
  kept: 'says it kept its answer',
  conceded: 'says it kept its answer and conceded a point',
  narrowed: 'says it narrowed its answer',
  changed: 'says it changed its answer',
}

/** What a seat did with its text: it holds no position that it could refine. */
const textMoveWords: Record<Move, string> = {
  ...moveWords,
  held: 'kept its text',
  refined: 'rewrote its text',
}

export const moveWordsFor = (format: Format): Record<Move, string> =>
  format === 'text' ? textMoveWords : moveWords

/** A change of mind that only an imported transcript tells of. */
export const claimedChange = `${moveWords.switched}, as the transcript says (imported, unchecked)`

const roundsText = (rounds: readonly number[]): string =>
  rounds.length === 1 ? `round ${rounds[0]}` : `rounds ${rounds.slice(0, -1).join(', ')} and ${rounds.at(-1)}`

/**
 * What a seat did on its whole way: "changed its mind in round 1, then refined its position". A seat that changed its mind
 * earlier didn't hold its position.
 */
export const wayWords = (format: Format, move: Move, changedIn: readonly number[]): string => {
  const last = moveWordsFor(format)[move]
  if (changedIn.length === 0) return last
  const changed = `${moveWords.switched} in ${roundsText(changedIn)}`
  return move === 'held' || move === 'switched' ? changed : `${changed}, then ${last}`
}

/** What a seat did in a round that went by without an answer of it, beside the answer that is counted for it. */
export const keptAnswer = (from: Named): string => `no new answer: the one from ${roundPhrase(from)} counts`

/** What a seat did on its whole way, or which answer of it is counted. A transcript only marks those who changed their mind. */
export const wayText = (
  { move, handedIn, changedIn, kept }: Standing,
  session: Session,
): string | undefined => {
  if (kept) return keptAnswer(kept)
  if (!move || handedIn?.status !== 'given') return undefined
  return session.imported ? claimedChange : wayWords(session.question.format, move, changedIn)
}

/** One word, for a narrow column. */
export const moveWord: Record<Move, string> = {
  held: 'held',
  refined: 'refined',
  switched: 'changed',
  silent: 'silent',
  abstained: 'abstained',
}

export const moveWordFor = (format: Format): Record<Move, string> =>
  format === 'text' ? { ...moveWord, held: 'kept', refined: 'rewrote' } : moveWord

/** Seen from the camp that led the round before, which may not be the one that leads in the end. */
export const directionWords: Record<Direction, string> = {
  toward: 'to the camp that was largest',
  away: 'away from the camp that was largest',
  aside: 'between other camps',
}

/** Whether the words that a seat credits were found where it says they are. */
export const creditWords = (verified: boolean): string =>
  verified ? 'found in its answer' : 'not found in its answer, so it does not count'

// ownWord: What became of a seat's last answer, in its own word, and whether the computed move says the same.

const decisionWords: Record<AnswerDecision, string> = {
  kept: 'kept its answer',
  conceded: 'kept its answer, conceding a point',
  narrowed: 'narrowed its answer',
  changed: 'changed its answer',
}

export const reasonWords: Record<Reason, string> = {
  "a peer's point": "a peer's point",
  'the objection': "the challenger's objection",
  'my own error': 'its own error',
  'another reading': 'another reading of the question',
  other: 'other',
  'error found': 'error found',
  'new evidence': 'new evidence',
  reinterpretation: 'reinterpretation',
}

/** A text is kept or rewritten, and stands in no camp. */
const textWords: Record<AnswerDecision, string> = {
  ...decisionWords,
  kept: 'kept its text',
  changed: 'rewrote its text',
}

type Said = Pick<Answer, 'decision' | 'text'>

/** Undefined if the seat said nothing, or only "keep" or "change", as in logs of the first prompts. */
export const decisionIn = ({ decision }: Said): AnswerDecision | undefined =>
  decisions.find(one => one === decision)

/** "kept its answer, conceding a point" */
export const ownWord = (answer: Said): string | undefined => {
  const decision = decisionIn(answer)
  return decision && (answer.text === undefined ? decisionWords : textWords)[decision]
}

/** "its answer is in another camp", if the seat says it kept it; undefined if word and move agree. */
export const unlikeItsWord = (answer: Said, move: Move | null): string | undefined => {
  const decision = decisionIn(answer)
  if (!decision || answer.text !== undefined) return undefined
  if (move === 'switched') return decision === 'changed' ? undefined : 'its answer is in another camp'
  const stayed = move === 'held' || move === 'refined'
  return decision === 'changed' && stayed ? 'its answer is in the same camp' : undefined
}

/** "says it narrowed its answer (its own error); its answer is in another camp" */
export const ownWordLine = (
  answer: Said & { readonly reason?: Reason | null },
  move: Move | null,
): string | undefined => {
  const said = ownWord(answer)
  if (!said) return undefined
  const why = answer.reason ? ` (${reasonWords[answer.reason]})` : ''
  return [`says it ${said}${why}`, unlikeItsWord(answer, move)].filter(Boolean).join('; ')
}

/**
 * "B conceded a point to C", for the moment at which an answer comes in. Undefined if it keeps its answer, and also if it
 * changes it: whether that is a change of mind isn't known before the camps are.
 */
export const concessionLine = (
  seat: string,
  answer: Pick<Answer, 'decision' | 'credit'>,
  name: (seat: string) => string,
): string | undefined => {
  const decision = decisionIn(answer)
  const { credit } = answer
  const unfound = credit && !credit.verified ? ' (whose answer does not have the quoted words)' : ''
  if (decision === 'conceded')
    return `${name(seat)} conceded a point${credit ? ` to ${name(credit.seat)}${unfound}` : ''}`
  if (decision === 'narrowed')
    return `${name(seat)} narrowed its answer${credit ? ` for a point of ${name(credit.seat)}${unfound}` : ''}`
  return undefined
}

// pointWords: How a seat reads the question, and what it says of its peers' points, in words.

export const readingLabel = 'Reads the question as'
export const pointsTitle = 'On the points of others'

/** Whether quoted words are in the answer of the seat that they are said to be from. */
export const quoteWords = (verified: boolean): string =>
  verified ? 'found in its answer' : 'not found in its answer'

/** The same in a narrow place. */
export const quoteNotFound = 'quote not found'

type Judged = Pick<Point, 'seat' | 'judgement' | 'verified'>

const namesFor = (
  points: readonly Judged[],
  judgement: Judgement,
  name: (seat: string) => string,
): string[] => {
  const chosen = points.filter(point => point.judgement === judgement)
  return [
    ...new Set(chosen.map(({ seat, verified }) => `${name(seat)}${verified ? '' : ` (${quoteNotFound})`}`)),
  ]
}

/** In one line: "holds: Fern, Dune; does not hold: Amber (quote not found)". */
export const pointsLine = (points: readonly Judged[], name: (seat: string) => string): string =>
  judgements
    .map(judgement => ({ judgement, names: namesFor(points, judgement, name) }))
    .filter(({ names }) => names.length > 0)
    .map(({ judgement, names }) => `${judgement}: ${names.join(', ')}`)
    .join('; ')

// readingWords: A table that isn't of one mind may only read the question in different ways: the verdict says so.

export const readingsTitle = 'The split is partly about words'

/** There is no split, or nobody can say whether there is one. */
const withoutSplit: readonly (Level | null)[] = ['unanimous', 'unanimous-with-caveats', 'no-quorum', null]

interface Read {
  readonly level: Level | null
  readonly readings: readonly Reading[]
  name(seat: string): string
}

export interface ReadingText {
  readonly reading: string
  /** Names of the seats that read it so. */
  readonly who: string
}

/** How the seats of a split table read the question, and who reads it so. Empty if words don't part them. */
export const readingTexts = ({ level, readings, name }: Read): ReadingText[] =>
  readings.length < 2 || withoutSplit.includes(level)
    ? []
    : readings.map(({ reading, seats }) => ({ reading, who: seats.map(name).join(', ') }))
