/** Who sits at the table and who moderates, where nobody said so. Pure: what can be reached is handed in. */
import { UsageError } from '../core/errors.ts'
import type { Catalogue, CatalogueModel } from '../providers/catalogue/index.ts'
import { lineups, resolveLineup } from '../providers/catalogue/lineups.ts'

export interface Chosen {
  readonly seats: readonly string[]
  /** Seats that stayed empty, and what would fill them. */
  readonly notes: readonly string[]
}

const usualSize = 6

type Connected = (provider: string) => boolean

export const lineupIds: readonly string[] = lineups.map(({ id }) => id)

/** `needs`: the variable that would connect a provider. */
export const lineupNamed = (
  id: string,
  catalogue: Catalogue,
  connected: Connected,
  needs: (provider: string) => string,
): Chosen => {
  const found = resolveLineup(id, catalogue, connected, usualSize, needs)
  if (!found) throw new UsageError(`There is no line-up "${id}"; there are ${lineupIds.join(', ')}.`)
  if (found.seats.length === 0)
    throw new UsageError(`The line-up ${id} has nobody to seat. ${found.missing.join('. ')}.`)
  const notes = found.missing.map(words => `An empty seat: ${words}.`)
  return { seats: found.seats.map(seat => seat.id), notes }
}

/** The strongest of each maker, or else what is served on this machine. */
export const usualTable = (catalogue: Catalogue, connected: Connected): Chosen | undefined => {
  for (const id of ['frontier', 'local']) {
    const seats = resolveLineup(id, catalogue, connected, usualSize)?.seats ?? []
    if (seats.length > 0) return { seats: seats.map(seat => seat.id), notes: [] }
  }
  return undefined
}

/** A strong model that is not on the panel, of a maker that is not either if there is one. */
export const moderatorFor = (
  panel: readonly string[],
  catalogue: Catalogue,
  connected: Connected,
): string | undefined => {
  const sitting = panel.flatMap(name => catalogue.find(name)?.model ?? [])
  const onPanel = (model: CatalogueModel): boolean =>
    catalogue.routes(model).some(route => sitting.some(({ id }) => id === route.model.id))
  const strong = ['frontier', 'open-weights']
    .flatMap(id => resolveLineup(id, catalogue, connected, Number.POSITIVE_INFINITY)?.seats ?? [])
    .filter(model => !onPanel(model))
  const neutral = strong.find(model => !sitting.some(({ maker }) => maker === model.maker))
  return (neutral ?? strong[0])?.id
}
