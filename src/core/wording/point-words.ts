/** How a seat reads the question, and what it says of its peers' points, in words. */
import { type Judgement, judgements, type Point } from '../question/answer.ts'

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
