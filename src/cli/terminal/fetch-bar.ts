/** The progress of a fetch: a bar on a terminal, a line now and then elsewhere. */
import { megabytes } from '../../providers/house/weights.ts'
import type { Output } from './screen.ts'

const cells = 24
/** Without a terminal, a line for each tenth. */
const steps = 10

export interface FetchBar {
  progress(bytes: number, of: number): void
  end(): void
}

export const fetchBar = (output: Output & NodeJS.WritableStream, what: string): FetchBar => {
  let told = -1
  return {
    progress(bytes, of) {
      const share = Math.min(1, bytes / of)
      const words = `${what}: ${megabytes(bytes)} of ${megabytes(of)}`
      if (output.isTTY) {
        const full = Math.round(share * cells)
        output.write(`\r${'█'.repeat(full)}${'░'.repeat(cells - full)} ${words} `)
        told = full
      } else if (Math.floor(share * steps) > told) {
        told = Math.floor(share * steps)
        output.write(`${words}\n`)
      }
    },
    end() {
      if (output.isTTY && told >= 0) output.write('\n')
    },
  }
}
