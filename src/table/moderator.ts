/** Who moderates if nobody said so, and who reads an imported transcript. Pure. */
import { UsageError } from '../core/errors.ts'
import type { CatalogueModel } from '../providers/catalogue/index.ts'
import { resolveLineup } from '../providers/catalogue/lineups.ts'
import { findModel, nameOf, type ResolvedModel } from './find-model.ts'
import { isConnected, type Reach } from './reach.ts'

/** A strong model that isn't on the panel, of a maker that isn't either if possible. */
export const moderatorBeside = (panel: readonly string[], reach: Reach): string | undefined => {
  const catalogue = reach.catalogue()
  const sitting = panel.flatMap(name => catalogue.find(name)?.model ?? [])
  const onPanel = (model: CatalogueModel): boolean =>
    catalogue.routes(model).some(route => sitting.some(({ id }) => id === route.model.id))
  const strong = ['frontier', 'open-weights']
    .flatMap(id => resolveLineup(id, catalogue, isConnected(reach), Number.POSITIVE_INFINITY)?.seats ?? [])
    .filter(model => !onPanel(model))
  const neutral = strong.find(model => !sitting.some(({ maker }) => maker === model.maker))
  return (neutral ?? strong[0])?.id
}

/** What is said at a table of local models doesn't leave the machine just because nobody named a moderator. */
export const moderatorFor = (
  wish: string | null | undefined,
  panel: readonly ResolvedModel[],
  reach: Reach,
): string | null => {
  if (wish === null) return null
  if (wish !== undefined) return nameOf(findModel(wish, reach))
  const keyed = reach.connections.filter(({ maker }) => maker.keys.length > 0)
  if (!panel.some(({ provider }) => keyed.some(one => one.provider === provider))) return null
  return moderatorBeside(panel.map(nameOf), reach) ?? null
}

/** Reads a transcript: whoever was named or is configured, or else a strong connected model. */
export const checkerFor = (wish: string | undefined, reach: Reach): string => {
  const connected = reach.connections.length > 0 ? moderatorBeside([], reach) : undefined
  const name = wish ?? reach.usual.moderator ?? connected
  if (name === undefined)
    throw new UsageError(
      'Nobody is there to read the transcript: name a moderator, or set a key.',
      'no-moderator',
    )
  const found = findModel(name, reach)
  if (found.provider.known(found.model).small)
    throw new UsageError(`${nameOf(found)} is too small to read a transcript: name another moderator.`)
  return nameOf(found)
}
