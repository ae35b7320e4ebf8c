/** People with accounts on a test server. */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { type Accounts, accountsIn } from '../../src/accounts/accounts.ts'
import type { Person, Role, Scope } from '../../src/accounts/person.ts'
import type { Archive, Ownership } from '../../src/store/archive.ts'
import { discussed } from '../contracts/store-archive-contract.ts'
import type { ToolReply } from '../mcp/clients.ts'
import { type Setup, type SetupOptions, startSetup } from '../server/setup.ts'

/** A thousandth of the usual cost: these tests are about who gets in, not about how long a guess takes. */
export const cheap = { passwordCost: { N: 2 ** 7, r: 8, p: 1 } }

export interface Visit {
  readonly person: Person
  /** What a browser or a program of theirs sends. */
  readonly headers: Readonly<Record<string, string>>
  call: Setup['call']
}

export interface Team extends Setup {
  readonly accounts: Accounts
  /** Somebody new, logged in. */
  comes(name: string, role: Role): Promise<Visit>
  /** The same person, by a key. */
  withKey(person: Person, scope: Scope, days?: number): Promise<Visit>
}

export const accountsOf = (archive: Archive, clock?: () => number): Accounts =>
  accountsIn(archive, { ...cheap, ...(clock && { clock }) })

export const cookieOf = (secret: string): Record<string, string> => ({
  cookie: `roundtable-sign-in=${secret}`,
})

export const visitOf = (
  { call }: Pick<Setup, 'call'>,
  person: Person,
  headers: Record<string, string>,
): Visit => ({
  person,
  headers,
  call: (path, init = {}) => call(path, { ...init, headers: { ...headers, ...init.headers } }),
})

export const startTeam = async (options: SetupOptions = {}): Promise<Team> => {
  const { clock } = options
  const setup = await startSetup({ accounts: cheap, ...options })
  const accounts = accountsOf(setup.archive, clock)
  return {
    ...setup,
    accounts,
    async comes(name, role) {
      const person = await accounts.people.add({ name, role })
      return visitOf(setup, person, cookieOf(await accounts.signIn(person, '127.0.0.1', 'a test')))
    },
    async withKey(person, scope, days = 30) {
      const key = await accounts.keys.make(person.id, 'a test', scope, days)
      return visitOf(setup, person, { authorization: `Bearer ${key}` })
    },
  }
}

/** A finished session of somebody's, or of the team's. */
export const shelve = (archive: Archive, id: string, words: string, ownership?: Ownership): Promise<void> =>
  archive.append(
    id,
    discussed(id, `What about ${words}?`, `Reasons of ${words}`, `Sum of ${words}`),
    ownership,
  )

/** Calls an MCP tool as this person. */
export const callTool = async (
  address: string,
  headers: Readonly<Record<string, string>>,
  name: string,
  input: object,
): Promise<ToolReply> => {
  const client = await mcpClient(address, headers)
  return (await client.callTool({ name, arguments: { ...input } })) as ToolReply
}

export const mcpClient = async (
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${address}/mcp`), {
      requestInit: { headers: { ...headers } },
    }),
  )
  onTestFinished(() => client.close())
  return client
}
