/**
 * Packages that come with the first request: whoever only looks into the catalogue does without them.
 * They are required and not imported, for what needs them cannot wait.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

const once = <T>(load: () => T): (() => T) => {
  let loaded: T | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}

export const undici = once((): typeof import('undici') => require('undici'))

export const sdk = once((): typeof import('@ai-sdk/provider') => require('@ai-sdk/provider'))

/** Waiting is limited by the caller's signal alone: a slow model is no fault of the wire. */
export const agent = once(
  () => new (undici().Agent)({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } }),
)
