import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { archiveContract } from '../../test/contracts/store-archive-contract.ts'
import { opened, storeContract } from '../../test/contracts/store-contract.ts'
import { postgresPrograms, startPostgres } from '../../test/postgres-server.ts'
import { serverArchive } from './server.ts'

const programs = await postgresPrograms()
const why = programs ? '' : ' (skipped: there is no Postgres here that this user may run)'

describe.skipIf(!programs)(`on a Postgres server${why}`, async () => {
  if (!programs) return
  const server = await startPostgres(programs)
  afterAll(() => server.stop(), 30_000)

  const openAt = async (address: string) => {
    const archive = await serverArchive(address)
    onTestFinished(() => archive.close())
    return archive
  }
  const source = JSON.stringify(new URL('server.ts', import.meta.url).href)

  storeContract('Postgres', async () => {
    const address = await server.newDatabase()
    const store = await openAt(address)
    const others = await Promise.all([openAt(address), openAt(address)])
    let turn = 0
    return {
      store,
      again: () => others[turn++ % others.length]!,
      module: `import { serverArchive } from ${source}; export default await serverArchive('${address}')`,
    }
  })
  archiveContract('Postgres', async () => openAt(await server.newDatabase()))

  test('[S19] processes that start at once on an empty database migrate it one after another', async () => {
    const address = await server.newDatabase()
    const archives = await Promise.all(Array.from({ length: 6 }, () => openAt(address)))
    await archives[0]!.append('a', [opened('a')])
    expect(await archives[5]!.read('a')).toHaveLength(1)
  })

  test("[S20] the error about a database that can't be reached does not contain its password", async () => {
    const wrong = 'postgres://someone:secret@127.0.0.1:1/sessions'
    const error = await serverArchive(wrong).catch((reason: Error) => reason)
    expect(error).toMatchObject({
      message: expect.stringMatching(/Can't use the database 127\.0\.0\.1:1\/sessions/),
    })
    expect(String(error)).not.toContain('secret')
  })
})
