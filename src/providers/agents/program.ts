/** Runs a program in an empty folder and in a process group of its own, and ends the whole group. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** An empty working folder, and a folder beside it for what a call hands over. */
export interface Workplace {
  readonly folder: string
  file(name: string, text: string): Promise<string>
  remove(): Promise<void>
}

export const makeWorkplace = async (): Promise<Workplace> => {
  const base = await mkdtemp(join(tmpdir(), 'roundtable-agent-'))
  const folder = join(base, 'empty')
  watchExit()
  workplaces.add(base)
  await mkdir(folder, { mode: 0o700 })
  return {
    folder,
    async file(name, text) {
      const path = join(base, name)
      await writeFile(path, text, { mode: 0o600 })
      return path
    },
    async remove() {
      await rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(() => {})
      workplaces.delete(base)
    },
  }
}

export interface ProgramOptions {
  readonly path: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

export interface RunningProgram {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** The end of what it wrote to its error output. */
  complaint(): string
  /** Ends it and whatever it started, at once. */
  end(): void
}

/** The last words say what went wrong. */
const longestComplaint = 8_192

/** If this process ends, the groups must not outlive it: nobody would read what they write. */
const underWay = new Set<number>()
const workplaces = new Set<string>()
let watching = false

const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

const watchExit = (): void => {
  if (watching) return
  watching = true
  process.once('exit', () => {
    for (const pid of underWay) killGroup(pid)
    for (const base of workplaces) rmSync(base, { recursive: true, force: true })
  })
}

/** Never throws: a program that can't be started has an `error` event. */
export const startProgram = ({ path, args, env, cwd }: ProgramOptions): RunningProgram => {
  watchExit()
  const child = spawn(path, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  const { pid } = child
  let complaint = ''
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => {
    complaint = (complaint + text).slice(-longestComplaint)
  })
  // A program that ends without reading its prompt closes the pipe.
  child.stdin.on('error', () => {})
  const end = (): void => {
    if (pid === undefined || !underWay.delete(pid)) return
    killGroup(pid)
  }
  if (pid !== undefined) underWay.add(pid)
  // What it started in the background ends with it.
  child.once('exit', end)
  return { child, complaint: () => complaint, end }
}
