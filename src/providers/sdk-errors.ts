/** The one typed error that whatever an AI SDK package throws comes to, in the maker's own words. */
import { APICallError } from '@ai-sdk/provider'
import type { ModelError } from '../core/errors.ts'
import { reportedError, retryAfter, statusError } from './http-errors.ts'
import { networkError } from './network-errors.ts'
import { problemFrom, problemIn } from './problem.ts'

export interface SdkFailure {
  readonly error: ModelError
  readonly retryAfterMs?: number
}

/** Errors of the gateway's package have a status, but are not API call errors. */
const statusOf = (error: Error): number | undefined => {
  const { statusCode } = error as { statusCode?: unknown }
  return typeof statusCode === 'number' ? statusCode : undefined
}

export const sdkError = (error: unknown, secrets: readonly string[]): SdkFailure => {
  if (APICallError.isInstance(error)) {
    const { statusCode, responseBody, responseHeaders = {}, url } = error
    if (statusCode === undefined) return { error: networkError(error, new URL(url), false, secrets) }
    // The package's own message is the status text where the body is not of the form it knows.
    const problem = problemFrom(responseBody ?? error.message)
    const retryAfterMs = retryAfter(responseHeaders, Date.now())
    return {
      error: statusError(statusCode, responseHeaders, problem, secrets),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    }
  }
  if (!(error instanceof Error)) return { error: reportedError(problemIn(error), secrets) }
  const status = statusOf(error)
  if (status !== undefined)
    return { error: statusError(status, {}, problemIn({ message: error.message }), secrets) }
  return { error: reportedError(problemIn({ message: error.message }), secrets) }
}
