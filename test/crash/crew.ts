/** The commands of a crash test, started like a person would: a server, and workers on the same database. */

import { mkdirSync } from 'node:fs'
import type { Where } from '../../src/run/jobs.ts'
import { type Command, startCommand } from '../command.ts'
import type { Taking } from './take-over.ts'

export interface CrewOptions {
  readonly where: Where
  /** The home folder of the commands. */
  readonly home: string
  readonly workers: number
  /** The address of the models. */
  readonly baseURL: string
}

export interface Crew {
  /** The server's address, the same after each restart. */
  readonly address: string
  readonly size: number
  /** The name of a member since its last start: the key with which it calls models. */
  name(member: number): string
  /** Kill -9. */
  kill(member: number): Promise<void>
  /** Runs the same command again; resolves when it is ready. */
  start(member: number): Promise<void>
  /** Stops all of them like a person would. */
  close(): Promise<void>
  /** Which process took which session, for processes that have ended. */
  readonly takings: readonly Taking[]
  /** Processes that ended by themselves, with their last output. */
  readonly fallen: readonly string[]
  /** Kills whatever still runs. */
  abandon(): void
}

interface Life {
  readonly name: string
  readonly command: Command
  /** Whether it was told to end. */
  ending: boolean
}

/** The log of a process: one JSON object per line. */
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
