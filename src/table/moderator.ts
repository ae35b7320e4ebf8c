/** Who moderates if nobody said so, and who reads an imported transcript. Pure. */
import { UsageError } from '../core/errors.ts'
import type { CatalogueModel } from '../providers/catalogue/index.ts'
import { resolveLineup } from '../providers/catalogue/lineups.ts'
import { findModel, nameOf, type ResolvedModel } from './find-model.ts'
import { canWrite } from './listed-models.ts'
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

/** Billions of parameters, as names such as `qwen3:8b` say; undefined if the name doesn't. */
const sizeIn = (name: string): number | undefined => {
  const size = /(\d{1,4}(?:\.\d{1,2})?)b\b/i.exec(name.slice(0, 200))?.[1]
  return size === undefined ? undefined : Number(size)
}

/** Smaller models lose count of who said what. */
const smallestModerator = 3

const largestFirst = (names: readonly string[]): string[] =>
  names.toSorted((one, other) => (sizeIn(other) ?? 0) - (sizeIn(one) ?? 0))

/** Another model of the servers that sit on the panel: they get to see the question anyway. */
const besideOwn = (panel: readonly ResolvedModel[], reach: Reach): string | undefined => {
  const sitting = panel.map(nameOf)
  const servers = [...new Set(panel.map(({ provider }) => provider))].filter(({ scripted }) => !scripted)
  const served = servers.flatMap(({ id }) => reach.served(id).map(model => `${id}/${model}`))
  const able = served.filter(
    name =>
      canWrite(name) && !sitting.includes(name) && (sizeIn(name) ?? smallestModerator) >= smallestModerator,
  )
  return largestFirst(able)[0]
}

/** The replies of a scripted seat were written in advance: it can't moderate. */
const onPanel = (panel: readonly ResolvedModel[]): string | undefined => {
  const able = panel.filter(({ provider }) => !provider.scripted)
  const large = able.filter(({ provider, model }) => !provider.known(model).small)
  return largestFirst((large.length > 0 ? large : able).map(nameOf))[0]
}

export interface ChosenModerator {
  readonly moderator: string | null
  /** What a person should know about it before the table is asked. */
  readonly notes: readonly string[]
}

const nobody: ChosenModerator = {
  moderator: null,
  notes: ['Nobody moderates: open answers are not grouped, and code writes the report.'],
}

/** What is said at a table of local models doesn't leave the machine just because nobody named a moderator. */
export const moderatorFor = (
  wish: string | null | undefined,
  panel: readonly ResolvedModel[],
  reach: Reach,
): ChosenModerator => {
  if (wish === null) return nobody
  if (wish !== undefined) return { moderator: nameOf(findModel(wish, reach)), notes: [] }
  const keyed = reach.connections.filter(({ maker }) => maker.keys.length > 0)
  const isKeyed = panel.some(({ provider }) => keyed.some(one => one.provider === provider))
  const beside = (isKeyed ? moderatorBeside(panel.map(nameOf), reach) : undefined) ?? besideOwn(panel, reach)
  if (beside !== undefined) return { moderator: beside, notes: [] }
  const sitting = onPanel(panel)
  if (sitting === undefined) return nobody
  return {
    moderator: sitting,
    notes: [`${sitting} sits at the table and also moderates: no model off the table can be reached.`],
  }
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
