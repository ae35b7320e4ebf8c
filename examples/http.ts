/**
 * Ask a running server over HTTP and watch the session live. Start the server first with `npm start`, then run
 * `node examples/http.ts http://127.0.0.1:4317 lab/model-a lab/model-b`. Without models, the server's usual table answers.
 */
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { LiveEvent, SessionDocument } from 'roundtable'

const [server = 'http://127.0.0.1:4317', ...seats] = process.argv.slice(2)
const token = process.env.ROUNDTABLE_TOKEN
const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }

const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const response = await fetch(`${server}${path}`, { ...init, headers })
  if (response.ok) return response
  // Every error is a problem document whose `detail` says what to do.
  throw new Error(((await response.json()) as { detail: string }).detail)
}

const body = { question: 'Should a small team start with a monolith?', ...(seats.length > 0 && { seats }) }
const opened = await call('/api/sessions', { method: 'POST', body: JSON.stringify(body) })
const { id } = (await opened.json()) as { id: string }

const stream = (await call(`/api/sessions/${id}/events`))
  .body!.pipeThrough(new TextDecoderStream())
  .pipeThrough(new EventSourceParserStream())
for await (const { data } of stream) {
  const event = JSON.parse(data) as LiveEvent
  if (event.type === 'answer-given') console.log(`${event.seat}: ${event.answer.headline}`)
  if (event.type === 'seat-silent') console.log(`${event.seat} gave no answer: ${event.error.message}`)
  // The stream stays open, because a person may add to a session that is over.
  if (event.type === 'session-finished') break
}

const { verdict } = (await (await call(`/api/sessions/${id}`)).json()) as SessionDocument
console.log(verdict.line)
