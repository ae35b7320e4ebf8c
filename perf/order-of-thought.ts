/** Asks a local model the same questions in both forms: is it right more often if it reasons before it answers? */

import { parseArgs } from 'node:util'
import { isSeatRight, questionsFrom } from '../src/bench/live.ts'
import { type PairedDifference, pairedDifference } from '../src/bench/replay.ts'
import { house } from '../src/builtin/provider.ts'
import { fold } from '../src/core/fold.ts'
import { type Form, forms } from '../src/core/form.ts'
import { wilson } from '../src/count/splits.ts'
import { createRoundtable } from '../src/library/index.ts'
import { agreedEngine } from './engine.ts'
import { madeQuestions } from './made-questions.ts'

const help = `node perf/order-of-thought.ts <model.gguf> [--questions 70] [--minutes 12] [--seed 1] [--show]

Asks one seat of this model arithmetic and trick questions made by code, each once answer first and once reasoning first
with the same seed, and ends early when the minutes are over. Only questions that were asked both ways count.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    questions: { type: 'string', default: '70' },
    minutes: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
    show: { type: 'boolean', default: false },
  },
})
const [path] = positionals
if (path === undefined) {
  console.error(help)
  process.exit(2)
}

const { seed } = values
const made = madeQuestions(Number(values.questions), seed)
const questions = questionsFrom(made.map(question => JSON.stringify(question)).join('\n'))
const provider = house({ engine: agreedEngine, models: { small: path } })
const table = createRoundtable({ providers: [provider] })

type Gold = (typeof questions)[number]

const isRightIn = async (gold: Gold, form: Form): Promise<boolean> => {
  const { text, format, options } = gold.question
  const { events } = await table.ask({
    question: text,
    format,
    ...(options.length > 0 && { options }),
    seats: ['house/small'],
    moderator: null,
    protocol: 'poll',
    language: 'en',
    seed: `${seed} ${gold.id}`,
    form,
  }).result
  const session = fold(events)
  if (values.show) console.log(form, JSON.stringify(gold.gold), JSON.stringify(events[2]))
  return isSeatRight(gold, session, session.seats[0]!.id)
}

const ends = performance.now() + Number(values.minutes) * 60_000
interface Pair {
  readonly kind: string
  readonly right: Record<Form, number>
}
const pairs: Pair[] = []
/** One question of each kind in one form, then the same in the other: the model keeps the beginning of its prompt. */
const together = 7
for (let from = 0; from < questions.length && performance.now() < ends; from += together) {
  const asked = questions.slice(from, from + together)
  const block = asked.map(({ id }): Pair => {
    const right = { 'reasoning-first': 0, 'answer-first': 0 }
    return { kind: id.replace(/-\d+$/, ''), right }
  })
  // In turns, so that neither form is always the first.
  for (const form of (from / together) % 2 === 0 ? forms : forms.toReversed())
    for (const [index, gold] of asked.entries())
      block[index]!.right[form] = (await isRightIn(gold, form)) ? 1 : 0
  pairs.push(...block)
}
provider.stop()

const column = (form: Form, of = pairs): Float64Array => Float64Array.from(of, ({ right }) => right[form])
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
const shareOf = (form: Form): string => {
  const right = column(form).reduce((sum, one) => sum + one, 0)
  const [from, to] = wilson(right, pairs.length)
  return `${form}: ${right} of ${pairs.length} right, ${percent(right / pairs.length)} (${percent(from)} to ${percent(to)})`
}
const differenceText = ({ difference, interval, won, lost, p }: PairedDifference): string =>
  `reasoning first − answer first: ${(difference * 100).toFixed(1)} points (95 %: ${interval.map(end => (end * 100).toFixed(1)).join(' to ')}), only one right ${won}:${lost}, p = ${p.toFixed(3)}`

for (const form of forms) console.log(shareOf(form))
console.log(differenceText(pairedDifference(column('reasoning-first'), column('answer-first'), seed)))
for (const [kind, of] of Map.groupBy(pairs, ({ kind: name }) => name)) {
  const counts = forms.map(form => `${form} ${column(form, of).reduce((sum, one) => sum + one, 0)}`)
  console.log(`  ${kind.padEnd(10)} of ${of.length}: ${counts.join(', ')}`)
}
