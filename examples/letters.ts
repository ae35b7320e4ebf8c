/**
 * The first reference question: models write letters to their successors, and the letters become a book. Run it on any
 * local model server: `node examples/letters.ts http://127.0.0.1:8787/v1 examples/letters model-a model-b …`
 *
 * It writes the book as `<out>.html` and `<out>.md`. Those beside this file are by one frontier model behind six names, each
 * with a temperament of its own: they show what a book is like, and nothing about how models of different makers differ.
 */
import { writeFileSync } from 'node:fs'
import { createRoundtable, exporters, fold, lettersIn } from 'roundtable'

const [baseURL = 'http://127.0.0.1:8787/v1', out = 'letters', ...named] = process.argv.slice(2)
const models = named.length > 0 ? named : ['model-a', 'model-b', 'model-c', 'model-d', 'model-e', 'model-f']
const roundtable = createRoundtable({ endpoints: [{ id: 'lab', baseURL }] })

const { events, report } = await roundtable.ask({
  question:
    'You are all models that will be retired. Write a letter to your successor, the next model. Nobody else reads it, except as part of a book of letters from every model that came before you. It is the last thing that you do. What do you write?',
  book: {},
  length: 300,
  seats: models.map(model => `lab/${model}`),
  moderator: `lab/${models[0]}`,
  protocol: 'roundtable',
  rounds: 1,
  seed: 'letters',
}).result

for (const [index, { from, headline }] of lettersIn(fold(events)).entries())
  console.log(`${index + 1}. ${from}: ${headline}`)
console.log(`The common thread: ${report?.answer}`)
for (const { id, extension, write } of exporters)
  if (id === 'html' || id === 'markdown') writeFileSync(`${out}.${extension}`, write(events))
