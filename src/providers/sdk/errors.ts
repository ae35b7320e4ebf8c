/** Turns whatever an AI SDK package throws into one typed error, in the maker's own words. */
import type { APICallError as CallError } from '@ai-sdk/provider'
import type { ModelError } from '../../core/errors.ts'
import { reportedError, retryAfter, statusError } from '../http/http-errors.ts'
import { networkError } from '../http/network-errors.ts'
import { type ProviderProblem, presentable, problemFrom, problemIn } from '../http/problem.ts'
import { sdk } from './on-demand.ts'

export interface SdkFailure {
  readonly error: ModelError
  readonly retryAfterMs?: number
}

/** Errors in a stream, and those of the gateway's package, have a status but aren't an APICallError. */
const statusOf = (error: unknown): number | undefined => {
  const { statusCode } = (error ?? {}) as { statusCode?: unknown }
  return typeof statusCode === 'number' && statusCode >= 400 ? statusCode : undefined
}

/** A reply that isn't in the maker's format may still be an error in another known format. */
const unreadable = (problem: ProviderProblem, secrets: readonly string[]): ModelError => {
  if (problem.code !== '' || problem.status !== undefined) return reportedError(problem, secrets)
  const words = `the reply isn't in the maker's format: ${problem.words || 'it is empty'}`
  return { kind: 'server-error', message: presentable(words, secrets) }
}

const callFailure = (error: CallError, secrets: readonly string[]): SdkFailure => {
  const { statusCode, responseBody, responseHeaders = {}, url, cause } = error
  if (statusCode === undefined) return { error: networkError(error, new URL(url), false, secrets) }
  if (statusCode < 300) {
    if (responseBody !== undefined) return { error: unreadable(problemFrom(responseBody), secrets) }
    return { error: networkError(cause instanceof Error ? cause : error, new URL(url), true, secrets) }
  }
  // If the package can't read the body, its own message is only the status text.
  const problem = problemFrom(responseBody ?? error.message)
  const retryAfterMs = retryAfter(responseHeaders, Date.now()) ?? problem.retryAfterMs
  return {
    error: statusError(statusCode, responseHeaders, problem, secrets),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

export const sdkError = (error: unknown, secrets: readonly string[]): SdkFailure => {
  const { APICallError, JSONParseError, TypeValidationError } = sdk()
  if (APICallError.isInstance(error)) return callFailure(error, secrets)
  // The gateway's package wraps the call's error and replaces the gateway's message with its own.
  if (error instanceof Error && APICallError.isInstance(error.cause)) return callFailure(error.cause, secrets)
  if (TypeValidationError.isInstance(error)) return { error: unreadable(problemIn(error.value), secrets) }
  if (JSONParseError.isInstance(error)) return { error: unreadable(problemFrom(error.text), secrets) }
  const problem = problemIn(error instanceof Error ? { message: error.message } : error)
  const status = statusOf(error)
  return {
    error: status === undefined ? reportedError(problem, secrets) : statusError(status, {}, problem, secrets),
  }
}
