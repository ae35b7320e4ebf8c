/** The table at the end of a soak. */
import { isFlat, quarter } from './memory.ts'
import type { Soaked } from './soak.ts'

export interface Row {
  readonly what: string
  readonly figure: string
  /** Undefined: a figure without a limit. */
  readonly good?: boolean
}

/** Milliseconds. */
const mostSilence = 1_000

const none = (what: string, count: number): Row => ({ what, figure: String(count), good: count === 0 })

export const rowsOf = (soaked: Soaked): Row[] => {
  const { imports, gap, memory } = soaked
  const [second, last] = [quarter(memory, 1), quarter(memory, 3)]
  const silence = gap?.milliseconds ?? Infinity
  return [
    {
      what: 'sessions',
      figure: `${soaked.sessions} opened, ${soaked.ended} ended, ${soaked.refused} refused`,
    },
    { what: 'model calls', figure: `${soaked.calls}, ${soaked.faults} with a fault` },
    { what: 'watchers', figure: `${soaked.watchers}, saw ${soaked.seen} events` },
    {
      what: 'imports of mutated sessions',
      figure: `${imports.sent}, ${imports.accepted} accepted, ${imports.refused} refused`,
    },
    { what: 'random requests', figure: String(soaked.requests.sent) },
    { what: 'kills', figure: String(soaked.kills) },
    { what: 'events stored', figure: String(soaked.events) },
    none('crashes that the soak did not cause', soaked.crashes.length),
    none('hangs that only a kill ended', soaked.hangs),
    {
      what: 'longest time without an answer of /healthz',
      figure: `${(silence / 1_000).toFixed(2)} s at ${new Date(gap?.from ?? 0).toISOString().slice(11, 19)}`,
      good: silence <= mostSilence,
    },
    {
      what: '  processor time of the server in it',
      figure: soaked.gapProcessor === undefined ? 'unknown' : `${(soaked.gapProcessor / 1_000).toFixed(2)} s`,
    },
    {
      what: '  the same of a server that does nothing',
      figure: `${((soaked.bareGap?.milliseconds ?? 0) / 1_000).toFixed(2)} s`,
    },
    {
      what: 'memory, second quarter and last quarter',
      figure: `${second.toFixed(0)} MB, ${last.toFixed(0)} MB`,
      good: isFlat(second, last),
    },
    none('events lost, gaps in logs', soaked.lost.length),
    none('sessions that did not end', soaked.unended.length),
    {
      what: 'sessions over their budget',
      figure: `${soaked.overBudget.length} of ${soaked.budgets}`,
      good: soaked.overBudget.length === 0,
    },
    {
      what: '  only by what a provider claims to have used',
      figure: `${soaked.claimed.length} of ${soaked.budgets}`,
    },
    none('failures outside of kills', soaked.problems.length),
  ]
}

export const tableOf = (rows: readonly Row[]): string =>
  rows
    .map(({ what, figure, good }) => {
      const mark = good === undefined ? '' : good ? 'ok' : 'FAILED'
      return `${what.padEnd(46)} ${figure.padEnd(44)} ${mark}`.trimEnd()
    })
    .join('\n')

const shown = 20

export const detailsOf = ({
  crashes,
  lost,
  unended,
  overBudget,
  claimed,
  problems,
  slowest,
}: Soaked): string[] =>
  [crashes, lost, unended, overBudget, claimed, problems, slowest].flatMap(list => [
    ...list.slice(0, shown),
    ...(list.length > shown ? [`… and ${list.length - shown} more like this`] : []),
  ])
