/**
 * Packages that are loaded by the first request, so that commands without a request start faster.
 * They are loaded with `require`, because an import would be asynchronous and the callers aren't.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

const lazily = <T>(load: () => T): (() => T) => {
  let loaded: T | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}

export const undici = lazily((): typeof import('undici') => require('undici'))

export const sdk = lazily((): typeof import('@ai-sdk/provider') => require('@ai-sdk/provider'))

/** Has no timeout for a reply, because some models take minutes. The caller's signal ends the wait. */
export const agent = lazily(
  () => new (undici().Agent)({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } }),
)
