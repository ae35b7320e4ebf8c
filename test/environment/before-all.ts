/**
 * Runs once, before vitest starts its workers. What Node reads only when it starts (the language, proxies, options)
 * can't be changed later. The engine of the built-in models is downloaded here, because tests have no registry.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { enterCleanEnvironment } from './clean.ts'
import { fetchEngine } from './engine.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** What the npm client needs to reach its registry and its cache. Only the test of the package uses it. */
    environmentOfNpm: Record<string, string>
  }
}

const ofNpm = /^(HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_\w+|npm_config_\w+|\w+_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+)$/i

const environmentOfNpm = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => ofNpm.test(entry[0])),
  )

export default async ({ provide }: TestProject) => {
  provide('environmentOfNpm', environmentOfNpm())
  await fetchEngine()
  const home = mkdtempSync(join(tmpdir(), 'roundtable-tests-'))
  enterCleanEnvironment(home)
  return () => rmSync(home, { recursive: true, force: true })
}
