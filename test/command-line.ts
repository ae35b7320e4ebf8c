/** The command line as processes of its own, in a folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

const main = new URL('../src/cli/main.ts', import.meta.url).pathname

export interface Done {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Command {
  readonly child: ChildProcess
  /** Once it has written something that fits. */
  wrote(pattern: RegExp): Promise<string>
  readonly done: Promise<Done>
}

const started = (words: readonly string[], cwd: string, env: Record<string, string>): Command => {
  const child = spawn(process.execPath, [main, ...words], { cwd, env: { PATH: process.env.PATH, ...env } })
  child.stdin.end()
  let written = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      written += chunk
      for (const listener of listeners) listener()
    })
  const ended = once(child, 'close')
  const done = Promise.all([text(child.stdout), text(child.stderr), ended]).then(([out, err, [code]]) => ({
    ...{ code, out, err },
  }))
  return {
    child,
    done,
    wrote: pattern =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(written)
          if (found) resolve(found[1] ?? found[0])
        }
        listeners.add(look)
        look()
        ended.then(() => reject(new Error(`It ended without ${pattern}: ${written}`)))
      }),
  }
}

/** A folder of one person, in which commands are started; whatever still runs at the end of the test is ended. */
export const terminals = (env: Record<string, string> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-terminals-'))
  const children = new Set<ChildProcess>()
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  })
  const usual = { HOME: folder, ROUNDTABLE_DATA: join(folder, 'data'), ROUNDTABLE_LOCAL: 'no', NO_COLOR: '1' }
  const start = (words: readonly string[], more: Record<string, string> = {}): Command => {
    const command = started(words, folder, { ...usual, ...env, ...more })
    children.add(command.child)
    void command.done.then(() => children.delete(command.child))
    return command
  }
  return { folder, start, run: (...words: string[]): Promise<Done> => start(words).done }
}
