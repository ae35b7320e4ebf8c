/** A model's line: who came before it in its family, and who comes after it. */
import type { Catalogue, CatalogueModel } from './index.ts'
import { familyOf, lastSegment, makerId, versionOf } from './naming.ts'

export interface PlaceInLine {
  readonly maker: string
  readonly family: string
  /** 0: its name has none. */
  readonly version: number
  readonly released?: string
}

/** A server of one's own may serve a known model under its usual name; any other model is placed by its name. */
const knownAs = (model: string, catalogue: Catalogue): CatalogueModel | undefined =>
  (catalogue.find(model) ?? catalogue.find(lastSegment(model)))?.model

/** `model` is `provider/model`. */
export const placeInLine = (model: string, catalogue: Catalogue): PlaceInLine => {
  const known = knownAs(model, catalogue)
  if (!known) {
    const name = lastSegment(model)
    return { maker: makerId(model.split('/')[0]!), family: familyOf(name), version: versionOf(name) }
  }
  const { maker, family, name, released } = known
  return { maker, family, version: versionOf(name), ...(released !== undefined && { released }) }
}

/** Negative if the first is older. Dates count if both are known; the stored catalogue has none, so versions do. */
export const byAge = (one: PlaceInLine, other: PlaceInLine): number => {
  if (one.released !== undefined && other.released !== undefined && one.released !== other.released)
    return one.released < other.released ? -1 : 1
  return one.version - other.version
}

const isKin = (one: PlaceInLine, other: PlaceInLine): boolean =>
  one.family !== '' && one.maker === other.maker && one.family === other.family

export const isPredecessor = (one: PlaceInLine, of: PlaceInLine): boolean =>
  isKin(one, of) && byAge(one, of) < 0

/** The next model of the same family that isn't about to be retired itself. */
export const successorOf = (model: string, catalogue: Catalogue): CatalogueModel | undefined => {
  const own = placeInLine(model, catalogue)
  return catalogue
    .search('')
    .filter(({ retired, retires }) => !retired && retires === undefined)
    .map(one => ({ one, place: placeInLine(one.id, catalogue) }))
    .filter(({ place }) => isPredecessor(own, place))
    .toSorted((a, b) => byAge(a.place, b.place))[0]?.one
}
