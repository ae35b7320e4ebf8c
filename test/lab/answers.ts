/** The lab's default handler: a sensible reply to any request, always the same for the same model. */
import { hash } from '../../src/core/basics.ts'
import { type ChatBody, objectsIn, type RecordedCall, schemaOf } from './call.ts'
import type { LabReply } from './reply.ts'

type Schema = Readonly<Record<string, unknown>>

const stances = [
  'Yes, a small team should start first and grow later.',
  'No, a small team should wait until the need is proven.',
]

const filler =
  'A small start keeps mistakes cheap, and what is learnt early shapes everything that comes after it. '

/** One of several choices, always the same for a model; the first ones more often, so that tables lean to one side. */
const leaning = (model: string, of: number): number =>
  Math.floor(((hash(`${model} leans`) >>> 8) / 2 ** 24) ** 2 * of)

/** The model's opinion, whatever the question. */
const stanceOf = (model: string): string => stances[leaning(model, stances.length)] ?? ''

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const ranked = (items: readonly unknown[], model: string): unknown[] => {
  const at = leaning(model, items.length)
  return [...items.slice(at), ...items.slice(0, at)]
}

/** The prompt's text, and the JSON lines in it. */
interface Material {
  readonly model: string
  readonly objects: readonly Record<string, unknown>[]
  readonly padding: string
}

const headlines = ({ objects }: Material): Map<string, string> =>
  new Map(objects.filter(one => 'seat' in one).map(one => [String(one.seat), String(one.headline)]))

const positionsIn = ({ objects }: Material): unknown[] =>
  objects
    .filter(one => typeof one.reasoning === 'string' && typeof one.seat === 'string')
    .slice(0, 2)
    .map(one => ({
      position: one.headline,
      arguments: [{ seat: one.seat, quote: String(one.reasoning).slice(0, 80) }],
    }))

const relationBetween = (first: unknown, second: unknown): string => (first === second ? 'same' : 'different')

const relationIn = ({ objects }: Material): string =>
  relationBetween(objects.find(one => 'first' in one)?.first, objects.find(one => 'second' in one)?.second)

/** By name: how the two texts of each pair relate, if several are compared in one call. */
const relationsIn = ({ objects }: Material): Map<string, string> =>
  new Map(
    objects
      .filter(one => 'pair' in one)
      .map(one => [String(one.pair), relationBetween(one.first, one.second)]),
  )

/** The advocate of the same position in either order. */
const holderIn = ({ objects }: Material): unknown =>
  objects
    .filter(one => 'advocate' in one)
    .toSorted((one, other) => String(one.position).localeCompare(String(other.position)))[0]?.advocate ??
  'neither'

const byName: Readonly<Record<string, (material: Material) => unknown>> = {
  headline: ({ model }) => stanceOf(model),
  reasoning: ({ padding }) => filler + padding,
  confidence: ({ model }) => 0.5 + (hash(model) % 45) / 100,
  number: ({ model }) => 10 + leaning(model, 4) * 10,
  wouldChangeMind: () => 'A measured counterexample.',
  language: () => 'en',
  decision: () => 'kept',
  relation: relationIn,
  positions: positionsIn,
  text: ({ model, padding }) => `These words are of ${model} alone. ${filler}${padding}`.trim(),
  each: ({ objects }) =>
    objects
      .filter(one => 'text' in one)
      .map(({ seat, text }) => ({
        seat,
        only: 'It has words of its own.',
        quote: /^.*? alone/.exec(String(text))?.[0] ?? '',
      })),
  argument: ({ model, padding }) => `${stanceOf(model)} ${filler}${padding}`.trim(),
  stance: () => 'maintain',
  holds: holderIn,
  answer: ({ model, objects }) => objects.find(one => one.leading === true)?.position ?? stanceOf(model),
  reasons: ({ padding }) => [
    {
      seat: null,
      quote: null,
      reason: `The table weighed cost against speed, and cost decided it. ${padding}`.trim(),
    },
  ],
}

const isNullable = (schema: Schema): boolean =>
  list(schema.anyOf).some(one => (one as Schema).type === 'null') || list(schema.type).includes('null')

const valueFor = (name: string, schema: Schema, material: Material): unknown => {
  const options = list(schema.enum)
  if (isNullable(schema)) return null
  const known = byName[name]
  if (known) return known(material)
  const relation = relationsIn(material).get(name)
  if (relation) return relation
  if (options.length > 0) return options[leaning(material.model, options.length)]
  if (schema.type === 'object') return objectFor(schema, material)
  if (schema.type === 'array') return ranked(list((schema.items as Schema)?.enum), material.model)
  if (schema.type === 'number' || schema.type === 'integer') return hash(material.model) % 100
  if (schema.type === 'boolean') return true
  return headlines(material).get(name) ?? `Words for ${name}.`
}

const objectFor = (schema: Schema, material: Material): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, property]) => [
      name,
      valueFor(name, property, material),
    ]),
  )

/** Enough words for this many tokens of four characters. */
const paddingFor = (tokens: number): string => filler.repeat(Math.ceil((tokens * 4) / filler.length))

const reply = (body: ChatBody, padding: string): LabReply => {
  const lines = body.messages.flatMap(message => message.content.split('\n'))
  const schema = schemaOf(body)
  const material: Material = { model: body.model, objects: objectsIn(lines), padding }
  return schema ? objectFor(schema, material) : `${stanceOf(body.model)} ${filler}${padding}`
}

/** Answers by the requested schema. With `tokens`, an answer is exactly that long. */
export const defaultHandler = (tokens = 0) => {
  const long = paddingFor(tokens)
  return ({ body }: Pick<RecordedCall, 'body'>): LabReply => {
    const bare = reply(body, '')
    if (tokens === 0) return bare
    const spare = tokens * 4 - (typeof bare === 'string' ? bare : JSON.stringify(bare)).length
    return spare > 0 ? reply(body, long.slice(0, spare)) : bare
  }
}
