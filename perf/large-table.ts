/** What a call costs at a table of two hundred, compared with tables of six and the same number of seats in total. */
import { fork } from 'node:child_process'

export interface TableJob {
  readonly baseURL: string
  readonly seats: number
  readonly sessions: number
  readonly repeat: number
}

export interface TableMeasured {
  readonly calls: number
  readonly inputTokens: number
  /** Rounds, including the sealed one. */
  readonly rounds: number
  /** Milliseconds per call. */
  readonly processor: number
  /** Bytes per call by which the process grew at its peak. */
  readonly memory: number
}

const measure = (job: TableJob): Promise<TableMeasured> =>
  new Promise((resolve, reject) => {
    const file = new URL('large-table-client.ts', import.meta.url).pathname
    const child = fork(file, [JSON.stringify(job)])
    child.once('message', message => resolve(message as TableMeasured))
    child.once('exit', code => reject(new Error(`a benchmark process ended with ${code}`)))
  })

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!

const middle = (runs: readonly TableMeasured[]): TableMeasured => ({
  ...runs[0]!,
  processor: median(runs.map(run => run.processor)),
  memory: median(runs.map(run => run.memory)),
})

/** Three times in alternation, so that other work of the machine affects both. */
export const largeTable = async (
  baseURL: string,
): Promise<{ small: TableMeasured; large: TableMeasured }> => {
  const runs: { small: TableMeasured; large: TableMeasured }[] = []
  for (let run = 0; run < 3; run++) {
    runs.push({
      small: await measure({ baseURL, seats: 6, sessions: 33, repeat: 3 }),
      large: await measure({ baseURL, seats: 200, sessions: 1, repeat: 3 }),
    })
  }
  return { small: middle(runs.map(run => run.small)), large: middle(runs.map(run => run.large)) }
}
