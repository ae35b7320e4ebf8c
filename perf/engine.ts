/** The engine of the built-in models, in the usual cache. Whoever measures it agrees to its download. */
import { ensureEngine } from '../src/builtin/fetch.ts'
import { weightsCache } from '../src/table/reach.ts'

export const agreedEngine = (): Promise<string> =>
  ensureEngine(weightsCache(process.env), { consent: async () => true })
