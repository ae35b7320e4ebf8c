/** Commands in processes of their own, in a folder of their own. */
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Command, type Done, startCommand } from './command.ts'

/** One person's folder to start commands in. Whatever still runs at the end of the test is killed. */
export const terminals = (env: Record<string, string> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-terminals-'))
  const children = new Set<ChildProcess>()
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  })
  const usual = { ROUNDTABLE_DATA: join(folder, 'data'), ROUNDTABLE_TRUST: folder }
  const start = (words: readonly string[], more: Record<string, string> = {}): Command => {
    const command = startCommand(words, folder, { ...usual, ...env, ...more })
    children.add(command.child)
    void command.done.then(() => children.delete(command.child))
    return command
  }
  return { folder, start, run: (...words: string[]): Promise<Done> => start(words).done }
}
