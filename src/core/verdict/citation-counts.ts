/** How many passages each seat cited, and how many of them stand. What stands in a picture nobody can look up: it isn't counted. */
import { givenIn } from '../camps/camp.ts'
import type { Session } from '../log/state.ts'
import { isInPicture } from '../question/citation.ts'

export interface CitationCount {
  readonly seat: string
  readonly cited: number
  /** Their words are in the exhibit. */
  readonly standing: number
}

/** Over all rounds. A seat that cited nothing has no entry. */
export const citationCountsOf = (session: Session): CitationCount[] => {
  const all = session.roundsSoFar.flatMap(round => givenIn(session, round))
  return session.seats.flatMap(({ id }) => {
    const citations = all
      .filter(({ seat }) => seat === id)
      .flatMap(({ answer }) => answer.citations?.filter(one => !isInPicture(one)) ?? [])
    const standing = citations.filter(({ verified }) => verified).length
    return citations.length > 0 ? [{ seat: id, cited: citations.length, standing }] : []
  })
}
