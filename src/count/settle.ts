/** Puts headlines into camps by the checks that were made, and finds the checks that must still be made. */
import { trimmed } from '../core/basics.ts'
import type { Relation } from '../core/event.ts'
import { headlineKey } from '../core/question.ts'
import { valueText } from '../core/reply.ts'
import { answerIn, checkKey, type Round, roundBefore, type Session } from '../core/session.ts'
import {
  type Camp,
  type CampDraft,
  campNamed,
  campRelations,
  closeIn,
  emptied,
  filled,
  foundedBy,
  type Grouped,
  type Grouping,
  givenIn,
  hasFailed,
  isExact,
  isOver,
  join,
  keyIn,
  labelIn,
  numberCamps,
  type PendingCheck,
  type Proposal,
  positionIn,
  proposalsIn,
  represent,
  type SharedHeadline,
  samePartition,
  sharedHeadlines,
} from './camps.ts'

// regrouped: Seats whose camp changed from one round to the next. Positions are put together anew in each round, so the seat's own two
// headlines decide whether it changed its mind: if they say the same, only the grouping changed around it.

/** The seat's headline of this round, and the answer that it is compared with. */
export const ownPair = (seat: string, last: Round): PendingCheck => ({
  seat,
  exemplar: `${seat}@${last.index}`,
})

const campIn = (camps: readonly Camp[], seat: string): string | undefined =>
  camps.find(({ seats }) => seats.includes(seat))?.id

/** The pairs of a seat's own headlines that nobody has compared yet. */
export const regroupedIn = (
  session: Session,
  round: Round,
  camps: readonly Camp[],
  earlier: readonly Grouped[],
): PendingCheck[] =>
  camps.flatMap(({ id, seats }) =>
    seats.flatMap(seat => {
      const last = roundBefore(session, round.index, seat)
      const before = earlier.find(one => one.round.index === last?.index)
      if (!last || !before || campIn(before.camps, seat) === id) return []
      const [was, is] = [last, round].map(one => keyIn(round, answerIn(one, seat)?.headline))
      const pair = ownPair(seat, last)
      return was === is || round.checks[checkKey(pair.seat, pair.exemplar)] !== undefined ? [] : [pair]
    }),
  )

/** Whether the seat still says what it said; undefined while that is being asked. */
export const saysTheSame = (
  round: Round,
  last: Round,
  seat: string,
  open: readonly PendingCheck[],
): boolean | undefined => {
  const pair = ownPair(seat, last)
  const key = checkKey(pair.seat, pair.exemplar)
  const isOpen = open.some(one => one.seat === seat && one.exemplar === pair.exemplar)
  if (isOpen && !round.missedChecks?.includes(key)) return undefined
  const relation = round.checks[key]
  return relation === 'same' || relation === 'same with a caveat'
}

// sameWording: Headlines that differ by hardly a word. If the moderator is too small to compare headlines, code recognises these: a
// small model takes "close its centre" and "close its center" for two positions, which looks like a change of mind.

const articles = new Set('a an the der die das ein eine le la les un une el los las il lo'.split(' '))

/** A word that may turn a sentence into its opposite, or has other characters than letters. */
const weighty =
  /^(?:no|not|non|never|nor|none|neither|nobody|nothing|without|hardly|rarely|few|only|cannot|t|nicht|nie|keine?n?|ohne|ne|pas|jamais|sans|nunca|sin|mai|senza)$|[^\p{L}\p{M}]/u

/** One word may be added for every so many words: in a short sentence every word counts. */
const wordsForOne = 5

/** A word as it is compared: without a plural s, and in one spelling of English. */
const plain = (word: string): string =>
  word
    .replace(/(?<=\p{L})s$/u, '')
    .replace(/(?<=\p{L}{3})our/u, 'or')
    .replace(/(?<=\p{L}{2}[bt])re$/u, 'er')

/** Without the punctuation at its ends. Beside a figure it may be a part of it, as in "5.", "(5" and "5:". */
const withoutMarks = (word: string): string => {
  const bare = trimmed(word, '.,;:…"\'“”„‘’«»()[]')
  return /^\p{N}|\p{N}$/u.test(bare) ? word : bare
}

const wordsOf = (text: string): string[] =>
  headlineKey(text)
    .split(' ')
    .map(withoutMarks)
    .filter(word => !articles.has(word))
    .map(plain)

/** The words that the longer text adds. Undefined if the shorter text has words that the longer one lacks. */
const addedTo = (shorter: readonly string[], longer: readonly string[]): string[] | undefined => {
  let next = 0
  const added = longer.filter(word => {
    const stands = word === shorter[next]
    if (stands) next++
    return !stands
  })
  return next === shorter.length ? added : undefined
}

/** Whether two headlines differ only in spelling, or by a few words that can't change what they assert. */
export const hasSameWording = (one: string, other: string): boolean => {
  const [first, second] = [wordsOf(one), wordsOf(other)]
  const [shorter, longer] = first.length <= second.length ? [first, second] : [second, first]
  const added = addedTo(shorter, longer)
  if (!added || shorter.length === 0) return false
  return added.length <= shorter.length / wordsForOne && !added.some(word => weighty.test(word))
}

/**
 * With more headlines than this, a headline is compared with two camps at most, and by a small moderator with the
 * first eight. Otherwise there would be a comparison for every pair of headlines that left a camp.
 */
const manyHeadlines = 25
const mostCompared = 8

/** So many headlines that left a camp are compared with each other at once: fifteen pairs. */
const mostStrangers = 6

export interface Settled {
  readonly pending: readonly PendingCheck[]
  /** Pairs that may be needed next: asked along with the others, they save a call for each camp that falls apart. */
  readonly ahead: readonly PendingCheck[]
  /** A membership couldn't be checked. */
  readonly failed: boolean
}

/** What both ways to settle a round work with. */
export interface Settling {
  readonly round: Round
  readonly entries: readonly SharedHeadline[]
  /** The camps so far, those of earlier rounds first. */
  readonly camps: readonly CampDraft[]
  /** Starts a new camp. */
  found(label: string, first: SharedHeadline): CampDraft
}

/** How a headline relates to the answer that stands for a camp. */
const relationTo = (
  { exemplar, headline }: Camp,
  { words, seats }: SharedHeadline,
  round: Round,
): Relation | 'unknown' | 'failed' => {
  if (keyIn(round, headline) === words) return 'same'
  const check = seats
    .map(seat => round.checks[checkKey(seat, exemplar)])
    .find(relation => relation !== undefined)
  if (check === undefined) return 'unknown'
  return typeof check === 'string' ? check : 'failed'
}

/** Compatible answers aren't the same answer, so they are two camps as well. */
const isApart = (relation: ReturnType<typeof relationTo>): boolean =>
  relation === 'different' || relation === 'compatible'

/**
 * Puts every labelled headline into its camp. Those that aren't the same answer as the camp's exemplar start a new one.
 * `stands` says whether somebody still says this round what stands for a camp. If nobody does, the first headline with
 * the camp's label is compared with the words of the earlier round, to see whether the camp lives on, and the others are
 * compared with that headline: not with what a seat, maybe they themselves, said before.
 */
export const settle = (
  { round, entries: unplaced, camps, found }: Settling,
  proposal: Proposal,
  stands: (camp: Camp) => boolean,
): Settled => {
  const pending: PendingCheck[] = []
  let failed = false
  const relationOf = (camp: CampDraft, entry: SharedHeadline) => {
    const relation = relationTo(camp, entry, round)
    if (relation === 'unknown') pending.push({ seat: entry.seats[0], exemplar: camp.exemplar })
    if (relation === 'failed') failed = true
    return relation
  }
  const alone = (strangers: readonly SharedHeadline[]): void => {
    for (const one of strangers) join(found(one.answer.headline, one), one, false)
  }
  const ahead: PendingCheck[] = []
  const lookAhead = (camp: Camp, strangers: readonly SharedHeadline[]): void => {
    const open = strangers.filter(one => relationTo(camp, one, round) === 'unknown').slice(0, mostStrangers)
    for (const [at, { seats }] of open.entries())
      for (const other of open.slice(at + 1))
        ahead.push({ seat: other.seats[0], exemplar: `${seats[0]}@${round.index}` })
  }
  const startFrom = (strangers: readonly SharedHeadline[], splits: number): void => {
    const [first] = strangers
    if (first && splits > 0) {
      const camp = found(first.answer.headline, first)
      if (splits > 1) lookAhead(camp, strangers)
      fill(camp, strangers, splits - 1)
    } else alone(strangers)
  }
  const fill = (
    camp: CampDraft,
    entries: readonly SharedHeadline[],
    splits: number,
    leave: (strangers: readonly SharedHeadline[], splits: number) => void = startFrom,
  ): void => {
    const strangers = entries.filter(entry => {
      const relation = relationOf(camp, entry)
      if (!isApart(relation)) join(camp, entry, relation === 'same with a caveat')
      return isApart(relation)
    })
    leave(strangers, splits)
  }
  const carryOn = (camp: CampDraft, entries: readonly SharedHeadline[], splits: number): void => {
    const [first, ...rest] = entries
    if (!first) return
    if (!isApart(relationOf(camp, first))) {
      represent(camp, first, round)
      join(camp, first, false)
      fill(camp, rest, splits)
    } else if (splits > 0) {
      const others = (strangers: readonly SharedHeadline[], left: number): void =>
        left > 0 ? carryOn(camp, strangers, left) : alone(strangers)
      fill(found(first.answer.headline, first), entries, splits - 1, others)
    } else alone(entries)
  }
  const splits = unplaced.length > manyHeadlines ? 1 : Infinity
  // An id that the moderator made up must not mean a camp that this round has just started.
  const named = proposal.positions ? [...camps] : camps
  for (const entries of Map.groupBy(unplaced, entry => positionIn(proposal, entry)).values()) {
    const first = entries[0]!
    const label = labelIn(proposal, first)
    const known = campNamed(proposal, first, named)
    if (!known) {
      fill(found(label, first), entries, splits)
      continue
    }
    if (proposal.positions) known.label = label
    if (stands(known)) fill(known, entries, splits)
    else carryOn(known, entries, splits)
  }
  return { pending, ahead, failed }
}

/**
 * A moderator too small to label all headlines compares each with one camp after the other. It makes one check at a
 * time, because the next headline may need a new camp or not. Headlines with the same wording need no check.
 */
export const settleByChecks = (
  { round, entries, camps, found }: Settling,
  sameWordingIn: (entry: SharedHeadline) => CampDraft | undefined,
): Settled => {
  const pending: PendingCheck[] = []
  let failed = false
  const compared = entries.length > manyHeadlines ? mostCompared : Infinity
  const sameIn = (entry: SharedHeadline): CampDraft | undefined =>
    camps.slice(0, compared).find(camp => {
      const relation = pending.length > 0 ? 'different' : relationTo(camp, entry, round)
      if (relation === 'unknown') pending.push({ seat: entry.seats[0], exemplar: camp.exemplar })
      if (relation === 'failed') failed = true
      return relation === 'same' || relation === 'same with a caveat'
    })
  for (const entry of entries)
    join(sameWordingIn(entry) ?? sameIn(entry) ?? found(entry.answer.headline, entry), entry, false)
  return { pending, ahead: [], failed }
}

// openCamps: Camps of open answers: the moderator proposes positions, and checks against each camp's exemplar decide.

/** The camp of each headline of earlier rounds. Words that have a camp already needn't be judged again. */
const campsByWords = (
  now: Round,
  earlier: readonly Grouped[],
): Map<string, { id: string; qualified: boolean }> => {
  const known = new Map<string, { id: string; qualified: boolean }>()
  for (const { round, camps } of earlier) {
    for (const { id, seats, qualified } of camps) {
      for (const seat of seats) {
        const words = keyIn(now, answerIn(round, seat)?.headline)
        if (!known.has(words)) known.set(words, { id, qualified: qualified.includes(seat) })
      }
    }
  }
  return known
}

/** From this version of the prompts on, an answer of the round itself stands for a camp. */
const renewingPrompts = 2

const isRenewed = ({ prompts = 1 }: Round): boolean => prompts >= renewingPrompts

/** Lets a headline of this round stand for each camp whose earlier words nobody repeats. */
const renewExemplars = (
  round: Round,
  camps: readonly CampDraft[],
  entries: readonly SharedHeadline[],
  mayBe: (camp: Camp, entry: SharedHeadline) => boolean,
): void => {
  for (const camp of camps) {
    const own = entries.filter(({ seats }) => camp.seats.includes(seats[0]))
    if (own.some(({ words }) => words === keyIn(round, camp.headline))) continue
    const next = own.find(entry => mayBe(camp, entry))
    if (next) represent(camp, next, round)
  }
}

export const openCamps = (session: Session, round: Round, earlier: readonly Grouped[]): Grouping => {
  const camps = emptied(earlier)
  const known = [...camps]
  const found = (label: string, { seats, answer }: SharedHeadline): CampDraft => {
    const camp: CampDraft = {
      id: `c${camps.length + 1}`,
      label,
      exemplar: `${seats[0]}@${round.index}`,
      headline: answer.headline,
      seats: [],
      qualified: [],
    }
    camps.push(camp)
    return camp
  }
  const byWords = campsByWords(round, earlier)
  const headlines = sharedHeadlines(session, round)
  const unplaced = headlines.filter(entry => {
    const earlierCamp = byWords.get(entry.words)
    const home = camps.find(camp => camp.id === earlierCamp?.id)
    if (home) join(home, entry, earlierCamp?.qualified ?? false)
    return !home
  })
  const isSmall = session.smallModerator === true
  const renewed = isRenewed(round) && !isSmall
  const isPlain = ({ qualified }: Camp, { seats }: SharedHeadline): boolean => !qualified.includes(seats[0])
  if (renewed) renewExemplars(round, camps, headlines, isPlain)
  const related = renewed || (session.changes !== undefined && !isSmall)

  const finished = (grouping: Partial<Grouping>): Grouping => {
    if (renewed) renewExemplars(round, camps, headlines, () => true)
    const wordsOf = (seat: string): string => keyIn(round, answerIn(round, seat)?.headline)
    // Nobody has a caveat to its own words.
    const filledCamps = filled(session, camps).map(camp => ({
      ...camp,
      qualified: camp.qualified.filter(seat => wordsOf(seat) !== keyIn(round, camp.headline)),
    }))
    const { overlap, ...relations } =
      related && grouping.camps === undefined
        ? campRelations(session, round, filledCamps)
        : { overlap: false, compatible: [], unrelated: [] }
    const byModerator = (grouping.by ?? 'moderator') === 'moderator'
    return {
      camps: filledCamps,
      by: 'moderator',
      unplaced: [],
      pending: [],
      ...grouping,
      ...relations,
      contested: (grouping.contested ?? false) || overlap,
      unrelated:
        session.stopped || session.asLabelled || !byModerator || session.moderator === null
          ? []
          : [
              ...(grouping.unrelated ?? []),
              ...relations.unrelated,
              ...(renewed ? regroupedIn(session, round, filledCamps, earlier) : []),
            ],
    }
  }

  const trivial = unplaced.length === 0 || (unplaced.length === 1 && camps.length === 0)
  const asked = session.moderator !== null && !trivial
  const settling = { round, entries: unplaced, camps, found }
  if (asked && isSmall) {
    /** A small model may put two headlines of one wording into two camps, if it is asked about each. */
    const isSaidIn = ({ seats }: Camp, words: string): boolean =>
      isExact(round) &&
      headlines.some(one => seats.includes(one.seats[0]) && hasSameWording(one.words, words))
    const sameWordingIn = ({ words }: SharedHeadline): CampDraft | undefined => {
      const earlierCamp = [...byWords].find(([before]) => hasSameWording(before, words))?.[1]
      return (
        camps.find(camp => camp.id === earlierCamp?.id) ??
        camps.find(camp => hasSameWording(keyIn(round, camp.headline), words) || isSaidIn(camp, words))
      )
    }
    const { pending, failed } = settleByChecks(settling, sameWordingIn)
    const cutShort = session.stopped !== undefined && pending.length > 0
    return finished({ weak: true, contested: failed || cutShort, pending: session.stopped ? [] : pending })
  }
  const over = ([0, 1] as const).map(pass => isOver(round.proposals[pass], unplaced))
  const enough = over.every(Boolean) || (session.asLabelled && over[0] && !hasFailed(round.proposals[0]))
  if (asked && !session.stopped && !enough) {
    return finished({ camps: [], unplaced: unplaced.map(({ seats }) => seats[0]) })
  }
  const [first, second] = proposalsIn(round)
  if (!asked || !first) {
    for (const entry of unplaced) join(found(entry.answer.headline, entry), entry, false)
    return finished({ by: trivial ? 'moderator' : 'headline' })
  }

  const stands = ({ headline, seats }: Camp): boolean =>
    !renewed || (seats.length > 0 && headlines.some(({ words }) => words === keyIn(round, headline)))
  const checks = settle(settling, first, stands)
  const differs = second ? !samePartition([first, second], unplaced, known) : over[1] || !session.asLabelled
  const cutShort = session.stopped !== undefined && checks.pending.length > 0
  return finished({
    contested: differs || checks.failed || cutShort,
    pending: session.stopped || session.asLabelled ? [] : checks.pending,
    unrelated: related ? checks.ahead : [],
  })
}

// camps: Camps: seats whose headlines assert the same thing.
// Closed formats are grouped by value. Open answers are grouped by the moderator's labels, and then each
// membership is checked: by its label alone, an opposite stance on the same topic could slip in.

/** Equal values are one camp. */
const byValue = (session: Session, round: Round): Camp[] => {
  const camps: CampDraft[] = []
  for (const given of givenIn(session, round)) {
    const id = valueText(session.question, given.answer)
    const home = camps.find(camp => camp.id === id)
    if (home) home.seats.push(given.seat)
    else camps.push(foundedBy(given, round, id))
  }
  return filled(session, camps)
}

/** Kept for each list of rounds, because protocols ask for it after every event. */
const remembered = new WeakMap<readonly Round[], Map<string, Grouping>>()

/** The camps of a round, and what must still be asked before they are final. */
export const groupingOf = (session: Session, round: Round): Grouping => {
  const key = `${round.index} ${session.stopped !== undefined} ${session.asLabelled === true}`
  const known = remembered.get(session.roundsSoFar) ?? new Map<string, Grouping>()
  remembered.set(session.roundsSoFar, known)
  const grouping = known.get(key) ?? computeGrouping(session, round)
  known.set(key, grouping)
  return grouping
}

/** Texts aren't votes: nobody asks which of them say the same, unless the asker wants to know. */
const ungrouped: Grouping = {
  camps: [],
  by: 'value',
  contested: false,
  unplaced: [],
  pending: [],
  compatible: [],
  unrelated: [],
}

const computeGrouping = (session: Session, round: Round): Grouping => {
  const earlier = session.roundsSoFar
    .filter(one => one.index < round.index)
    .map(one => ({ round: one, camps: groupingOf(session, one).camps }))
  const { format } = session.question
  if (format === 'open') return openCamps(session, round, earlier)
  if (format === 'text' && session.question.camps === 'intent') return openCamps(session, round, earlier)
  if (format === 'text') return ungrouped
  const isClose = format === 'number' ? closeIn(session, round) : undefined
  const camps = isClose ? numberCamps(session, round, earlier, isClose) : byValue(session, round)
  return { ...ungrouped, camps }
}

const views = new WeakMap<Session, Session>()

/**
 * The session with its labels taken for granted: the first pass is enough, and nothing is left to check. The table may go
 * on by it, but it is never counted by it.
 */
export const asLabelled = (session: Session): Session => {
  const view = views.get(session) ?? { ...session, asLabelled: true }
  views.set(session, view)
  return view
}

/** Every seat of the round is in a camp, though perhaps only by its label. */
export const isLabelled = (session: Session, round: Round): boolean =>
  isGrouped(groupingOf(asLabelled(session), round))

/** The camps are final: nothing about them must still be asked. */
export const isGrouped = (grouping: Grouping): boolean =>
  grouping.unplaced.length === 0 && grouping.pending.length === 0

/** The camp's id for each seat that stands in one. */
export const campIds = (session: Session, round: Round): Map<string, string> =>
  new Map(groupingOf(session, round).camps.flatMap(camp => camp.seats.map(seat => [seat, camp.id])))

export const campOfSeat = (grouping: Grouping, seat: string): Camp | undefined =>
  grouping.camps.find(camp => camp.seats.includes(seat))

// regroupedSeats: Seats whose camp is another one than in the sealed round, though they did not change their mind.

interface Counted {
  readonly camps: readonly Pick<Camp, 'id' | 'seats'>[]
}

interface Compared {
  readonly sealed: Counted | null
  readonly final: Counted | null
  readonly ledger: readonly { readonly seat: string }[]
}

const campOf = (tally: Counted | null, seat: string): string | undefined =>
  tally?.camps.find(({ seats }) => seats.includes(seat))?.id

export const regroupedSeats = ({ sealed, final, ledger }: Compared): string[] =>
  (final?.camps ?? [])
    .flatMap(({ seats }) => seats)
    .filter(seat => {
      const [before, now] = [campOf(sealed, seat), campOf(final, seat)]
      return before !== undefined && before !== now && !ledger.some(flip => flip.seat === seat)
    })
