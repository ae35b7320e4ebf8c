/** Every way in which one person could come to see something of another's session. */
import { expect } from 'vitest'
import { exporters } from '../../src/exports/index.ts'
import { callTool, mcpClient, type Visit } from './people.ts'

interface Face {
  readonly name: string
  /** It shows the answer and not the question. */
  readonly answerOnly?: true
  /** What this face shows of the session, as text; statuses and texts of what it refuses too. */
  show(visit: Visit, address: string, id: string, word: string): Promise<string>
}

/** The beginning of a stream, up to the end of its first event. */
const firstEvent = async (response: Response): Promise<string> => {
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (/^data:.*\n/m.test(text)) break
  }
  return text
}

const get =
  (path: (id: string, word: string) => string): Face['show'] =>
  async (visit, _address, id, word) => {
    const response = await visit.call(path(id, word))
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      return `${response.status} ${await firstEvent(response)}`
    }
    return `${response.status} ${await response.text()}`
  }

const post =
  (path: (id: string) => string, json: (id: string) => unknown): Face['show'] =>
  async (visit, _address, id) => {
    const response = await visit.call(path(id), { json: json(id) })
    return `${response.status} ${await response.text()}`
  }

const tool =
  (name: string, input: (id: string, word: string) => object): Face['show'] =>
  async (visit, address, id, word) =>
    JSON.stringify(await callTool(address, visit.headers, name, input(id, word)))

const resource =
  (uri: (id: string) => string): Face['show'] =>
  async (visit, address, id) => {
    const client = await mcpClient(address, visit.headers)
    return client.readResource({ uri: uri(id) }).then(JSON.stringify, (error: Error) => error.message)
  }

const asked = { question: 'And then?', seats: ['lab/a', 'lab/b'], protocol: 'poll', moderator: null }

/** Faces that hold the word if the person may see the session. */
export const faces: readonly Face[] = [
  { name: 'list', show: get(() => '/api/sessions?limit=200') },
  { name: 'search', show: get((_, word) => `/api/sessions?words=${word}`) },
  { name: 'search by a beginning', show: get((_, word) => `/api/sessions?words=${word.slice(0, 5)}`) },
  { name: 'session', show: get(id => `/api/sessions/${id}`) },
  { name: 'thread', show: get(id => `/api/sessions/${id}/thread`) },
  { name: 'stream', show: get(id => `/api/sessions/${id}/events`) },
  ...exporters.map(({ id: format }) => ({
    name: `export ${format}`,
    show: get(id => `/api/sessions/${id}/export/${format}`),
  })),
  { name: 'stored response', answerOnly: true, show: get(id => `/v1/responses/resp_${id}`) },
  { name: 'tool show_session', show: tool('show_session', id => ({ id, form: 'markdown' })) },
  { name: 'tool find_sessions', show: tool('find_sessions', (_, word) => ({ words: word })) },
  { name: 'tool wait_for_table', answerOnly: true, show: tool('wait_for_table', id => ({ id, wait: 1 })) },
  { name: 'resource of a session', show: resource(id => `roundtable://sessions/${id}`) },
  { name: 'resource of all sessions', show: resource(() => 'roundtable://sessions') },
]

/** Faces that say whether a session exists: they answer as if it didn't. */
export const refusals: readonly Face[] = [
  {
    name: 'fork',
    show: post(
      id => `/api/sessions/${id}/fork`,
      () => ({}),
    ),
  },
  {
    name: 'follow-up',
    show: post(
      () => '/api/sessions',
      id => ({ ...asked, after: id }),
    ),
  },
  {
    name: 'letters',
    show: post(
      () => '/api/sessions',
      id => ({ ...asked, letters: [id] }),
    ),
  },
  {
    name: 'say',
    show: post(
      id => `/api/sessions/${id}/say`,
      () => ({ words: 'Hello' }),
    ),
  },
  {
    name: 'share',
    show: post(
      id => `/api/sessions/${id}/share`,
      () => ({}),
    ),
  },
  { name: 'file', show: get(id => `/api/sessions/${id}/files/${'ab'.repeat(32)}`) },
  {
    name: 'response after it',
    show: post(
      () => '/v1/responses',
      id => ({ model: 'roundtable', input: 'Why?', previous_response_id: `resp_${id}` }),
    ),
  },
]

/** Nobody but those who may see it finds a word of it, and its id looks like one that never was. */
export const expectHidden = async (
  visit: Visit,
  address: string,
  id: string,
  word: string,
): Promise<void> => {
  const never = `never-${'0'.repeat(Math.max(0, id.length - 6))}`.slice(0, id.length)
  for (const { name, show } of [...faces, ...refusals]) {
    const shown = await show(visit, address, id, word)
    expect(shown.toLowerCase(), name).not.toContain(word.toLowerCase().slice(0, 5))
    const other = await show(visit, address, never, word)
    expect(shown.replaceAll(id, never), name).toBe(other)
  }
}

export const expectShown = async (visit: Visit, address: string, id: string, word: string): Promise<void> => {
  for (const { name, answerOnly, show } of faces) {
    const shown = (await show(visit, address, id, word)).toLowerCase()
    expect(shown, name).toContain(answerOnly ? id : word.toLowerCase())
    expect(shown, name).not.toContain('there is no')
  }
}
