/** Ask a table and watch it live. `node examples/ask.ts http://127.0.0.1:8787/v1 model-a model-b model-c` */
import { createRoundtable } from 'roundtable'

const [baseURL = 'http://127.0.0.1:8787/v1', ...models] = process.argv.slice(2)
const roundtable = createRoundtable({ endpoints: [{ id: 'lab', baseURL }] })

const { events, result } = roundtable.ask({
  question: 'Should a small team start with a monolith?',
  seats: models.map(model => `lab/${model}`),
  moderator: `lab/${models[0]}`,
})

for await (const event of events) {
  if (event.type === 'delta' && event.field === 'headline') process.stdout.write(event.text)
  if (event.type === 'answer-given') process.stdout.write('\n')
  if (event.type === 'seat-silent') console.log(`${event.seat} gave no answer: ${event.error.message}`)
}

const { verdict, report } = await result
console.log(`\n${verdict.line}\n${report?.answer}`)
