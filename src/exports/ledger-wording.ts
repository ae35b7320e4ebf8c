/** In plain words: who moved whom, and what turned out to be right. */
import { pullShare } from '../core/verdict/influence.ts'
import type { SessionDocument } from './document.ts'
import { nameOf, percent } from './wording.ts'

export interface PullText {
  readonly who: string
  /** "2 of 5 (40%)" */
  readonly followed: string
  /** "1 by words that check out" */
  readonly credited: string
}

/** Seats that somebody followed. Where nobody did, there was no influence to speak of. */
export const pullsOf = (document: SessionDocument): PullText[] =>
  document.influence.pull
    .filter(({ adopters }) => adopters > 0)
    .map(({ seat, adopters, exposures, credited }) => ({
      who: nameOf(document, seat),
      followed: `${adopters} of ${exposures} (${percent(pullShare({ adopters, exposures }))})`,
      credited: `${credited}`,
    }))

export const resolvedText = (document: SessionDocument): string | undefined => {
  const { resolved, verdict, seats } = document
  if (!resolved) return undefined
  const camps = verdict.final?.camps.filter(camp => resolved.camps.includes(camp.id)) ?? []
  const right = camps.flatMap(camp => camp.seats).length
  return `Right was: ${resolved.answer} (${right} of ${seats.length} at the end, told ${resolved.at.slice(0, 10)})`
}
