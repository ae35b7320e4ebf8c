/** Camps of open answers: the moderator proposes labels, checks against the camp's exemplar decide. */
import { type Answer, normalised } from './answer.ts'
import { type Camp, type Given, type Grouping, givenIn, type PendingCheck } from './camp.ts'
import { answerBefore, checkKey, type Round, type Session } from './state.ts'

type Labels = Readonly<Record<string, string>>

interface Draft extends Camp {
  readonly seats: string[]
  readonly qualified: string[]
}

const emptied = (camp: Camp): Draft => ({ ...camp, seats: [], qualified: [] })

/** A headline that is a camp's own, or that its seat has not changed, needs nobody's opinion. */
const homeOf = (session: Session, round: Round, camps: readonly Draft[], before: readonly Camp[]) => {
  return ({ seat, answer }: Given): Draft | undefined => {
    const headline = normalised(answer.headline)
    const last = answerBefore(session, round.index, seat)
    const unchanged = last !== undefined && normalised(last.headline) === headline
    const lastCamp = unchanged ? before.findLast(camp => camp.seats.includes(seat)) : undefined
    return camps.find(camp => camp.id === lastCamp?.id || normalised(camp.headline) === headline)
  }
}

const isLabels = (proposal: Round['proposals'][number]): proposal is Labels =>
  proposal !== undefined && !('kind' in proposal && 'message' in proposal)

/** Whether two passes put the same seats together, whatever they call the camps. */
const samePartition = (first: Labels, second: Labels, seats: readonly string[]): boolean => {
  const together = (labels: Labels, one: string, other: string): boolean =>
    normalised(labels[one] ?? one) === normalised(labels[other] ?? other)
  return seats.every(one =>
    seats.every(other => together(first, one, other) === together(second, one, other)),
  )
}

export const openCamps = (session: Session, round: Round, before: readonly Camp[]): Grouping => {
  const camps = before.map(emptied)
  const open = (label: string, { seat, answer }: Given): Draft => {
    const id = `c${camps.length + 1}`
    const camp = {
      id,
      label,
      exemplar: `${seat}@${round.index}`,
      headline: answer.headline,
      seats: [],
      qualified: [],
    }
    camps.push(camp)
    return camp
  }
  const home = homeOf(session, round, camps, before)
  const unplaced = givenIn(session, round).filter(one => {
    const camp = home(one)
    camp?.seats.push(one.seat)
    return camp === undefined
  })
  const finished = (grouping: Partial<Grouping>): Grouping => ({
    camps: camps.filter(camp => camp.seats.length > 0),
    by: 'moderator',
    contested: false,
    unplaced: [],
    pending: [],
    ...grouping,
  })

  const distinct = new Set(unplaced.map(({ answer }) => normalised(answer.headline))).size
  const trivial = distinct === 0 || (distinct === 1 && camps.length === 0)
  const asked = session.moderator !== null && !trivial
  if (asked && !session.stopped && !(round.proposals[0] && round.proposals[1])) {
    return finished({ camps: [], unplaced: unplaced.map(({ seat }) => seat) })
  }
  const [labels, second] = round.proposals.filter(isLabels)
  if (!asked || !labels) {
    for (const one of unplaced) (home(one) ?? open(one.answer.headline, one)).seats.push(one.seat)
    return finished({ by: trivial ? 'moderator' : 'headline' })
  }

  const checks = settle(round, unplaced, labels, camps, open)
  const seats = unplaced.map(({ seat }) => seat)
  const differs = second === undefined || !samePartition(labels, second, seats)
  const cutShort = session.stopped !== undefined && checks.pending.length > 0
  return finished({
    contested: differs || checks.failed || cutShort,
    pending: session.stopped ? [] : checks.pending,
  })
}

/** Seats every labelled answer; those that contradict their camp's exemplar found a camp of their own. */
const settle = (
  round: Round,
  unplaced: readonly Given[],
  labels: Labels,
  camps: readonly Draft[],
  open: (label: string, first: Given) => Draft,
): { pending: PendingCheck[]; failed: boolean } => {
  const pending: PendingCheck[] = []
  let failed = false
  const fill = (camp: Draft, members: readonly Given[]): void => {
    const strangers: Given[] = []
    for (const member of members) {
      const relation = relationTo(camp, member, round)
      if (relation === 'different') {
        strangers.push(member)
        continue
      }
      camp.seats.push(member.seat)
      if (relation === 'same with a caveat') camp.qualified.push(member.seat)
      if (relation === 'unknown') pending.push({ seat: member.seat, exemplar: camp.exemplar })
      if (relation === 'failed') failed = true
    }
    const [first] = strangers
    if (first) fill(open(first.answer.headline, first), strangers)
  }
  const labelOf = ({ seat, answer }: Given): string => labels[seat] ?? answer.headline
  for (const [label, members] of Map.groupBy(unplaced, one => normalised(labelOf(one)))) {
    const first = members[0]!
    fill(camps.find(camp => normalised(camp.label) === label) ?? open(labelOf(first), first), members)
  }
  return { pending, failed }
}

const relationTo = (camp: Camp, { seat, answer }: Given, round: Round) => {
  if (isOwnHeadline(camp, answer)) return 'same'
  const check = round.checks[checkKey(seat, camp.exemplar)]
  if (check === undefined) return 'unknown'
  return typeof check === 'string' ? check : 'failed'
}

const isOwnHeadline = (camp: Camp, answer: Answer): boolean =>
  normalised(answer.headline) === normalised(camp.headline)
