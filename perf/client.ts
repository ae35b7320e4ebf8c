/** One side of a comparison: the same calls, by Roundtable or by a bare `fetch` loop that streams them. */
import { createRoundtable } from '../src/library/index.ts'
import type { Job, Measured } from './setup.ts'

const job = JSON.parse(process.argv[2] ?? '{}') as Job
const question = 'Is a two-round session as fast as its slowest seats?'

const roundtable = createRoundtable({ endpoints: [{ id: 'lab', baseURL: job.baseURL }] })

/** Two rounds and a report, with all deltas read. */
const withRoundtable = async (): Promise<void> => {
  const { events, result } = roundtable.ask({
    question,
    seats: Array.from({ length: job.seats }, (_, index) => `lab/m${index}`),
    moderator: 'lab/moderator',
    protocol: 'roundtable',
    rounds: 1,
    format: 'choice',
    options: ['Yes', 'No'],
    seed: 1,
  })
  let characters = 0
  for await (const event of events) if (event.type === 'delta') characters += event.text.length
  const { verdict } = await result
  if (verdict.answered !== job.seats || characters === 0) throw new Error(`broken session: ${verdict.line}`)
}

const bareCall = async (model: string, content: string): Promise<string> => {
  const shape = model === 'moderator' ? 'report' : 'answer'
  const response = await fetch(`${job.baseURL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      stream: true,
      messages: [{ role: 'user', content }],
      response_format: { type: 'json_schema', json_schema: { name: shape, schema: { properties: {} } } },
    }),
  })
  const decoder = new TextDecoder()
  let rest = ''
  let text = ''
  for await (const chunk of response.body!) {
    rest += decoder.decode(chunk, { stream: true })
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const data = rest.slice(6, end)
      rest = rest.slice(end + 2)
      if (data !== '[DONE]') text += JSON.parse(data).choices[0]?.delta.content ?? ''
    }
  }
  return text
}

const withFetch = async (): Promise<void> => {
  const models = Array.from({ length: job.seats }, (_, index) => `m${index}`)
  const sealed = await Promise.all(models.map(model => bareCall(model, question)))
  const open = await Promise.all(models.map(model => bareCall(model, `${question}\n${sealed.join('\n')}`)))
  JSON.parse(await bareCall('moderator', `${question}\n${open.join('\n')}`))
}

const session = job.client === 'bare' ? withFetch : withRoundtable
const together = (): Promise<unknown> => Promise.all(Array.from({ length: job.sessions }, session))

// A first run to warm up both sides.
await together()
const repeat = job.repeat ?? 1
const start = performance.now()
const before = process.cpuUsage()
for (let round = 0; round < repeat; round++) await together()
const used = process.cpuUsage(before)
const measured: Measured = {
  wall: (performance.now() - start) / 1000 / repeat,
  processor: (used.user + used.system) / 1e6,
  sessions: job.sessions * repeat,
}
process.send?.(measured)
process.disconnect?.()
process.exit(0)
