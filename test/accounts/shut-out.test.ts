/** Links of somebody who was shut out, and a worker that isn't told of people. */

import { expect, onTestFinished, test } from 'vitest'
import { openedSchema } from '../../src/api/sessions.ts'
import { serverArchive } from '../../src/store/server.ts'
import { terminals } from '../command-line.ts'
import { question } from '../server/setup.ts'
import { openStream } from '../server/stream.ts'
import { newServer, withoutPostgres } from '../worker/setting.ts'
import { accountsOf, shelve, startTeam } from './people.ts'

const terminal = { who: 'terminal', from: 'here' }

test('[AC152] links of a disabled owner show nothing, end what is watched, and work again once the owner is enabled', async () => {
  const team = await startTeam({ runs: false, heartbeatMs: 50 })
  const [ada, bob] = [await team.comes('Ada', 'member'), await team.comes('Bob', 'member')]
  await shelve(team.archive, 'private', 'zephyrous', { owner: ada.person.id, visibility: 'private' })
  await shelve(team.archive, 'teams', 'zephyrous', { owner: ada.person.id, visibility: 'team' })
  const linkOf = async (id: string) =>
    ((await (await ada.call(`/api/sessions/${id}/share`, { method: 'POST' })).json()) as { token: string })
      .token
  const seated = { ...question, people: ['Grace'] }
  const { people } = openedSchema.parse(await (await ada.call('/api/sessions', { json: seated })).json())
  const links = [
    ...(await Promise.all(['private', 'teams'].map(linkOf))).flatMap(token => [
      ...[`/api/shared/${token}`, `/shared/${token}/preview.png`],
    ]),
    `/api${people![0]!.path}`,
  ]
  const statuses = () => Promise.all(links.map(async path => (await team.call(path)).status))
  expect(await statuses()).toEqual([200, 200, 200, 200, 200])
  const watched = await openStream(`${team.address}${links[0]}/events`)
  await watched.until(messages => messages.length > 0)
  await team.accounts.disable(ada.person, terminal)
  expect(await statuses()).toEqual([404, 404, 404, 404, 404])
  await watched.ended
  expect((await openStream(`${team.address}${links[0]}/events`)).status).toBe(404)
  expect(await (await team.call(links[0]!)).text()).toContain('was revoked or is incomplete')
  // Those who have an account still see what was shared with the team.
  expect((await bob.call('/api/sessions/teams')).status).toBe(200)
  await team.accounts.enable({ ...ada.person, disabled: true }, terminal)
  expect(await statuses()).toEqual([200, 200, 200, 200, 200])
})

test.skipIf(withoutPostgres !== '')(
  `[AC153] a worker on an archive with people says what to set, and runs nothing before${withoutPostgres}`,
  async () => {
    const server = (await newServer())!
    onTestFinished(() => server.stop())
    const address = await server.newDatabase()
    const archive = await serverArchive(address)
    await accountsOf(archive).people.add({ name: 'Ada', role: 'member' })
    await archive.saveRecord('endpoint', 'ada X', {}, 'ada')
    await archive.close()
    const { run } = terminals({ DATABASE_URL: address })
    const unset = await run('worker')
    expect([unset.code, unset.err]).toEqual([2, expect.stringContaining('Set ROUNDTABLE_ACCOUNTS to "on"')])
    const on = terminals({ DATABASE_URL: address, ROUNDTABLE_ACCOUNTS: 'on' })
    const secretless = await on.run('worker')
    expect([secretless.code, secretless.err]).toEqual([2, expect.stringContaining('Set ROUNDTABLE_SECRET')])
    const off = terminals({ DATABASE_URL: address, ROUNDTABLE_ACCOUNTS: 'off' }).start(['worker'], {})
    await off.wrote(/Working\./)
    off.child.kill('SIGTERM')
    expect((await off.done).err).toContain('Accounts are off: their budgets, keys and endpoints')
  },
  120_000,
)
