/** Describes a failed connection: the host, and the code of the cause. */
import type { ModelError } from '../../core/errors.ts'
import { presentable } from './problem.ts'

const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection: is the server running?',
  ENOTFOUND: 'was not found: check the name and the network',
  EAI_AGAIN: 'could not be looked up: check the network',
  EHOSTUNREACH: 'cannot be reached: check the network',
  ENETUNREACH: 'cannot be reached: check the network',
  ETIMEDOUT: 'did not accept the connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'did not accept the connection in time',
}

/** If several addresses are tried at once, their errors come inside one. */
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
  /** Whether the reply had already started. */
  started: boolean,
  secrets: readonly string[],
): ModelError => {
  const cause = causeOf(error)
  const code = codeOf(cause)
  const { host } = url
  const known = explanations[code]
  const message = started
    ? `connection closed mid-answer by ${host} (${detail(cause)})`
    : known
      ? `${host} ${known} (${code})`
      : `connection to ${host} failed (${detail(cause)})`
  return { kind: 'network', message: presentable(message, secrets) }
}
