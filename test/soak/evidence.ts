/** What failed and what was slow, and the bodies that did it, kept in a folder so that they can be sent again. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Evidence {
  /** A failure of the server, with the body that led to it. Equal failures are counted. */
  note(problem: string, body?: string): void
  /** A request that took long. */
  slow(what: string, milliseconds: number, body?: string): void
  problems(): string[]
  slowest(): string[]
}

const mostProblems = 200
const mostBodies = 40
const mostSlow = 8

export const gatherEvidence = (): Evidence => {
  const counts = new Map<string, { times: number; readonly kept: string }>()
  const slowOnes: { readonly what: string; readonly milliseconds: number }[] = []
  let more = 0
  let bodies = 0
  let folder: string | undefined

  /** Where the body is kept. */
  const keep = (body: string | undefined): string => {
    if (body === undefined || bodies === mostBodies) return ''
    folder ??= mkdtempSync(join(tmpdir(), 'roundtable-soak-bodies-'))
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `${++bodies}.txt`)
    writeFileSync(file, body)
    return ` — sent: ${file}`
  }
  return {
    note(problem, body) {
      const key = problem.slice(0, 1_000)
      const known = counts.get(key)
      if (known) known.times++
      else if (counts.size < mostProblems) counts.set(key, { times: 1, kept: keep(body) })
      else more++
    },
    slow(what, milliseconds, body) {
      if (slowOnes.length === mostSlow && slowOnes.at(-1)!.milliseconds >= milliseconds) return
      slowOnes.push({ what: `${what}${keep(body)}`, milliseconds })
      slowOnes.sort((one, other) => other.milliseconds - one.milliseconds)
      slowOnes.length = Math.min(slowOnes.length, mostSlow)
    },
    problems: () => [
      ...[...counts].map(
        ([problem, { times, kept }]) => `${problem}${kept}${times > 1 ? ` (${times} times)` : ''}`,
      ),
      ...(more > 0 ? [`and ${more} more`] : []),
    ],
    slowest: () =>
      slowOnes.map(({ what, milliseconds }) => `${(milliseconds / 1_000).toFixed(1)} s: ${what}`),
  }
}
