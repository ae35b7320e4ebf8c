/** Camps of open answers: the moderator proposes labels, and checks against each camp's exemplar decide. */

import { answerIn, checkKey, isFailure, type Round, type Session } from '../log/state.ts'
import { type Answer, normalised } from '../question/answer.ts'
import { type Camp, type CampDraft, emptied, filled, type Grouped, type Grouping, givenIn } from './camp.ts'
import { hasSameWording } from './same-wording.ts'

type Labels = Readonly<Record<string, string>>

/** One headline of the round with every seat that gave it. Equal words are always one. */
interface SharedHeadline {
  readonly words: string
  readonly answer: Answer
  readonly seats: readonly [string, ...string[]]
}

const sharedHeadlines = (session: Session, round: Round): SharedHeadline[] => {
  const given = givenIn(session, round)
  const byWords = Map.groupBy(given, ({ answer }) => normalised(answer.headline))
  return [...byWords].map(([words, [first, ...rest]]) => {
    return { words, answer: first!.answer, seats: [first!.seat, ...rest.map(({ seat }) => seat)] }
  })
}

/** The camp of each headline of earlier rounds. Words that have a camp already needn't be judged again. */
const campsByWords = (earlier: readonly Grouped[]): Map<string, { id: string; qualified: boolean }> => {
  const known = new Map<string, { id: string; qualified: boolean }>()
  for (const { round, camps } of earlier) {
    for (const { id, seats, qualified } of camps) {
      for (const seat of seats) {
        const words = normalised(answerIn(round, seat)?.headline ?? '')
        if (!known.has(words)) known.set(words, { id, qualified: qualified.includes(seat) })
      }
    }
  }
  return known
}

const join = (camp: CampDraft, entry: SharedHeadline, qualified: boolean): void => {
  camp.seats.push(...entry.seats)
  if (qualified) camp.qualified.push(...entry.seats)
}

const isLabels = (proposal: Round['proposals'][number]): proposal is Labels =>
  proposal !== undefined && !isFailure(proposal)

/** A pass is over when it failed or every headline has a label. A large table is labelled in batches. */
const isOver = (proposal: Round['proposals'][number], entries: readonly SharedHeadline[]): boolean =>
  proposal !== undefined &&
  (!isLabels(proposal) || entries.every(({ seats }) => seats.some(seat => proposal[seat] !== undefined)))

const labelIn = (labels: Labels, { seats, answer }: SharedHeadline): string =>
  seats.map(seat => labels[seat]).find(label => label !== undefined) ?? answer.headline

/** Whether two passes put the same headlines together and into the same known camps, whatever they call new ones. */
const samePartition = (
  first: Labels,
  second: Labels,
  entries: readonly SharedHeadline[],
  known: readonly Camp[],
): boolean => {
  const names = [first, second].map(labels => entries.map(entry => normalised(labelIn(labels, entry))))
  const camps = known.map(camp => normalised(camp.label))
  const shape = (labels: readonly string[]): string =>
    labels.map(label => `${camps.indexOf(label)}/${labels.indexOf(label)}`).join(' ')
  return shape(names[0]!) === shape(names[1]!)
}

export const openCamps = (session: Session, round: Round, earlier: readonly Grouped[]): Grouping => {
  const camps = emptied(earlier)
  const known = [...camps]
  const found = (label: string, { seats, answer }: SharedHeadline): CampDraft => {
    const exemplar = `${seats[0]}@${round.index}`
    const { headline } = answer
    const camp: CampDraft = {
      id: `c${camps.length + 1}`,
      label,
      exemplar,
      headline,
      seats: [],
      qualified: [],
    }
    camps.push(camp)
    return camp
  }
  const byWords = campsByWords(earlier)
  const unplaced = sharedHeadlines(session, round).filter(entry => {
    const earlierCamp = byWords.get(entry.words)
    const home = camps.find(camp => camp.id === earlierCamp?.id)
    if (home) join(home, entry, earlierCamp?.qualified ?? false)
    return !home
  })
  const finished = (grouping: Partial<Grouping>): Grouping => ({
    camps: filled(session, camps),
    by: 'moderator',
    contested: false,
    unplaced: [],
    pending: [],
    ...grouping,
  })

  const trivial = unplaced.length === 0 || (unplaced.length === 1 && camps.length === 0)
  const asked = session.moderator !== null && !trivial
  if (asked && session.smallModerator) {
    const sameWordingIn = ({ words }: SharedHeadline): CampDraft | undefined => {
      const earlierCamp = [...byWords].find(([before]) => hasSameWording(before, words))?.[1]
      return (
        camps.find(camp => camp.id === earlierCamp?.id) ??
        camps.find(camp => hasSameWording(camp.headline, words))
      )
    }
    const { pending, failed } = settleByChecks(round, unplaced, camps, found, sameWordingIn)
    const cutShort = session.stopped !== undefined && pending.length > 0
    return finished({ weak: true, contested: failed || cutShort, pending: session.stopped ? [] : pending })
  }
  if (asked && !session.stopped && ![0, 1].every(pass => isOver(round.proposals[pass], unplaced))) {
    return finished({ camps: [], unplaced: unplaced.map(({ seats }) => seats[0]) })
  }
  const [labels, second] = round.proposals.filter(isLabels)
  if (!asked || !labels) {
    for (const entry of unplaced) join(found(entry.answer.headline, entry), entry, false)
    return finished({ by: trivial ? 'moderator' : 'headline' })
  }

  const checks = settle(round, unplaced, labels, camps, found)
  const differs = second === undefined || !samePartition(labels, second, unplaced, known)
  const cutShort = session.stopped !== undefined && checks.pending.length > 0
  return finished({
    contested: differs || checks.failed || cutShort,
    pending: session.stopped ? [] : checks.pending,
  })
}

/**
 * With more headlines than this, a headline is compared with two camps at most, and by a small moderator with the
 * first eight. Otherwise there would be a call for every pair of headlines that left a camp.
 */
const manyHeadlines = 25
const mostCompared = 8

/** Puts every labelled headline into its camp. Those that contradict the camp's exemplar start a new one. */
const settle = (
  round: Round,
  unplaced: readonly SharedHeadline[],
  labels: Labels,
  camps: readonly CampDraft[],
  found: (label: string, first: SharedHeadline) => CampDraft,
): { pending: Grouping['pending']; failed: boolean } => {
  const pending: { seat: string; exemplar: string }[] = []
  let failed = false
  const fill = (camp: CampDraft, entries: readonly SharedHeadline[], splits: number): void => {
    const strangers: SharedHeadline[] = []
    for (const entry of entries) {
      const relation = relationTo(camp, entry, round)
      if (relation === 'different') {
        strangers.push(entry)
        continue
      }
      join(camp, entry, relation === 'same with a caveat')
      if (relation === 'unknown') pending.push({ seat: entry.seats[0], exemplar: camp.exemplar })
      if (relation === 'failed') failed = true
    }
    const [first, ...others] = strangers
    if (first && splits > 0) fill(found(first.answer.headline, first), strangers, splits - 1)
    else if (first) for (const one of [first, ...others]) join(found(one.answer.headline, one), one, false)
  }
  const splits = unplaced.length > manyHeadlines ? 1 : Infinity
  for (const [label, entries] of Map.groupBy(unplaced, entry => normalised(labelIn(labels, entry)))) {
    const first = entries[0]!
    fill(
      camps.find(camp => normalised(camp.label) === label) ?? found(labelIn(labels, first), first),
      entries,
      splits,
    )
  }
  return { pending, failed }
}

/**
 * A moderator too small to label all headlines compares each with one camp after the other. It makes one check at a
 * time, because the next headline may need a new camp or not. Headlines with the same wording need no check.
 */
const settleByChecks = (
  round: Round,
  unplaced: readonly SharedHeadline[],
  camps: readonly CampDraft[],
  found: (label: string, first: SharedHeadline) => CampDraft,
  sameWordingIn: (entry: SharedHeadline) => CampDraft | undefined,
): { pending: Grouping['pending']; failed: boolean } => {
  const pending: { seat: string; exemplar: string }[] = []
  let failed = false
  const compared = unplaced.length > manyHeadlines ? mostCompared : Infinity
  const sameIn = (entry: SharedHeadline): CampDraft | undefined =>
    camps.slice(0, compared).find(camp => {
      const relation = pending.length > 0 ? 'different' : relationTo(camp, entry, round)
      if (relation === 'unknown') pending.push({ seat: entry.seats[0], exemplar: camp.exemplar })
      if (relation === 'failed') failed = true
      return relation === 'same' || relation === 'same with a caveat'
    })
  for (const entry of unplaced)
    join(sameWordingIn(entry) ?? sameIn(entry) ?? found(entry.answer.headline, entry), entry, false)
  return { pending, failed }
}

const relationTo = (camp: Camp, { words, seats }: SharedHeadline, round: Round) => {
  if (normalised(camp.headline) === words) return 'same'
  const check = seats
    .map(seat => round.checks[checkKey(seat, camp.exemplar)])
    .find(relation => relation !== undefined)
  if (check === undefined) return 'unknown'
  return typeof check === 'string' ? check : 'failed'
}
