/**
 * Runs once, before vitest starts its workers. What Node reads only when it starts (the language, proxies, options)
 * can't be changed later.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { enterCleanEnvironment } from './clean.ts'
import { keepRunFolder } from './run-folder.ts'

export default () => {
  const home = mkdtempSync(join(tmpdir(), 'roundtable-tests-'))
  enterCleanEnvironment(home)
  keepRunFolder(home)
  return () => rmSync(home, { recursive: true, force: true })
}
