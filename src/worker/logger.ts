/** Where a process says what it does: fields first, then words, as pino has it. */
export interface Logger {
  debug(fields: object, words: string): void
  info(fields: object, words: string): void
  warn(fields: object, words: string): void
  error(fields: object, words: string): void
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }
