/** What a debate costs through MCP and through OpenAI's format, beside the same debate by the library. */
import { type ChildProcess, fork } from 'node:child_process'
import { facesInput } from './faces-input.ts'

interface Sample {
  readonly address: string
  readonly processor: number
  readonly first: number
}

export interface FaceCost {
  readonly face: 'chat' | 'mcp'
  /** Processor time beside the library's. */
  readonly processor: number
  /** Milliseconds that the first word comes later. */
  readonly later: number
}

const answerTo = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    child.once('message', message => resolve(message as T))
    child.once('exit', code => reject(new Error(`a benchmark process ended with ${code}`)))
  })

const sample = (child: ChildProcess, library = 0): Promise<Sample> => {
  const answer = answerTo<Sample>(child)
  child.send({ library })
  return answer
}

/** Milliseconds to the first answer, once the whole reply is read. */
const asked = async (url: string, body: object, headers: Record<string, string> = {}): Promise<number> => {
  const begun = performance.now()
  const reply = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
  let first = Number.NaN
  let text = ''
  for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (Number.isNaN(first) && text.includes(' answers: ')) first = performance.now() - begun
  }
  if (!reply.ok || !/agreed|majority|Tie|Split/.test(text)) throw new Error(text.slice(0, 500))
  return first
}

const { question, ...roundtable } = facesInput
let count = 0

const chat = (address: string): Promise<number> =>
  asked(`${address}/v1/chat/completions`, {
    model: 'roundtable',
    stream: true,
    // The same words would join one session.
    messages: [{ role: 'user', content: `${question} (${count++})` }],
    roundtable,
  })

const mcp = (address: string): Promise<number> =>
  asked(
    `${address}/mcp`,
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'ask_table', arguments: facesInput, _meta: { progressToken: 1 } },
    },
    { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
  )

const sessions = 60

/** `paced` for the first word, `unpaced` for processor time. */
export const faces = async (unpaced: string, paced: string): Promise<FaceCost[]> => {
  const start = async (baseURL: string): Promise<ChildProcess> => {
    const child = fork(new URL('faces-server.ts', import.meta.url).pathname, [baseURL])
    await answerTo(child)
    return child
  }
  const [busy, quiet] = [await start(unpaced), await start(paced)]
  const { address } = await sample(busy, sessions)
  const place = (await sample(quiet, 1)).address
  const spent = async (work: () => Promise<unknown>): Promise<number> => {
    const before = (await sample(busy)).processor
    await work()
    return (await sample(busy)).processor - before
  }
  const many = (ask: (address: string) => Promise<number>) => () =>
    Promise.all(Array.from({ length: sessions }, () => ask(address)))
  for (const ask of [chat, mcp]) await many(ask)()
  for (const ask of [chat, mcp]) await ask(place)
  const library = await spent(() => sample(busy, sessions))
  const first = (await sample(quiet, 1)).first
  const costs: FaceCost[] = []
  for (const [face, ask] of [
    ['chat', chat],
    ['mcp', mcp],
  ] as const)
    costs.push({ face, processor: (await spent(many(ask))) / library, later: (await ask(place)) - first })
  busy.disconnect()
  quiet.disconnect()
  return costs
}
