/**
 * The engine of the built-in models for tests. It is downloaded once per checkout, with the consent of whoever runs the
 * tests, before they enter their clean environment. `npm ci` removes it.
 */

import { fileURLToPath } from 'node:url'
import { engineFolder, ensureEngine } from '../../src/builtin/fetch.ts'
import { lockFolder } from '../../src/store/folder-lock.ts'

const cache = {
  folder: fileURLToPath(new URL('../../node_modules/.cache/roundtable/models', import.meta.url)),
  lock: lockFolder,
}

export const engineOfTests = engineFolder(cache)

export const fetchEngine = (): Promise<string> => ensureEngine(cache, { consent: async () => true })
