/** Questions at a terminal, for someone who is there to answer them. */
import { Interrupted } from './exit-codes.ts'
import type { Shell } from './shell.ts'

/** Asks only someone who can answer and read: on a terminal without a width, each letter would get a line. */
export const canAsk = ({ stdin, stderr }: Shell): boolean =>
  Boolean(stdin.isTTY && stderr.isTTY && stderr.columns !== 0)

/** The terminal's streams, and a signal that ends the question. */
export const asking = (shell: Shell, signal: AbortSignal) => ({
  input: shell.stdin as NodeJS.ReadStream,
  output: shell.stderr as NodeJS.WriteStream,
  signal,
})

/** The prompt returns a symbol for Ctrl-C. */
export const answerOf = <T>(answer: T, interrupted: string): Exclude<T, symbol> => {
  if (typeof answer === 'symbol') throw new Interrupted(interrupted)
  return answer as Exclude<T, symbol>
}
