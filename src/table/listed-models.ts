/** What a provider's own list adds to the catalogue. Pure. */
import { z } from 'zod'
import type { Catalogue, CatalogueModel } from '../providers/catalogue/index.ts'
import { familyOf, lastSegment, undated } from '../providers/catalogue/naming.ts'

export const listedModelSchema = z.object({
  id: z.string(),
  /** The day on which its provider turns it off. */
  retires: z.string().max(10).optional(),
  name: z.string().optional(),
  context: z.number().positive().optional(),
  price: z
    .object({
      input: z.number().nonnegative(),
      output: z.number().nonnegative(),
      cachedInput: z.number().nonnegative().optional(),
      cacheWrite: z.number().nonnegative().optional(),
      reasoning: z.number().nonnegative().optional(),
    })
    .optional(),
})
export type ListedModel = z.infer<typeof listedModelSchema>

/** `maker`: in the stored catalogue. `endpoint`: the person's own. `local`: the person's own, on this machine. */
export type ListSource = 'maker' | 'endpoint' | 'local'

/** Makers list everything they sell; a model that doesn't write text can't take a seat. */
const noText =
  /embed|whisper|tts|audio|speech|voice|realtime|transcri|image|dall-e|imagen|veo|sora|video|moderation|guard|rerank|ocr|search-api|live|lyria|aqa/i

/** Whether a model with this name writes text, as far as the name says. */
export const canWrite = (name: string): boolean => !noText.test(name.slice(0, 200))

const ownModel = (
  provider: string,
  listed: ListedModel,
  local: boolean,
  known: Catalogue,
): CatalogueModel => {
  const { id, name = lastSegment(id), context, price, retires } = listed
  const family = familyOf(name)
  const kin = local ? known.models.find(model => model.family === family) : undefined
  return {
    id: `${provider}/${id}`,
    provider,
    model: id,
    name,
    maker: kin?.maker ?? provider,
    family,
    abilities: {},
    ...(context && { context }),
    ...(price && { price }),
    ...(retires !== undefined && { retires }),
    ...(local && { local }),
  }
}

/** A model that the maker still lists isn't retired, whatever the stored catalogue says. */
const makersModel = (provider: string, { id, retires }: ListedModel, known: Catalogue): CatalogueModel[] => {
  const leaving = retires === undefined ? {} : { retires }
  const found = (known.find(`${provider}/${id}`) ?? known.find(`${provider}/${undated(id)}`))?.model
  if (found?.provider === provider)
    return found.model === id && (found.retired || retires !== undefined)
      ? [{ ...found, ...(found.retired && { retired: false }), ...leaving }]
      : []
  if (!canWrite(id)) return []
  const path = id.split('/')
  const maker = path.length > 1 ? path[0]! : provider
  const name = lastSegment(id)
  return [
    {
      id: `${provider}/${id}`,
      provider,
      model: id,
      name,
      maker,
      family: familyOf(name),
      abilities: {},
      ...leaving,
    },
  ]
}

export const modelsFrom = (
  provider: string,
  source: ListSource,
  listed: readonly ListedModel[],
  known: Catalogue,
): CatalogueModel[] =>
  listed.flatMap(one =>
    source === 'maker'
      ? makersModel(provider, one, known)
      : [ownModel(provider, one, source === 'local', known)],
  )
