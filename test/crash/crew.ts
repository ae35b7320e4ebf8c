/** The commands of a crash test as a person starts them: a server, and workers beside it on a shared database. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Where } from '../../src/worker/engine-database.ts'
import { type Command, startCommand } from '../command.ts'
import type { Taking } from './take-over.ts'

export interface CrewOptions {
  readonly where: Where
  /** What the commands have for a home. */
  readonly home: string
  readonly workers: number
  /** Of the models. */
  readonly baseURL: string
}

export interface Crew {
  /** Of the server, the same over all its lives. */
  readonly address: string
  readonly size: number
  /** Who a member is in its present life: the key with which it calls models. */
  name(member: number): string
  /** Kill -9. */
  kill(member: number): Promise<void>
  /** The same command once more; fulfilled when it is ready. */
  start(member: number): Promise<void>
  /** Ends all of them as a person would. */
  close(): Promise<void>
  /** Who took which session, of those that have ended. */
  readonly takings: readonly Taking[]
  /** Who ended without being asked, and with what last words. */
  readonly fallen: readonly string[]
  /** Nothing is left running, however the test went. */
  abandon(): void
}

interface Life {
  readonly name: string
  readonly command: Command
  /** Whether somebody meant it to end. */
  ending: boolean
}

/** What a process says of itself: one JSON object a line. */
const takingsIn = (text: string, by: string): Taking[] =>
  text.split('\n').flatMap(line => {
    if (!line.endsWith('"msg":"Took sessions from the queue."}')) return []
    const { time, sessions } = JSON.parse(line) as { time: string; sessions: string[] }
    return sessions.map(session => ({ session, by, at: Date.parse(time) }))
  })

const patience = 30_000
const ready = /Roundtable is at (\S+)|Working/

export const startCrew = async ({ where, home, workers, baseURL }: CrewOptions): Promise<Crew> => {
  const lives: Life[] = []
  const fallen: string[] = []
  const takings: Taking[] = []
  let started = 0
  let port = '0'
  mkdirSync(home, { recursive: true })
  const usual = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_DATA_HOME: join(home, 'data'),
    ROUNDTABLE_LOCAL: 'no',
    ROUNDTABLE_ENDPOINTS: `lab=${baseURL}`,
    ...('address' in where && { DATABASE_URL: where.address }),
  }
  const words = (member: number): string[] => {
    if (member > 0) return ['worker', '--verbose']
    return ['serve', '--verbose', '--port', port, ...('folder' in where ? ['--data', where.folder] : [])]
  }

  const start = async (member: number): Promise<string> => {
    const name = `${member === 0 ? 'server' : `worker-${member}`}-life-${++started}`
    const command = startCommand(words(member), home, { ...usual, ROUNDTABLE_LAB_KEY: name })
    const life: Life = { name, command, ending: false }
    lives[member] = life
    void command.done.then(({ code, out, err }) => {
      takings.push(...takingsIn(err, name))
      if (!life.ending) fallen.push(`${name} ended by itself with ${code}: ${out}${err}`)
      else if (code !== 0 && code !== null) fallen.push(`${name} ended with ${code}: ${out}${err}`)
    })
    return command.wrote(ready).catch(error => {
      if (life.ending) return ''
      throw error
    })
  }
  const end = async (life: Life, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    const { child, done } = life.command
    life.ending = true
    child.kill(signal)
    const timer = setTimeout(() => {
      fallen.push(`${life.name} did not end on ${signal}`)
      child.kill('SIGKILL')
    }, patience)
    await done
    clearTimeout(timer)
  }

  const address = await start(0)
  port = new URL(address).port
  await Promise.all(Array.from({ length: workers }, (_, index) => start(index + 1)))
  return {
    address,
    size: workers + 1,
    name: member => lives[member]!.name,
    kill: member => end(lives[member]!, 'SIGKILL'),
    start: async member => void (await start(member)),
    close: async () => void (await Promise.all(lives.map(life => end(life, 'SIGTERM')))),
    takings,
    fallen,
    abandon() {
      for (const { command } of lives) command.child.kill('SIGKILL')
    },
  }
}
