/** What a call takes at a table of two hundred against one at tables of six, with as many seats in all. */
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
  /** Rounds that were held, the sealed one among them. */
  readonly rounds: number
  /** Milliseconds a call. */
  readonly processor: number
  /** Bytes by which the process grew at its peak, for each call. */
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

/** Three times in turn, so that what else the machine does falls on both. */
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
