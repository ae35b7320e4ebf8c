/**
 * Runs once, before vitest starts its workers. What Node reads only when it starts (the language, proxies, options)
 * can't be changed later. The engine of the built-in models is downloaded here, because tests have no registry.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { enterCleanEnvironment } from './clean.ts'
import { fetchEngine } from './engine.ts'
import { keepEnvironmentOfNpm } from './npm.ts'
import { keepRunFolder } from './run-folder.ts'

export default async () => {
  keepEnvironmentOfNpm()
  await fetchEngine()
  const home = mkdtempSync(join(tmpdir(), 'roundtable-tests-'))
  enterCleanEnvironment(home)
  keepRunFolder(home)
  return () => rmSync(home, { recursive: true, force: true })
}
