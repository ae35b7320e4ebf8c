/** How long commands that call no model take to start, compared with Node itself. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main/main.ts', import.meta.url))
const runs = 9

const commands: readonly { readonly label: string; readonly words: readonly string[] }[] = [
  { label: 'node -e 0', words: ['-e', '0'] },
  { label: 'roundtable --version', words: [main, '--version'] },
  { label: 'roundtable --help', words: [main, '--help'] },
  { label: 'roundtable models claude', words: [main, 'models', 'claude'] },
]

export interface Startup {
  readonly label: string
  /** The median, in milliseconds. */
  readonly milliseconds: number
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** In alternation, so that other work of the machine affects all of them equally. */
export const startup = (): readonly Startup[] => {
  const home = mkdtempSync(join(tmpdir(), 'roundtable-startup-'))
  const times = commands.map((): number[] => [])
  try {
    for (let run = 0; run < runs; run++) {
      for (const [index, { label, words }] of commands.entries()) {
        const begun = performance.now()
        const { status } = spawnSync(process.execPath, words, { cwd: home, env: { HOME: home } })
        if (status !== 0) throw new Error(`${label} ended with ${status}`)
        times[index]!.push(performance.now() - begun)
      }
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
  return commands.map(({ label }, index) => ({ label, milliseconds: median(times[index]!) }))
}
