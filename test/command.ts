/** A command in a process of its own, the way a person starts one. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { cleanEnvironment } from './environment/clean.ts'

const main = new URL('../src/main/main.ts', import.meta.url).pathname

export interface Done {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Command {
  readonly child: ChildProcess
  /** Resolves when its output matches; rejects if it ends without a match. */
  wrote(pattern: RegExp): Promise<string>
  readonly done: Promise<Done>
}

/** Starts a command in a clean environment, with its folder as home; `env` adds to it. The program is the source. */
export const startCommand = (
  words: readonly string[],
  cwd: string,
  env: Record<string, string>,
  program = main,
): Command => {
  const child = spawn(process.execPath, [program, ...words], {
    cwd,
    env: { ...cleanEnvironment(cwd), ...env },
  })
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
          if (!found) return
          // Otherwise each further chunk would be searched again, with everything before it.
          listeners.delete(look)
          resolve(found[1] ?? found[0])
        }
        listeners.add(look)
        look()
        ended.then(() => reject(new Error(`The command ended without ${pattern}: ${written}`)))
      }),
  }
}
