/** What the two threads of a watchdog share. */
export interface Watched {
  /** How often the main thread has shown that it lives, and 1 if a debugger may hold it. */
  readonly state: Int32Array<SharedArrayBuffer>
  readonly seconds: number
}

export const lastWords = (seconds: number): string =>
  `Roundtable did nothing for ${seconds} s and was stopped. What was saved is kept: a server goes on with its sessions at the next start, and others can be resumed.\n`
