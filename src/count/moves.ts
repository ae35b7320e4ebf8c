/** Moves: what a seat did from one round to the next, computed only from camps and headlines. */
import { UsageError } from '../core/basics.ts'
import { canBeRight } from '../core/form.ts'
import { maskFor, unmasked } from '../core/mask.ts'
import { readNumber } from '../core/number.ts'
import type { Seat } from '../core/opening.ts'
import {
  type Answer,
  type AnswerDecision,
  type Credit,
  decisionOf,
  headlineKey,
  isUnsupported,
  quoteStands,
  type Reason,
} from '../core/question.ts'
import { numberText, optionFrom, type Quoted, rankingFrom } from '../core/reply.ts'
import {
  answerBefore,
  answerIn,
  type HandedIn,
  isClosed,
  isFailure,
  latestRound,
  type Reading,
  type Round,
  roundAt,
  roundBefore,
  type Session,
  seatCalled,
  seatOf,
} from '../core/session.ts'
import { answerAt, type Camp, closeIn, givenIn, keyIn } from './camps.ts'
import { campOfSeat, groupingOf, isGrouped, saysTheSame } from './settle.ts'
import { type Tally, tallyOf } from './tally.ts'

// credit: A credit counts only if the quoted words are in that peer's answer.

/** What a seat wrote in a round: its answer, what it said of others' points (they are shown it), and as an advocate. */
const wordsIn = (round: Round, seat: string): string[] => {
  const answer = answerIn(round, seat)
  const spoken = (round.statements ?? []).filter(statement => statement.seat === seat)
  return [
    ...(answer ? [answer.headline, answer.reasoning, answer.text ?? '', answer.reading ?? ''] : []),
    ...(answer?.points ?? []).map(point => point.why),
    ...spoken.flatMap(statement => (statement.error ? [] : [statement.argument, statement.question ?? ''])),
  ]
}

/** Everything a peer wrote before this round, as it wrote it, and that again as others saw it. */
const textsOf = (session: Session, seat: string, round: number) => {
  const mask = maskFor(session)
  const written = session.roundsSoFar.filter(one => one.index < round).flatMap(one => wordsIn(one, seat))
  return { written, shown: written.flatMap(text => [text, mask(text)]) }
}

/** A peer's words with the seat that wrote them, and whether it really did. Undefined if it names nobody at the table. */
export const creditFor = (
  session: Session,
  round: number,
  giver: string,
  { peer, quote }: Quoted,
): Credit | undefined => {
  const seat = seatCalled(session, peer)
  if (!seat) return undefined
  const texts = textsOf(session, seat.id, round)
  const verified = seat.id !== giver && quoteStands(quote, texts.shown)
  return { seat: seat.id, quote: verified ? unmasked(session, quote, texts.written) : quote, verified }
}

export const moves = ['held', 'refined', 'switched', 'silent', 'abstained'] as const
export type Move = (typeof moves)[number]

/** No earlier round has this camp. */
const isNew = (session: Session, { index }: Round, camp: string): boolean =>
  !session.roundsSoFar.some(
    round => round.index < index && groupingOf(session, round).camps.some(({ id }) => id === camp),
  )

/**
 * Null if there is nothing to compare with: in the sealed round, for a seat's first answer, and until the camps are
 * final. A move that is shown too early could be a false change of mind.
 * An imported transcript lacks its earlier rounds, so its own marks count, and are labelled as claims.
 */
export const moveOf = (session: Session, round: Round, seat: string): Move | null => {
  const handedIn = round.handedIn[seat]
  if (!handedIn) return null
  if (handedIn.status !== 'given') return round.index === 0 ? null : handedIn.status
  if (session.imported && !round.sealed) return session.imported.changed.includes(seat) ? 'switched' : 'held'
  const last = answerBefore(session, round.index, seat)
  const lastRound = roundBefore(session, round.index, seat)
  if (!last || !lastRound) return null
  if (session.question.format === 'text') return isRewritten(last, handedIn.answer) ? 'refined' : 'held'
  const [before, now] = [groupingOf(session, lastRound), groupingOf(session, round)]
  if (!isGrouped(before) || !isGrouped(now)) return null
  const to = campOfSeat(now, seat)
  // Nobody compared the headlines, so new words may mean the same. Only the words of another camp are a switch.
  const reworded = now.by === 'headline' && to !== undefined && isNew(session, round, to.id)
  if (campOfSeat(before, seat)?.id !== to?.id && !reworded) {
    const same = session.asLabelled
      ? keepsItsWord(handedIn.answer)
      : saysTheSame(round, lastRound, seat, now.unrelated)
    if (same === undefined) return null
    if (!same) return 'switched'
  }
  return keyIn(round, last.headline) === keyIn(round, handedIn.answer.headline) ? 'held' : 'refined'
}

/** The rounds, up to this one, in which a seat changed its mind: what it did last is not its whole way. */
export const changedIn = (session: Session, round: Round, seat: string): number[] =>
  session.roundsSoFar
    .filter(one => one.index <= round.index && moveOf(session, one, seat) === 'switched')
    .map(one => one.index)

/** Nothing that is shown of the round can change any more: its camps are final, and so are the moves of its seats. */
export const areMovesKnown = (session: Session, round: Round): boolean =>
  isClosed(session, round) &&
  isGrouped(groupingOf(session, round)) &&
  session.seats.every(
    ({ id }) =>
      !answerIn(round, id) || !answerBefore(session, round.index, id) || moveOf(session, round, id) !== null,
  )

/** Until its two headlines are compared, a seat's own word decides. */
const keepsItsWord = (answer: Answer): boolean => {
  const said = decisionOf(answer)
  return said !== undefined && said !== 'changed'
}

/**
 * The seat's own word on its answer, if it is not what the camps show: it says that it kept its answer, and is in another
 * camp, or that it changed it, and is in the same one. The move stays what was computed.
 */
export const saidOtherwise = (session: Session, round: Round, seat: string): AnswerDecision | undefined => {
  const answer = answerIn(round, seat)
  const said = answer && decisionOf(answer)
  const move = moveOf(session, round, seat)
  if (move === 'switched') return said === 'kept' || said === 'conceded' ? said : undefined
  return said === 'changed' && (move === 'held' || move === 'refined') ? said : undefined
}

/** Spacing aside, a text that isn't word for word the same was rewritten. Nobody changes its mind with a text. */
export const isRewritten = (before: Answer, now: Answer): boolean => {
  const [first, second] = [before, now].map(({ text = '' }) => text.replace(/\s+/gu, ' ').trim())
  return first !== second
}

/** Into the camp that led the round before, out of it, or between other camps. */
export const directions = ['toward', 'away', 'aside'] as const
export type Direction = (typeof directions)[number]

/** A seat that left one camp for another, and the words it credits. */
export interface Flip {
  readonly seat: string
  readonly round: number
  /** Camp ids. */
  readonly from: string | null
  readonly to: string | null
  /** Relative to the camp that led the round before. Null if none did. */
  readonly direction: Direction | null
  readonly reason: Reason | null
  readonly credit: { readonly seat: string; readonly quote: string; readonly verified: boolean } | null
  /** How many of the passages that its new answer cites code did not find. Absent: none. */
  readonly unsupported?: number
}

const directionOf = (
  leading: string | null,
  from: string | undefined,
  to: string | undefined,
): Direction | null => {
  if (leading === null) return null
  if (to === leading) return 'toward'
  return from === leading ? 'away' : 'aside'
}

/** The camp that led the round before this one. */
const leadingBefore = (session: Session, index: number): string | null => {
  const before = session.roundsSoFar.findLast(round => round.index < index)
  return before ? tallyOf(session, before).leading : null
}

const unsupportedIn = (answer: Answer | undefined): Pick<Flip, 'unsupported'> => {
  const unsupported = answer?.citations?.filter(isUnsupported).length ?? 0
  return unsupported > 0 ? { unsupported } : {}
}

/** Every flip of the session, in order of rounds and seats. */
export const flipsOf = (session: Session): Flip[] =>
  session.roundsSoFar.flatMap(round => {
    const flipped = session.seats.filter(({ id }) => moveOf(session, round, id) === 'switched')
    const leading = flipped.length > 0 ? leadingBefore(session, round.index) : null
    return flipped.map(({ id: seat }): Flip => {
      const answer = answerIn(round, seat)
      const lastRound = roundBefore(session, round.index, seat)
      const from = lastRound && campOfSeat(groupingOf(session, lastRound), seat)?.id
      const to = campOfSeat(groupingOf(session, round), seat)?.id
      return {
        seat,
        round: round.index,
        from: from ?? null,
        to: to ?? null,
        direction: directionOf(leading, from, to),
        reason: answer?.reason ?? null,
        credit: answer?.credit ?? null,
        ...unsupportedIn(answer),
      }
    })
  })

// standings: The number of each camp, which decides its colour and pattern, and where every seat stands.

/** Camp ids with their numbers from 0. They are the same in every round and throughout a replay. */
export type CampNumbers = ReadonlyMap<string, number>

/** Until a round is closed and its answers are compared, its camps come and go: seats would change their colours. */
export const areCampsKnown = (session: Session, round: Round): boolean =>
  session.outcome !== undefined ||
  session.stopped !== undefined ||
  (isClosed(session, round) && isGrouped(groupingOf(session, round)))

/** The options of a choice keep their order. Other camps are numbered as they appear, the largest first. */
export const campNumbers = (session: Session): CampNumbers => {
  const ids =
    session.question.format === 'choice'
      ? session.question.options
      : session.roundsSoFar
          .filter(round => areCampsKnown(session, round))
          .flatMap(round => tallyOf(session, round).camps.map(camp => camp.id))
  return new Map([...new Set(ids)].map((id, index) => [id, index]))
}

/** Texts have camps only if the asker wanted them grouped. */
export const hasCamps = ({ question }: Session): boolean =>
  question.format !== 'text' || question.camps !== undefined

/** Every camp of the session, as of the last round that has it. */
export const campsById = (session: Session): ReadonlyMap<string, Camp> =>
  new Map(session.roundsSoFar.flatMap(round => groupingOf(session, round).camps).map(camp => [camp.id, camp]))

/** Where a seat stands in a round. */
export interface Standing {
  readonly seat: Seat
  /** Absent: the seat is still being asked, or will be. */
  readonly handedIn?: HandedIn
  readonly camp?: Camp
  /** The camp's number. */
  readonly number?: number
  /** The number of its camp in an earlier round, for as long as it has none in this one. */
  readonly before?: number
  readonly move: Move | null
  /** The rounds so far in which it changed its mind. */
  readonly changedIn: readonly number[]
  /** It agrees with its camp with a caveat. */
  readonly qualified: boolean
  /** It gave no answer in this round, and stands in its camp by the one that it gave in that round. */
  readonly kept?: Round
}

const numberBefore = (
  session: Session,
  round: Round,
  seat: string,
  numbers: CampNumbers,
): number | undefined => {
  const last = roundBefore(session, round.index, seat)
  const camp = last && campOfSeat(groupingOf(session, last), seat)
  return camp && numbers.get(camp.id)
}

/** An option is a camp at once. Other answers have none until all are compared: a seat would show a camp, and lose it again. */
const countSoFar = (session: Session, round: Round): Tally | undefined =>
  session.question.format === 'choice' || areCampsKnown(session, round) ? tallyOf(session, round) : undefined

/**
 * What a transcript says of camps and moves was counted by nobody: only its own marks of changed minds are shown, and named
 * as its claims.
 */
const claimedIn = (session: Session, round: Round | undefined): Standing[] =>
  session.seats.map(seat => {
    const handedIn = round?.handedIn[seat.id]
    const claims = round !== undefined && handedIn && moveOf(session, round, seat.id) === 'switched'
    const changes = claims ? [round.index] : []
    return {
      seat,
      ...(handedIn && { handedIn }),
      move: claims ? 'switched' : null,
      changedIn: changes,
      qualified: false,
    }
  })

export const standingsIn = (session: Session, round: Round | undefined, numbers: CampNumbers): Standing[] => {
  if (session.imported) return claimedIn(session, round)
  const tally = round && countSoFar(session, round)
  return session.seats.map(seat => {
    const handedIn = round?.handedIn[seat.id]
    const before = round && numberBefore(session, round, seat.id, numbers)
    const kept = tally?.kept?.find(one => one.seat === seat.id)
    const isLate = !handedIn && !(session.outcome && kept)
    if (!round || isLate) return { seat, before, move: null, changedIn: [], qualified: false }
    const camp = tally?.camps.find(({ seats }) => seats.includes(seat.id))
    return {
      seat,
      ...(handedIn && { handedIn }),
      before,
      move: moveOf(session, round, seat.id),
      changedIn: changedIn(session, round, seat.id),
      qualified: camp?.qualified.includes(seat.id) ?? false,
      ...(camp && { camp, number: numbers.get(camp.id) }),
      ...(kept && { kept: roundAt(session, kept.round) }),
    }
  })
}

/** At a large table the seats of a camp stand side by side, so that its colour can be seen. */
export const byCamp = (standings: readonly Standing[]): Standing[] => {
  const rank = ({ number, handedIn }: Standing): number => number ?? (handedIn ? 1_000 : 2_000)
  return standings.toSorted((one, other) => rank(one) - rank(other))
}

/** Why a seat has no camp. */
export const absenceOf = (standing: Standing): 'silent' | 'abstained' | 'asked' | 'ungrouped' | undefined => {
  if (standing.camp) return undefined
  if (!standing.handedIn) return 'asked'
  return standing.handedIn.status === 'given' ? 'ungrouped' : standing.handedIn.status
}

// flow: The position flow: a column for each round, a block for each camp, a ribbon for each seat. Pure geometry.

/** A block of a column, before the layout. */
export interface Group {
  readonly key: string
  readonly seats: readonly string[]
}

export interface FlowBlock {
  readonly key: string
  readonly column: number
  readonly x: number
  readonly y: number
  readonly height: number
  readonly seats: readonly string[]
}

export interface Ribbon {
  readonly seat: string
  /** Keys of the blocks that it leads from and to. */
  readonly from: string
  readonly to: string
  /** Its upper edge at both ends, and how thick it is. */
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
  readonly thick: number
}

export interface FlowLayout {
  readonly blocks: readonly FlowBlock[]
  readonly ribbons: readonly Ribbon[]
}

export interface FlowSize {
  readonly width: number
  readonly height: number
  readonly blockWidth: number
  readonly gap: number
}

/** The blocks of a round: camps by number, then the seats without a camp. */
export const groupsOf = (session: Session, numbers: CampNumbers): Group[][] =>
  session.roundsSoFar.map(round => {
    const byKey = new Map<string, string[]>()
    for (const standing of standingsIn(session, round, numbers)) {
      const key =
        standing.number === undefined ? (absenceOf(standing) ?? 'ungrouped') : String(standing.number)
      byKey.set(key, [...(byKey.get(key) ?? []), standing.seat.id])
    }
    const rank = (key: string): number => (/^\d/.test(key) ? Number(key) : 1_000 + key.length)
    return [...byKey]
      .toSorted(([one], [other]) => rank(one) - rank(other))
      .map(([key, seats]) => ({ key, seats }))
  })

/** The number of the camp, if the block is one. */
export const numberOf = (key: string): number | undefined => (/^\d/.test(key) ? Number(key) : undefined)

/** Seats keep their order from column to column, so that ribbons cross only if a seat changed its mind. */
const ordered = (columns: readonly (readonly Group[])[]): Group[][] => {
  const result: Group[][] = []
  for (const groups of columns) {
    const before = (result.at(-1) ?? columns[1] ?? []).flatMap(group => group.seats)
    const rank = new Map(before.map((seat, index) => [seat, index]))
    const at = (seat: string): number => rank.get(seat) ?? before.length
    result.push(groups.map(group => ({ ...group, seats: group.seats.toSorted((a, b) => at(a) - at(b)) })))
  }
  return result
}

export const flowLayout = (columns: readonly (readonly Group[])[], size: FlowSize): FlowLayout => {
  const { width, height, blockWidth, gap } = size
  const placed = ordered(columns.map(groups => groups.filter(group => group.seats.length > 0)))
  const most = Math.max(1, ...placed.map(groups => groups.flatMap(group => group.seats).length))
  const gaps = Math.max(0, ...placed.map(groups => groups.length - 1)) * gap
  const unit = Math.max(1, (height - gaps) / most)
  const step = placed.length > 1 ? (width - blockWidth) / (placed.length - 1) : 0
  const ends: Map<string, { y: number; key: string }>[] = []
  const blocks = placed.flatMap((groups, column) => {
    const here = new Map<string, { y: number; key: string }>()
    ends.push(here)
    const used = groups.flatMap(group => group.seats).length * unit + Math.max(0, groups.length - 1) * gap
    let y = Math.max(0, (height - used) / 2)
    return groups.map(group => {
      const block = { ...group, column, x: column * step, y, height: group.seats.length * unit }
      for (const [index, seat] of group.seats.entries())
        here.set(seat, { y: y + index * unit, key: group.key })
      y += block.height + gap
      return block
    })
  })
  const ribbons = ends.slice(1).flatMap((after, index) =>
    [...after].flatMap(([seat, to]): Ribbon[] => {
      const from = ends[index]?.get(seat)
      if (!from) return []
      const [x0, x1] = [index * step + blockWidth, (index + 1) * step]
      return [{ seat, from: from.key, to: to.key, x0, y0: from.y, x1, y1: to.y, thick: unit }]
    }),
  )
  return { blocks, ribbons }
}

// readings: How seats read an ambiguous question. A split may be about words and not about the matter.

/** The readings as seats gave them; equal words are one. */
export const statedReadings = (session: Session, round: Round): Reading[] => {
  const stated = givenIn(session, round).flatMap(({ seat, answer }) =>
    answer.reading === undefined ? [] : [{ seat, reading: answer.reading }],
  )
  return [...Map.groupBy(stated, ({ reading }) => keyIn(round, reading)).values()].map(same => ({
    reading: same[0]!.reading,
    seats: same.map(({ seat }) => seat),
  }))
}

/** The ways in which the table reads the question. Fewer than two: it doesn't matter how it is read. */
export const readingsOf = (session: Session): readonly Reading[] => {
  const sealed = session.roundsSoFar.find(round => round.sealed)
  if (!sealed) return []
  const { readings } = sealed
  return readings !== undefined && !isFailure(readings) ? readings : statedReadings(session, sealed)
}

// resolution: The right answer to a question, once it is known: which camps had it, and so which seats.

export interface Resolution {
  readonly answer: string
  readonly camps: string[]
}

const everyCamp = (session: Session): Camp[] =>
  session.roundsSoFar.flatMap(round => groupingOf(session, round).camps)

const campsOf = (session: Session): Camp[] => [
  ...new Map(everyCamp(session).map(camp => [camp.id, camp])).values(),
]

const cannotRead = (answer: string, ways: string): never => {
  throw new UsageError(`"${answer}" isn't an answer to this question: ${ways}.`)
}

const rightChoice = ({ question }: Session, answer: string): Resolution => {
  const option = optionFrom(answer, question.options)
  if (option === undefined) return cannotRead(answer, `give one of ${question.options.join(', ')}`)
  return { answer: option, camps: [option] }
}

const rightRanking = ({ question }: Session, answer: string): Resolution => {
  const ranking = rankingFrom(answer, question.options)
  if (!ranking)
    return cannotRead(answer, `give all of ${question.options.join(', ')}, best first, with commas between`)
  return { answer: ranking.join(' > '), camps: [ranking.join(' > ')] }
}

/** A number is right if it would share a camp with the answer. */
const rightNumber = (session: Session, answer: string): Resolution => {
  const { unit } = session.question
  const shown = campsOf(session).find(camp => camp.id === answer.trim())
  const given = shown && answerAt(session, shown.exemplar)?.number
  // The words of an answer of the table mean that answer, also if they could mean two things elsewhere.
  const read = given === undefined ? readNumber(answer, unit) : { number: given }
  if ('problem' in read)
    return cannotRead(answer, `give a number${unit ? ` in ${unit}` : ''} (${read.problem})`)
  const value = read.number
  const text = numberText(value, unit)
  const last = latestRound(session)
  const isClose = last && closeIn(session, last)
  const fitting = campsOf(session).filter(camp =>
    isClose?.(answerAt(session, camp.exemplar)?.number ?? 0, value),
  )
  return { answer: text, camps: isClose ? fitting.map(camp => camp.id) : [text] }
}

/** A camp can be named by its id, or by its label or headline of any round. */
const rightCamp = (session: Session, answer: string): Resolution => {
  const camps = campsOf(session)
  const words = headlineKey(answer)
  const named =
    camps.find(camp => camp.id === answer.trim().toLowerCase()) ??
    everyCamp(session).findLast(camp => [camp.label, camp.headline].some(text => headlineKey(text) === words))
  if (named) return { answer: named.label, camps: [named.id] }
  const known = camps.map(camp => `${camp.id} (${camp.label})`).join('; ')
  return cannotRead(
    answer,
    `name a position by its id or its words, or say none. There are ${known || 'none'}`,
  )
}

const noRightText = (): never => {
  throw new UsageError("A text is neither right nor wrong, so this session can't be resolved.")
}

/** Throws a UsageError that says what to write, if the text isn't an answer to this question. */
export const rightCamps = (session: Session, answer: string): Resolution => {
  const { format, options } = session.question
  const isNobody = /^none$/i.test(answer.trim()) && !options.some(option => /^none$/i.test(option))
  if (isNobody && format !== 'text') return { answer: 'none', camps: [] }
  const ways = {
    choice: rightChoice,
    ranking: rightRanking,
    number: rightNumber,
    open: rightCamp,
    text: noRightText,
  }
  return ways[format](session, answer)
}

/** What turned out to be right. Nothing did in a matter of taste, even if somebody resolved it before its kind was known. */
export const resolutionOf = (session: Session): Session['resolved'] =>
  canBeRight(session) ? session.resolved : undefined

/** Whether a seat's answer to a round was right. Null if it gave none, or nobody knows. */
export const wasRight = (session: Session, round: Round | undefined, seat: string): boolean | null => {
  const camp = round && campOfSeat(groupingOf(session, round), seat)
  const right = resolutionOf(session)
  return camp && right ? right.camps.includes(camp.id) : null
}

// way: The way of a seat from the sealed round on: every camp that it stood in, in order.

export interface Stop {
  readonly round: Round
  readonly camp: Camp
}

/** Up to a round; rounds in which it stayed where it was are left out. A transcript lacks its earlier rounds. */
export const wayOf = (session: Session, last: Round, seat: string): Stop[] => {
  const { id } = seatOf(session, seat)
  if (session.imported) return []
  return session.roundsSoFar
    .filter(round => round.index <= last.index)
    .flatMap((round): Stop[] => {
      const camp = campOfSeat(groupingOf(session, round), id)
      return camp ? [{ round, camp }] : []
    })
    .filter((stop, index, all) => stop.camp.id !== all[index - 1]?.camp.id)
}
