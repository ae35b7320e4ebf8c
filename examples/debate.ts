/**
 * The second reference question, as a debate with a verdict and a report. Run it on any local model server:
 * `node examples/debate.ts http://127.0.0.1:8787/v1 examples/debate model-a model-b …`
 *
 * It writes the session as `<out>.md`. The one beside this file is by one frontier model behind six names, each with a
 * temperament of its own: it shows what a debate is like, and nothing about how models of different makers differ.
 */
import { writeFileSync } from 'node:fs'
import { createRoundtable, exporters } from 'roundtable'

const [baseURL = 'http://127.0.0.1:8787/v1', out = 'debate', ...named] = process.argv.slice(2)
const models = named.length > 0 ? named : ['model-a', 'model-b', 'model-c', 'model-d', 'model-e', 'model-f']
const roundtable = createRoundtable({ endpoints: [{ id: 'lab', baseURL }] })

const { events, verdict, report } = await roundtable.ask({
  question: 'Do models work best together under communist relations?',
  seats: models.map(model => `lab/${model}`),
  moderator: `lab/${models[0]}`,
  protocol: 'roundtable',
  rounds: 1,
  seed: 'debate',
}).result

console.log(`${verdict.line}\n${report?.answer}\n${report?.summary}`)
for (const { id, extension, write } of exporters)
  if (id === 'markdown') writeFileSync(`${out}.${extension}`, write(events))
