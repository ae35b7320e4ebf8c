/** Models of line-ups that their providers are about to turn off, and who comes after them. */
import { UsageError } from '../core/errors.ts'
import type { SeatInput } from '../core/question/seat-input.ts'
import { successorOf } from '../providers/catalogue/line.ts'
import { modelOf } from './ask-input.ts'
import { findModel, nameOf } from './find-model.ts'
import { usualSeats } from './lineups.ts'
import type { Lineups, Reach } from './reach.ts'

export interface Retiring {
  /** `provider/model`, as it is seated. */
  readonly model: string
  readonly name: string
  /** The day that the provider's own list says: 2026-12-31. */
  readonly retires: string
  /** The next model of the same family, if the catalogue knows one. */
  readonly successor?: { readonly id: string; readonly name: string }
  /** The line-ups that it sits at. */
  readonly lineups: readonly string[]
}

/** Half a year: makers give about as much notice. */
const soon = 183 * 86_400_000

/** What people who name nobody get. */
const defaultTable = 'default'

/** Whoever can't be seated is told elsewhere. */
const seatedAs = (seat: SeatInput, reach: Reach): string | undefined => {
  try {
    return nameOf(findModel(modelOf(seat), reach))
  } catch (error) {
    if (UsageError.isInstance(error)) return undefined
    throw error
  }
}

const ownTables = (saved: Lineups, reach: Reach): Lineups => {
  const seats = reach.usual.seats ?? usualSeats(reach)
  return { ...reach.usual.lineups, ...saved, ...(seats && { [defaultTable]: seats }) }
}

/** Makers say this in their lists of models; the stored catalogue has no dates. */
export const retiringFrom = (saved: Lineups, reach: Reach, now: number): readonly Retiring[] => {
  const tables = new Map<string, Set<string>>()
  for (const [table, seats] of Object.entries(ownTables(saved, reach)))
    for (const seat of seats) {
      const model = seatedAs(seat, reach)
      if (model !== undefined) tables.set(model, (tables.get(model) ?? new Set()).add(table))
    }
  const catalogue = reach.catalogue()
  return [...tables].flatMap(([model, lineups]): Retiring[] => {
    const known = catalogue.find(model)?.model
    if (known?.retires === undefined || Date.parse(known.retires) - now > soon) return []
    const successor = successorOf(model, catalogue)
    return [
      {
        model,
        name: known.name,
        retires: known.retires,
        ...(successor && { successor: { id: successor.id, name: successor.name } }),
        lineups: [...lineups],
      },
    ]
  })
}

/** "Mistral Medium 3.1 is turned off on 2026-12-31, and Mistral Medium 3.5 comes after it" */
export const retiringWords = ({ retires, successor }: Retiring): string =>
  `turned off on ${retires}${successor ? `; ${successor.name} comes after it` : ''}`
