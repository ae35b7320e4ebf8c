/** The surroundings of a command, passed in so that a test can run it. */
import type { Environment } from '../../table/config.ts'
import type { Output } from './screen.ts'

export interface Shell {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream & Output
  readonly stderr: NodeJS.WritableStream & Output
  readonly env: Environment
  readonly cwd: string
  readonly clock: () => number
  /** Calls back at each Ctrl-C; returns a function that stops listening. */
  onInterrupt(listener: () => void): () => void
  /** Leaves at once, without cleaning up. */
  quit(code: number): void
  /** Stops the process if it hangs for so many seconds. Absent if the process is somebody else's, as in tests. */
  startWatchdog?(seconds: number): Promise<void>
}

/** What a command's file exports: it adds arguments and options, and what happens. */
export interface CommandModule {
  define(command: import('commander').Command, shell: Shell, finish: (code: number) => void): void
}
