/** Set a cap in tokens and a time limit. The verdict then covers the answers that there are. `node examples/stop.ts URL model…` */
import { createRoundtable } from 'roundtable'

const [baseURL = 'http://127.0.0.1:8787/v1', ...named] = process.argv.slice(2)
const models = named.length > 0 ? named : ['model-a', 'model-b', 'model-c']
const roundtable = createRoundtable({ endpoints: [{ id: 'lab', baseURL }] })
const input = {
  question: 'How many piano tuners work in Chicago?',
  format: 'number' as const,
  scale: 'log' as const,
  seats: models.map(model => `lab/${model}`),
  budget: { tokens: 20_000 },
  signal: AbortSignal.timeout(60_000),
}

console.log('Estimate:', roundtable.estimate(input))
const session = await roundtable.ask(input).result
console.log(session.outcome, '–', session.verdict.line)
