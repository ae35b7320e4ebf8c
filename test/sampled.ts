/** Tests that take long: `npm test` has a sample of their cases, and `npm run test:long` has them all. */
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** 1: every case. Otherwise one worst case of foreign text in so many, and samples elsewhere. */
    oneCaseIn: number
  }
}

export const isWhole = (): boolean => inject('oneCaseIn') === 1

/** One in so many, the first among them. */
export const sampled = <T>(cases: readonly T[], oneIn: number): readonly T[] =>
  isWhole() ? cases : cases.filter((_, index) => index % oneIn === 0)
