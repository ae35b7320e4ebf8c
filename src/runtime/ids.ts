/** Ids of sessions. */
import { randomBytes } from 'node:crypto'

/** Sorted by day and short enough to type: `20261115-x7k2m9`. */
export const dayId = (clock: () => number) => (): string => {
  const day = new Date(clock()).toISOString().slice(0, 10).replaceAll('-', '')
  return `${day}-${[...randomBytes(6)].map(byte => (byte % 32).toString(32)).join('')}`
}
