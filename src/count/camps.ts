/** What a camp is, and which answers it is made of. */
import { lastPlace } from '../core/basics.ts'
import type { Relation } from '../core/event.ts'
import { type Answer, headlineKey, normalised } from '../core/question.ts'
import { numbersText, numberText } from '../core/reply.ts'
import { median } from '../core/rules.ts'
import { answerIn, checkKey, isFailure, type Round, roundAt, type Session } from '../core/session.ts'

export interface Camp {
  readonly id: string
  readonly label: string
  /** The answer that represents the camp, as `seat@round`, and its headline. */
  readonly exemplar: string
  readonly headline: string
  readonly seats: readonly string[]
  /** Members that agree with a caveat. */
  readonly qualified: readonly string[]
}

export type CampPair = readonly [string, string]

export interface PendingCheck {
  readonly seat: string
  readonly exemplar: string
}

export interface Grouping {
  readonly camps: readonly Camp[]
  readonly by: 'value' | 'moderator' | 'headline'
  /** The two passes differ, a membership couldn't be checked, or two camps were found to say the same. */
  readonly contested: boolean
  /** The moderator that decided who agrees is too small to be relied on. */
  readonly weak?: boolean
  /** Seats that the moderator must still label. */
  readonly unplaced: readonly string[]
  /** Memberships that must still be checked. */
  readonly pending: readonly PendingCheck[]
  /** Pairs of camps, by id, of which neither denies the other. */
  readonly compatible: readonly CampPair[]
  /** Other pairs that are worth asking about: exemplars of two camps, a seat's own headlines if its camp changed. */
  readonly unrelated: readonly PendingCheck[]
}

/** An answer with the seat that gave it. */
export interface Given {
  readonly seat: string
  readonly answer: Answer
}

export const givenIn = (session: Session, round: Round): Given[] =>
  session.seats.flatMap(seat => {
    const answer = answerIn(round, seat.id)
    return answer ? [{ seat: seat.id, answer }] : []
  })

/** An answer of an earlier round that still counts. */
export interface Kept extends Given {
  /** The index of the round in which it was given. */
  readonly round: number
}

/**
 * The answers of earlier rounds that still count after a round (decision 68): a seat that fell silent, or hasn't handed in
 * yet, keeps its last one. Otherwise a time-out would take a vote away and could make a tie. An abstention replaces the
 * answer before it, and a model that took over a seat isn't held to what another one said.
 */
export const keptIn = (session: Session, round: Round): Kept[] => {
  if (session.imported) return []
  return session.seats.flatMap(({ id }) => {
    const own = round.handedIn[id]
    if (own && own.status !== 'silent') return []
    const before = session.roundsSoFar.filter(({ index }) => index < round.index)
    const last = before.findLast(({ handedIn }) => handedIn[id] && handedIn[id].status !== 'silent')
    const answer = last?.handedIn[id]?.by ? undefined : answerIn(last, id)
    return last && answer ? [{ seat: id, answer, round: last.index }] : []
  })
}

/** Each seat's newest answer: those of a round, and those that are kept from earlier ones. Whatever is counted goes by these. */
export const newestIn = (session: Session, round: Round): Given[] => {
  const all = new Map([...keptIn(session, round), ...givenIn(session, round)].map(one => [one.seat, one]))
  return session.seats.flatMap(({ id }) => all.get(id) ?? [])
}

/** The answer that is counted for a seat after a round. */
export const newestOf = (session: Session, round: Round | undefined, seat: string): Answer | undefined =>
  answerIn(round, seat) ?? (round && keptIn(session, round).find(kept => kept.seat === seat)?.answer)

/** The answer that a camp's `exemplar` refers to. */
export const answerAt = (session: Session, exemplar: string): Answer | undefined => {
  const split = exemplar.lastIndexOf('@')
  return answerIn(roundAt(session, Number(exemplar.slice(split + 1))), exemplar.slice(0, split))
}

/** An earlier round with its camps. */
export interface Grouped {
  readonly round: Round
  readonly camps: readonly Camp[]
}

/** A camp while it is being filled. */
export interface CampDraft extends Camp {
  label: string
  exemplar: string
  headline: string
  readonly seats: string[]
  readonly qualified: string[]
}

/** A camp that an answer founds. */
export const foundedBy = ({ seat, answer }: Given, round: Round, id: string): CampDraft => ({
  id,
  label: id,
  exemplar: `${seat}@${round.index}`,
  headline: answer.headline,
  seats: [seat],
  qualified: [],
})

/** The camps of earlier rounds, emptied, as of the last round that has them. A camp keeps its id for the whole session. */
export const emptied = (earlier: readonly Grouped[]): CampDraft[] => {
  const known = new Map(earlier.flatMap(({ camps }) => camps).map(camp => [camp.id, camp]))
  return [...known.values()].map(camp => ({ ...camp, seats: [], qualified: [] }))
}

/** The camps that have members, with their members in the order of the table. */
export const filled = (session: Session, camps: readonly Camp[]): Camp[] => {
  const inOrder = (seats: readonly string[]): string[] =>
    session.seats.map(seat => seat.id).filter(id => seats.includes(id))
  return camps
    .filter(camp => camp.seats.length > 0)
    .map(camp => ({ ...camp, seats: inOrder(camp.seats), qualified: inOrder(camp.qualified) }))
}

// campRelations: Which camps of a round are compatible: neither denies the other, and yet they aren't the same answer.

/** So many camps, the largest, are compared with each other: fifteen pairs. */
const mostRelated = 6

type Checked = Round['checks'][string] | undefined

/** The seats that say this round what stands for the camp. */
const speakersOf = (round: Round, { seats, headline }: Camp): string[] =>
  seats.filter(seat => keyIn(round, answerIn(round, seat)?.headline) === keyIn(round, headline))

/** What a check found between two camps, now or when these headlines were first compared. */
const checkedIn = (session: Session, round: Round, one: Camp, other: Camp): Checked => {
  const found = (by: Camp, exemplar: string): Checked => {
    const split = by.exemplar.lastIndexOf('@')
    const first = roundAt(session, Number(by.exemplar.slice(split + 1)))
    return (
      first?.checks[checkKey(by.exemplar.slice(0, split), exemplar)] ??
      speakersOf(round, by)
        .map(seat => round.checks[checkKey(seat, exemplar)])
        .find(check => check !== undefined)
    )
  }
  return found(other, one.exemplar) ?? found(one, other.exemplar)
}

const isSame = (relation: Relation): boolean => relation === 'same' || relation === 'same with a caveat'

/** What is known about the camps of a round, and which pairs must still be compared. */
export const campRelations = (
  session: Session,
  round: Round,
  camps: readonly Camp[],
): Pick<Grouping, 'compatible' | 'unrelated'> & { readonly overlap: boolean } => {
  const largest = camps.toSorted((one, other) => other.seats.length - one.seats.length).slice(0, mostRelated)
  const compatible: [string, string][] = []
  const unrelated: PendingCheck[] = []
  let overlap = false
  for (const [at, one] of largest.entries()) {
    for (const other of largest.slice(at + 1)) {
      const check = checkedIn(session, round, one, other)
      const [seat] = speakersOf(round, other)
      if (check === undefined && seat !== undefined) unrelated.push({ seat, exemplar: one.exemplar })
      if (check === 'compatible') compatible.push([one.id, other.id])
      if (typeof check === 'string' && isSame(check)) overlap = true
    }
  }
  return { compatible, unrelated, overlap }
}

// tolerance: How far apart two numbers may be and still be no disagreement.

export type Tolerance =
  /** On a log scale: the larger number divided by the smaller one. */
  | { readonly by: 'factor'; readonly factor: number }
  /** A part of the larger number, as the asker gave it. */
  | { readonly by: 'share'; readonly share: number }
  /** In the unit. `given`: by the asker; otherwise numbers that differ only by rounding count as the same, too. */
  | { readonly by: 'amount'; readonly amount: number; readonly given: boolean }

/** Half an order of magnitude. */
const halfOrder = Math.sqrt(10)

/** From this version of the prompts on, numbers are grouped by a tolerance. Older rounds keep their camps. */
const firstVersion = 2

/** How far a number may be from the one that was rounded to it. */
const roundingOf = (value: number): number => lastPlace(value) / 2

/** Differences of decimal fractions are a little too large or too small. */
const reaches = (limit: number, distance: number): boolean => distance <= limit * (1 + 1e-9)

/** It depends on the two numbers alone, so nobody's camp changes because a neighbour moved. */
export const isWithin = (tolerance: Tolerance, one: number, other: number): boolean => {
  if (one === other) return true
  const distance = Math.abs(one - other)
  switch (tolerance.by) {
    case 'factor':
      return one > 0 && other > 0 && reaches(tolerance.factor, Math.max(one, other) / Math.min(one, other))
    case 'share':
      return reaches(tolerance.share * Math.max(Math.abs(one), Math.abs(other)), distance)
    case 'amount': {
      const { amount, given } = tolerance
      return reaches(given ? amount : Math.max(amount, roundingOf(one), roundingOf(other)), distance)
    }
    default:
      return tolerance satisfies never
  }
}

/**
 * Half of the range that the seats would still believe: the median over the first answers, so that it stays the same
 * for the whole session. Zero if fewer than half of the seats give a range.
 */
const believedIn = (session: Session): number => {
  const first =
    session.roundsSoFar.map(round => givenIn(session, round)).find(given => given.length > 0) ?? []
  const halves = first.flatMap(({ answer: { low, high } }) =>
    low === undefined || high === undefined ? [] : [(high - low) / 2],
  )
  return halves.length * 2 < first.length ? 0 : (median(halves) ?? 0)
}

/** Undefined if the question isn't a number, or the round was asked before numbers had a tolerance. */
export const toleranceIn = (session: Session, round: Round): Tolerance | undefined => {
  const { format, scale, tolerance } = session.question
  if (format !== 'number' || (round.prompts ?? 1) < firstVersion) return undefined
  if (typeof tolerance === 'number') return { by: 'amount', amount: tolerance, given: true }
  if (tolerance !== undefined) return { by: 'share', share: Number.parseFloat(tolerance) / 100 }
  if (scale === 'log') return { by: 'factor', factor: halfOrder }
  return { by: 'amount', amount: believedIn(session), given: false }
}

// numberCamps: Camps of numbers: those that are close enough to the number that founded the camp.

/** The rule of older rounds on a log scale: within a tenth of a camp's first value. */
const sameMagnitude = (first: number, second: number): boolean =>
  first > 0 && second > 0 && Math.max(first, second) / Math.min(first, second) <= 1.1 + 1e-9

/** Whether two numbers would be in one camp in a round. Undefined: only if they are equal. */
export const closeIn = (
  session: Session,
  round: Round,
): ((one: number, other: number) => boolean) | undefined => {
  const tolerance = toleranceIn(session, round)
  if (tolerance) return (one, other) => isWithin(tolerance, one, other)
  return session.question.scale === 'log' ? sameMagnitude : undefined
}

/** "80 to 100 km": a camp is called by the numbers that are in it now. */
export const labelled = (session: Session, round: Round, camp: Camp): Camp => {
  const given = newestIn(session, round).filter(({ seat }) => camp.seats.includes(seat))
  const values = given.flatMap(({ answer }) => answer.number ?? [])
  return { ...camp, label: numbersText(Math.min(...values), Math.max(...values), session.question.unit) }
}

/**
 * The camps of earlier rounds come first, and new camps start from the smallest number: no seat changes camps because
 * a neighbour moved or because seats are listed in another order.
 */
export const numberCamps = (
  session: Session,
  round: Round,
  earlier: readonly Grouped[],
  isClose: (one: number, other: number) => boolean,
): Camp[] => {
  const given = givenIn(session, round).sort(
    (one, other) => (one.answer.number ?? 0) - (other.answer.number ?? 0),
  )
  const camps: CampDraft[] = emptied(earlier)
  const founded = new Map(camps.map(camp => [camp, answerAt(session, camp.exemplar)?.number ?? 0]))
  for (const one of given) {
    const value = one.answer.number ?? 0
    const id = numberText(value, session.question.unit)
    const home = camps.find(camp => camp.id === id || isClose(founded.get(camp) ?? 0, value))
    if (home) home.seats.push(one.seat)
    else {
      const camp = foundedBy(one, round, id)
      camps.push(camp)
      founded.set(camp, value)
    }
  }
  const all = filled(session, camps)
  return toleranceIn(session, round) ? all.map(camp => labelled(session, round, camp)) : all
}

/** From this version of the prompts on, headlines with other signs aren't equal. Older rounds keep their camps. */
const firstExact = 5

/** Equal for headlines that need no comparison in a round. */
export const keyIn = ({ prompts = 1 }: Pick<Round, 'prompts'>, headline = ''): string =>
  isExact({ prompts }) ? headlineKey(headline) : normalised(headline)

export const isExact = ({ prompts = 1 }: Pick<Round, 'prompts'>): boolean => prompts >= firstExact

// sharedHeadline: One headline of a round with every seat that gave it. Equal words are always one.

export interface SharedHeadline {
  readonly words: string
  readonly answer: Answer
  readonly seats: readonly [string, ...string[]]
}

export const sharedHeadlines = (session: Session, round: Round): SharedHeadline[] => {
  const given = givenIn(session, round)
  const byWords = Map.groupBy(given, ({ answer }) => keyIn(round, answer.headline))
  return [...byWords].map(([words, [first, ...rest]]) => {
    return { words, answer: first!.answer, seats: [first!.seat, ...rest.map(({ seat }) => seat)] }
  })
}

export const join = (camp: CampDraft, entry: SharedHeadline, qualified: boolean): void => {
  camp.seats.push(...entry.seats)
  if (qualified) camp.qualified.push(...entry.seats)
}

/** From now on this headline stands for the camp. */
export const represent = (camp: CampDraft, { answer, seats }: SharedHeadline, round: Round): void => {
  camp.exemplar = `${seats[0]}@${round.index}`
  camp.headline = answer.headline
}

// proposals: What the moderator's two passes propose: a position for every headline, with a label.

export interface Proposal {
  readonly labels: Readonly<Record<string, string>>
  /** Absent in old logs: there, equal labels are one position. */
  readonly positions?: Readonly<Record<string, string>>
}

/** The passes that came to something, the first one first. */
export const proposalsIn = ({ proposals, positions }: Round): Proposal[] =>
  proposals.flatMap((labels, pass) => {
    if (labels === undefined || isFailure(labels)) return []
    const ids = positions?.[pass]
    return [{ labels, ...(ids && { positions: ids }) }]
  })

export const hasFailed = (proposal: Round['proposals'][number]): boolean =>
  proposal !== undefined && isFailure(proposal)

/** A pass is over when it failed or every headline has a label. A large table is labelled in batches. */
export const isOver = (proposal: Round['proposals'][number], entries: readonly SharedHeadline[]): boolean =>
  proposal !== undefined &&
  (isFailure(proposal) || entries.every(({ seats }) => seats.some(seat => proposal[seat] !== undefined)))

const saidOf = (
  words: Readonly<Record<string, string>> | undefined,
  { seats }: SharedHeadline,
): string | undefined => seats.map(seat => words?.[seat]).find(one => one !== undefined)

export const labelIn = ({ labels }: Proposal, entry: SharedHeadline): string =>
  saidOf(labels, entry) ?? entry.answer.headline

/** Equal for the headlines that a pass puts together, whatever it calls them. */
export const positionIn = (proposal: Proposal, entry: SharedHeadline): string =>
  normalised(saidOf(proposal.positions, entry) ?? labelIn(proposal, entry))

/** The camp of an earlier round that a pass names for a headline: by its id, or in old logs by its label. */
export const campNamed = <Known extends Camp>(
  proposal: Proposal,
  entry: SharedHeadline,
  camps: readonly Known[],
): Known | undefined => {
  const id = saidOf(proposal.positions, entry)
  if (id !== undefined) return camps.find(camp => camp.id === id)
  const label = normalised(labelIn(proposal, entry))
  return camps.find(camp => normalised(camp.label) === label)
}

/** Whether two passes put the same headlines together and into the same known camps, whatever they call new ones. */
export const samePartition = (
  passes: readonly [Proposal, Proposal],
  entries: readonly SharedHeadline[],
  known: readonly Camp[],
): boolean => {
  const [one, other] = passes.map(proposal => {
    const ids = entries.map(entry => positionIn(proposal, entry))
    return entries
      .map((entry, at) => `${campNamed(proposal, entry, known)?.id ?? ''}/${ids.indexOf(ids[at]!)}`)
      .join(' ')
  })
  return one === other
}
