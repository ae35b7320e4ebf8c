/** The processes of a crash test: each is killed without warning, and another takes its place. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Order, Report, Setting } from './process.ts'

export interface Member {
  /** What it said it was running when it was last heard of. */
  running(): readonly string[]
  order(order: Order): void
  /** Kill -9. */
  kill(): Promise<void>
  /** Ends it as a person would. */
  close(): Promise<void>
}

const file = fileURLToPath(new URL('process.ts', import.meta.url))

/** Resolves when the process is ready; rejects when it ends before that. */
export const startMember = async (setting: Setting, hear: (report: Report) => void): Promise<Member> => {
  const child: ChildProcess = fork(file, [JSON.stringify(setting)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  let running: readonly string[] = []
  await new Promise<void>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`A process of the crash test ended with ${code}.`)))
    child.on('message', (report: Report) => {
      if (report.type === 'ready') resolve()
      else if (report.type === 'running') running = report.sessions
      else hear(report)
    })
  })
  return {
    running: () => running,
    order: order => void child.send(order, () => {}),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async close() {
      child.send({ type: 'close' } satisfies Order, () => {})
      await ended
    },
  }
}
