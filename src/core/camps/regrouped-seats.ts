/** Seats whose camp is another one than in the sealed round, though they did not change their mind. */
import type { Camp } from './camp.ts'

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
