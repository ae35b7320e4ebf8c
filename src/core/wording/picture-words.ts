/** Pictures and excerpts in words, the same on every face. */
import type { Seat } from '../log/event.ts'
import type { Excerpts } from '../question/excerpts.ts'
import { counted, listed, wholeNumber } from './numbers.ts'

/** "640 × 480 pixels". */
export const pixelsText = (width: number, height: number): string => `${width} × ${height} pixels`

/** "2 of 3 seats cannot see the pictures that are attached". Empty if all can. */
export const unseenWords = (seats: readonly Pick<Seat, 'sees'>[]): string => {
  const blind = seats.filter(({ sees }) => sees === false).length
  return blind === 0
    ? ''
    : `${blind} of ${counted(seats.length, 'seat')} cannot see the pictures that are attached`
}

/** Said before anybody is asked: "b and c probably can't see the attached pictures." */
export const unseenNote = (names: readonly string[]): string =>
  `${listed(names)} probably can't see the attached pictures.`

/** "12 of 340 passages". */
export const passagesText = ({ given, of }: { readonly given: number; readonly of: number }): string =>
  `${wholeNumber(given)} of ${counted(of, 'passage')}`

export const excerptWords = ({ given, of }: Excerpts): string =>
  `the seats read excerpts of what is attached: ${passagesText({ given: given.length, of })}`
