/** Where a process says what it does: fields first, then words, as pino has it. */
export interface Logger {
  info(fields: object, words: string): void
  warn(fields: object, words: string): void
  error(fields: object, words: string): void
}

export const silentLogger: Logger = { info() {}, warn() {}, error() {} }
