/** The one typed error that whatever an AI SDK package throws comes to, in the maker's own words. */
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

/** Errors in a stream, and those of the gateway's package, have a status but are not API call errors. */
const statusOf = (error: unknown): number | undefined => {
  const { statusCode } = (error ?? {}) as { statusCode?: unknown }
  return typeof statusCode === 'number' && statusCode >= 400 ? statusCode : undefined
}

/** A reply that is not of the maker's format may still be an error in somebody else's. */
const unreadable = (problem: ProviderProblem, secrets: readonly string[]): ModelError => {
  if (problem.code !== '' || problem.status !== undefined) return reportedError(problem, secrets)
  const words = `the reply is not in the maker's format: ${problem.words || 'it says nothing'}`
  return { kind: 'server-error', message: presentable(words, secrets) }
}

const callFailure = (error: CallError, secrets: readonly string[]): SdkFailure => {
  const { statusCode, responseBody, responseHeaders = {}, url, cause } = error
  if (statusCode === undefined) return { error: networkError(error, new URL(url), false, secrets) }
  if (statusCode < 300) {
    if (responseBody !== undefined) return { error: unreadable(problemFrom(responseBody), secrets) }
    return { error: networkError(cause instanceof Error ? cause : error, new URL(url), true, secrets) }
  }
  // The package's own message is the status text where the body is not of the form it knows.
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
  // The gateway's package wraps the call's error, and puts words of its own in place of the gateway's.
  if (error instanceof Error && APICallError.isInstance(error.cause)) return callFailure(error.cause, secrets)
  if (TypeValidationError.isInstance(error)) return { error: unreadable(problemIn(error.value), secrets) }
  if (JSONParseError.isInstance(error)) return { error: unreadable(problemFrom(error.text), secrets) }
  const problem = problemIn(error instanceof Error ? { message: error.message } : error)
  const status = statusOf(error)
  return {
    error: status === undefined ? reportedError(problem, secrets) : statusError(status, {}, problem, secrets),
  }
}
