/** The log of a process: fields first, then a sentence, as in pino. */
export interface Logger {
  debug(fields: object, words: string): void
  info(fields: object, words: string): void
  warn(fields: object, words: string): void
  error(fields: object, words: string): void
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }
