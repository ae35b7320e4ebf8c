/** Ask a table and watch it live. `node examples/ask.ts http://127.0.0.1:8787/v1 model-a model-b model-c` */
import { createRoundtable } from 'roundtable'

const [baseURL = 'http://127.0.0.1:8787/v1', ...named] = process.argv.slice(2)
const models = named.length > 0 ? named : ['model-a', 'model-b', 'model-c']
const roundtable = createRoundtable({ endpoints: [{ id: 'lab', baseURL }] })

const { events, result } = roundtable.ask({
  question: 'Should a small team start with a monolith?',
  seats: models.map(model => `lab/${model}`),
  moderator: `lab/${models[0]}`,
})

for await (const event of events) {
  // The pieces of all seats arrive together: here only the first seat's reasons are shown as they are written.
  if (event.type === 'delta' && event.seat === 's1' && event.field === 'reasoning')
    process.stdout.write(event.text)
  if (event.type === 'answer-given')
    console.log(`${event.seat === 's1' ? '\n' : ''}${event.seat}: ${event.answer.headline}`)
  if (event.type === 'seat-silent') console.log(`${event.seat} gave no answer: ${event.error.message}`)
}

const { verdict, report } = await result
console.log(`\n${verdict.line}\n${report?.answer}`)
