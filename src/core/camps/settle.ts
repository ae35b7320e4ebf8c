/** Puts headlines into camps by the checks that were made, and finds the checks that must still be made. */
import type { Relation } from '../log/event.ts'
import { checkKey, type Round } from '../log/state.ts'
import { normalised } from '../question/answer.ts'
import type { Camp, CampDraft, PendingCheck } from './camp.ts'
import { campNamed, labelIn, type Proposal, positionIn } from './proposals.ts'
import { join, represent, type SharedHeadline } from './shared-headline.ts'

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
  if (normalised(headline) === words) return 'same'
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
