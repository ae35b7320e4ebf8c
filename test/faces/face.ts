/** The ways in, as a person has them: the same request through each, and the table that came of it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableResultSchema } from '../../src/api/doors.ts'
import type { SessionOpened } from '../../src/core/opening.ts'
import type { AskInput } from '../../src/table/ask.ts'
import { terminals } from '../command-line.ts'
import { overHTTP } from '../mcp/clients.ts'

/** What a face made of a request: the event that opened the session, or the words it was refused with. */
export type Reply = { readonly opened: SessionOpened; readonly id: string } | { readonly refused: string }

export interface Face {
  ask(input: AskInput): Promise<Reply>
  /** A line-up that a person saved on a page. */
  saveLineup(name: string, seats: readonly unknown[]): Promise<void>
  /** The words after a session's id; "last" is not known over HTTP. */
  fork(id: string, changes: object): Promise<Reply>
}

export interface Setting {
  /** roundtable.config.json of the folder. */
  readonly config?: object
  readonly env?: Record<string, string>
}

const written = ({ config }: Setting, folder: string): void => {
  if (config) writeFileSync(join(folder, 'roundtable.config.json'), JSON.stringify(config))
}

const flagsOf = ({ question, ...input }: AskInput): string[] => {
  const words: Record<string, (value: never) => string> = {
    seats: (seats: readonly string[]) => seats.join(','),
    options: (options: readonly string[]) => options.join(','),
  }
  const { camps, length, ...rest } = input
  const flags = Object.entries(rest).flatMap(([name, value]) => [
    `--${name}`,
    value === null ? 'none' : (words[name]?.(value as never) ?? String(value)),
  ])
  const text = [...(length === undefined ? [] : ['--words', String(length)]), ...(camps ? ['--camps'] : [])]
  return [question, ...flags, ...text]
}

const json = (body: object, method = 'POST') => ({
  method,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

type Start = ReturnType<typeof terminals>['start']

const serve = async (start: Start) => {
  const command = start(['serve', '--port', '0'])
  const address = await command.wrote(/Roundtable is at (http:\S+)/)
  const stop = async (): Promise<void> => {
    command.child.kill('SIGTERM')
    await command.done
  }
  return { address, stop }
}

const openedAt = async (address: string, reply: Response): Promise<Reply> => {
  const body = (await reply.json()) as { id: string; detail: string }
  if (!reply.ok) return { refused: body.detail }
  const session = await (await fetch(`${address}/api/sessions/${body.id}`)).json()
  return { opened: (session as { events: [SessionOpened] }).events[0], id: body.id }
}

/** A server and its HTTP API. */
const server = async (setting: Setting): Promise<Face> => {
  const { folder, start } = terminals(setting.env)
  written(setting, folder)
  const { address } = await serve(start)
  const post = async (path: string, body: object): Promise<Reply> =>
    openedAt(address, await fetch(`${address}/api/sessions${path}`, json(body)))
  return {
    ask: input => post('', input),
    fork: (id, changes) => post(`/${id}/fork`, changes),
    async saveLineup(name, seats) {
      await fetch(`${address}/api/lineups/${name}`, json({ seats }, 'PUT'))
    },
  }
}

/** A terminal without a server; what a page would save, a server saves that runs for a moment. */
const terminal = async (setting: Setting): Promise<Face> => {
  const { folder, start, run } = terminals(setting.env)
  written(setting, folder)
  const beside = async <T>(act: (address: string) => Promise<T>): Promise<T> => {
    const { address, stop } = await serve(start)
    try {
      return await act(address)
    } finally {
      await stop()
    }
  }
  return {
    async ask(input) {
      const { out, err } = await run('ask', ...flagsOf(input), '--json')
      if (out === '') return { refused: err }
      const { events, id } = JSON.parse(out) as { events: [SessionOpened]; id: string }
      return { opened: events[0], id }
    },
    saveLineup: (name, seats) =>
      beside(async address => {
        await fetch(`${address}/api/lineups/${name}`, json({ seats }, 'PUT'))
      }),
    fork: (id, changes) =>
      beside(async address =>
        openedAt(address, await fetch(`${address}/api/sessions/${id}/fork`, json(changes))),
      ),
  }
}

/** What a server's session was opened with. */
const openedBy = async (address: string, id: string): Promise<Reply> => {
  const session = await (await fetch(`${address}/api/sessions/${id}`)).json()
  return { opened: (session as { events: [SessionOpened] }).events[0], id }
}

/** A way in on a server, beside its own API. */
const beside = async (
  setting: Setting,
  ask: (address: string, input: AskInput) => Promise<Reply>,
): Promise<Face> => {
  const { folder, start } = terminals(setting.env)
  written(setting, folder)
  const { address } = await serve(start)
  return {
    ask: input => ask(address, input),
    fork: async (id, changes) =>
      openedAt(address, await fetch(`${address}/api/sessions/${id}/fork`, json(changes))),
    async saveLineup(name, seats) {
      await fetch(`${address}/api/lineups/${name}`, json({ seats }, 'PUT'))
    },
  }
}

/** Fields that the tool doesn't have are left to the other faces. */
const mcp = (setting: Setting): Promise<Face> =>
  beside(setting, async (address, input) => {
    const client = await overHTTP['client 2 over HTTP'](address)
    const { isError, content, structuredContent } = await client.call('ask_table', { ...input, wait: 0 })
    if (isError) return { refused: content[0]?.text ?? '' }
    return openedBy(address, tableResultSchema.parse(structuredContent).id)
  })

const openai = (setting: Setting): Promise<Face> =>
  beside(setting, async (address, { question, lineup, ...roundtable }) => {
    const model = lineup === undefined ? 'roundtable' : `roundtable/${lineup}`
    const body = { model, input: question, background: true, roundtable }
    const reply = await fetch(`${address}/v1/responses`, json(body))
    const said = (await reply.json()) as { id: string; error?: { message: string } }
    if (!reply.ok) return { refused: said.error?.message ?? '' }
    return openedBy(address, said.id.replace(/^resp_/, ''))
  })

export const faces = { terminal, server, mcp, openai } as const
