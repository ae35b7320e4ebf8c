/** A person's own key of a maker, from the account page to the calls of their sessions. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownProvidersWith } from '../../src/accounts/command.ts'
import { createRoundtable } from '../../src/library/index.ts'
import { createRuntime } from '../../src/run/runtime.ts'
import { reachOf } from '../../src/table/reach.ts'
import type { Lab } from '../lab/server.ts'
import { engineAt, type Folders, finished, labFor, makeFolders } from '../worker/setting.ts'
import { startTeam } from './people.ts'

const secret = Buffer.alloc(32, 7)

let folders: Folders
beforeAll(async () => {
  folders = await makeFolders()
})
afterAll(() => folders.stop())

const keysSent = ({ calls }: Lab): Set<string> =>
  new Set(calls.filter(({ method }) => method === 'POST').map(({ headers }) => String(headers.authorization)))

const team = { owner: null, visibility: 'team' } as const
const ada = { owner: 'ada', visibility: 'private' } as const

test("[AC77] a person's sessions use their own key, others the server's, and no key goes to another address", async () => {
  const lab = await labFor()
  const env = { DEEPSEEK_API_KEY: 'sk-of-the-server', DEEPSEEK_BASE_URL: lab.baseURL }
  const reach = reachOf({ env })
  const engine = await engineAt(folders.newFolder(), lab, {
    runtime: (store, slots) => createRuntime({ providers: reach.providers, store, slots }),
    ownProviders: ownProvidersWith(reach, secret, true),
  })
  const { makerKeysIn } = await import('../../src/accounts/people.ts')
  const keys = makerKeysIn(engine.archive, secret)
  const asks = async (ownership: typeof team | typeof ada): Promise<Set<string>> => {
    lab.calls.length = 0
    const first = await createRoundtable({ env }).open({
      question: 'Should a small team start early?',
      seats: ['deepseek/deepseek-v4-flash', 'deepseek/deepseek-v4-pro'],
      moderator: null,
      protocol: 'poll',
    })
    await engine.queue.open(first, [], ownership)
    await finished(engine, first.id)
    return keysSent(lab)
  }
  const [server, own] = [new Set(['Bearer sk-of-the-server']), new Set(['Bearer sk-of-ada-herself'])]
  expect(await asks(ada)).toEqual(server)
  await keys.save('ada', 'deepseek', 'sk-of-ada-herself', lab.baseURL)
  expect(await asks(ada)).toEqual(own)
  expect(await asks(team)).toEqual(server)
  const log = JSON.stringify(await engine.archive.read((await engine.archive.list())[0]!.id))
  expect(log).not.toContain('sk-of-ada')
  await keys.save('ada', 'deepseek', 'sk-of-ada-herself', null)
  expect(await asks(ada)).toEqual(server)
})

test('[AC75] the account page takes a key of a maker, shows its end alone, and removes it', async () => {
  const reach = reachOf({ env: { DEEPSEEK_API_KEY: 'sk-of-the-server' } })
  const { comes, archive, log } = await startTeam({
    accounts: { secret },
    reach: { connections: reach.connections },
    runs: false,
  })
  const visit = await comes('Ada', 'member')
  const send = (path: string, fields: Record<string, string>) =>
    visit.call(path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  expect((await send('/account/maker-keys', { maker: 'deepseek', key: 'sk-of-ada-herself' })).status).toBe(
    303,
  )
  const page = await (await visit.call('/account')).text()
  expect(page).toContain('…self')
  expect(page + log() + JSON.stringify(await archive.records('maker-key'))).not.toContain('sk-of-ada')
  expect((await send('/account/maker-keys', { maker: 'nobody', key: 'sk-x' })).status).toBe(422)
  expect((await send('/account/maker-keys', { maker: 'deepseek', key: 'two words' })).status).toBe(422)
  expect((await send('/account/maker-keys/remove', { maker: 'deepseek' })).status).toBe(303)
  expect(await (await visit.call('/account')).text()).not.toContain('…self')
})
