/**
 * The models that providers list themselves. Providers are asked in parallel and with a time-out, their lists are
 * kept in a file for a day, and no failure here keeps anybody from asking a model.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { ModelError } from '../core/errors.ts'
import { type Catalogue, type CatalogueModel, catalogue as stored } from '../providers/catalogue/index.ts'
import type { Provider } from '../providers/provider.ts'
import { type ListedModel, type ListSource, listedModelSchema, modelsFrom } from './listed-models.ts'

const listSchema = z.object({
  /** Milliseconds since 1970, of the last try. */
  at: z.number(),
  models: z.array(listedModelSchema),
})
const fileSchema = z.record(z.string(), listSchema)
type Lists = z.infer<typeof fileSchema>

export interface ListProblem {
  readonly provider: string
  readonly error: ModelError
}

export interface ModelLists {
  /** The stored catalogue, and what the lists add to it. */
  catalogue(): Catalogue
  /** What a provider listed last, by its own ids. Doesn't read the catalogue. */
  listedBy(provider: string): readonly string[]
  /** Providers whose list is older than a day, or that were never asked. */
  stale(providers: readonly Provider[]): readonly Provider[]
  /**
   * Never rejects. A provider that doesn't answer in time keeps its old list for another day. If the signal ends the
   * wait, the provider is asked again next time.
   */
  refresh(
    providers: readonly Provider[],
    milliseconds: number,
    signal?: AbortSignal,
  ): Promise<readonly ListProblem[]>
}

const day = 86_400_000

/** A damaged file counts as no list. */
const read = (path: string): Lists => {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return {}
  }
}

/** Two processes may write at once: each replaces the whole file, so nobody reads half of one. */
const write = (path: string, lists: Lists): void => {
  const draft = `${path}.${process.pid}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(draft, JSON.stringify(lists), { mode: 0o600 })
    renameSync(draft, path)
  } catch {
    // Without a file, the lists are asked for again next time.
  }
}

/** Asks once. The catalogue knows more about a maker's models than the maker's list does. */
export const askForModels = async (
  provider: Provider,
  source: ListSource | undefined,
  signal: AbortSignal,
): Promise<readonly ListedModel[] | { readonly error: ModelError }> => {
  const listed = await provider.list(signal)
  if ('error' in listed) return listed
  const leaving = (id: string) =>
    listed.retires && Object.hasOwn(listed.retires, id) ? { retires: listed.retires[id]! } : {}
  if (source === 'maker') return listed.models.map(id => ({ id, ...leaving(id) }))
  return Promise.all(
    listed.models.map(async id => {
      const { name, context, price } = await provider.facts(id, signal)
      return {
        id,
        ...leaving(id),
        ...(name && { name }),
        ...(context && { context }),
        ...(price && { price }),
      }
    }),
  )
}

/** `sourceOf` is undefined for providers that are no longer configured and whose models nobody else has. */
export const modelLists = (
  path: string,
  clock: () => number,
  sourceOf: (provider: string) => ListSource | undefined,
): ModelLists => {
  let lists: Lists | undefined
  let merged: Catalogue | undefined
  const current = (): Lists => {
    lists ??= read(path)
    return lists
  }
  const listed = (): CatalogueModel[] =>
    Object.entries(current()).flatMap(([provider, { models }]) => {
      const source = sourceOf(provider)
      return source ? modelsFrom(provider, source, models, stored()) : []
    })
  return {
    catalogue() {
      const more = merged ? [] : listed()
      merged ??= more.length > 0 ? stored().with(more) : stored()
      return merged
    },
    listedBy: provider =>
      Object.hasOwn(current(), provider) ? current()[provider]!.models.map(({ id }) => id) : [],
    stale: providers =>
      providers.filter(({ id }) => Math.abs(clock() - (current()[id]?.at ?? Number.NEGATIVE_INFINITY)) > day),
    async refresh(providers, milliseconds, signal) {
      const timeout = AbortSignal.timeout(milliseconds)
      const either = signal ? AbortSignal.any([signal, timeout]) : timeout
      const problems: ListProblem[] = []
      const fresh: Lists = {}
      const one = async (provider: Provider): Promise<void> => {
        const { id } = provider
        const answer = await askForModels(provider, sourceOf(id), either)
        if (!('error' in answer)) fresh[id] = { at: clock(), models: [...answer] }
        else if (!signal?.aborted) {
          problems.push({ provider: id, error: answer.error })
          fresh[id] = { at: clock(), models: current()[id]?.models ?? [] }
        }
      }
      await Promise.all(providers.map(one))
      if (Object.keys(fresh).length === 0) return problems
      lists = { ...read(path), ...fresh }
      merged = undefined
      write(path, lists)
      return problems
    },
  }
}
