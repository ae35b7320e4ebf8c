/** Words for a connection that failed: its address, and the code of the cause. */
import type { ModelError } from '../../core/errors.ts'
import { presentable } from './problem.ts'

const refused: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection: nothing is running there',
  ENOTFOUND: 'was not found: is the name right, and is there a network?',
  EAI_AGAIN: 'could not be looked up: is there a network?',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached: is there a network?',
  ETIMEDOUT: 'did not accept the connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'did not accept the connection in time',
}

/** Several addresses tried at once fail as one error that holds the others. */
const causeOf = (error: Error): Error => {
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return causeOf(error.errors[0])
  return error.cause instanceof Error ? causeOf(error.cause) : error
}

const codeOf = (error: Error): string => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

const detail = (error: Error): string =>
  [error.message, codeOf(error)].filter(part => part !== '').join(', ') || error.name

export const networkError = (
  error: Error,
  url: URL,
  begun: boolean,
  secrets: readonly string[],
): ModelError => {
  const cause = causeOf(error)
  const code = codeOf(cause)
  const place = url.host
  const known = refused[code]
  const message = begun
    ? `connection closed mid-answer by ${place} (${detail(cause)})`
    : known
      ? `${place} ${known} (${code})`
      : `connection to ${place} failed (${detail(cause)})`
  return { kind: 'network', message: presentable(message, secrets) }
}
