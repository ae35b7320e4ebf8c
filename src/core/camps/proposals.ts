/** What the moderator's two passes propose: a position for every headline, with a label. */
import { isFailure, type Round } from '../log/state.ts'
import { normalised } from '../question/answer.ts'
import type { Camp } from './camp.ts'
import type { SharedHeadline } from './shared-headline.ts'

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
