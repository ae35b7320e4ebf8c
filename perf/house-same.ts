/** Asks the built-in model whether two headlines say the same, for labelled pairs, and counts its mistakes. */

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { floor, house } from '../src/builtin/provider.ts'
import { questionSchema } from '../src/core/question.ts'
import { smallCheck } from '../src/protocols/small-model.ts'
import { agreedEngine } from './engine.ts'

const help = `node perf/house-same.ts <model.gguf>

Asks of the pairs in perf/same-pairs.json, one after another, and prints how many of the pairs that say the same were
found, and how many of the others were taken for it.`

const [path] = process.argv.slice(2)
if (path === undefined) {
  console.error(help)
  process.exit(2)
}

const pairSchema = z.strictObject({
  question: z.string(),
  first: z.string(),
  second: z.string(),
  same: z.boolean(),
})
const pairs = z
  .array(pairSchema)
  .parse(JSON.parse(readFileSync(new URL('same-pairs.json', import.meta.url), 'utf8')))

const provider = house({ engine: agreedEngine, weights: async () => path })

const saysSame = async ({ question, first, second }: z.infer<typeof pairSchema>): Promise<boolean> => {
  const { maxOutputTokens = 1_000, ...prompt } = smallCheck(
    questionSchema.parse({ text: question, format: 'open' }),
    [first, second],
  )
  let reply = ''
  const signal = AbortSignal.timeout(60_000)
  for await (const part of provider.stream({
    ...prompt,
    maxOutputTokens,
    model: floor.id,
    temperature: 0,
    signal,
  })) {
    if (part.type === 'text') reply += part.text
    if (part.type === 'error') throw new Error(part.error.message)
  }
  return JSON.parse(reply).same === 'yes'
}

const started = performance.now()
const counts = { found: 0, same: 0, mistaken: 0, different: 0 }
for (const pair of pairs) {
  const said = await saysSame(pair)
  counts[pair.same ? 'same' : 'different']++
  if (said) counts[pair.same ? 'found' : 'mistaken']++
}
const seconds = (performance.now() - started) / 1_000 / pairs.length
console.log(
  `recognised ${counts.found} of ${counts.same} pairs that say the same, mistook ${counts.mistaken} of ${counts.different} others for the same, ${seconds.toFixed(1)} s each`,
)
provider.stop()
