/** The progress of a download: a bar on a terminal, a line now and then elsewhere. */
import { megabytes } from '../../providers/house/weights.ts'
import type { Output } from './screen.ts'

const cells = 24
/** Without a terminal, a line for each tenth. */
const steps = 10

export interface DownloadBar {
  progress(bytes: number, of: number): void
  end(): void
}

export const downloadBar = (output: Output & NodeJS.WritableStream, what: string): DownloadBar => {
  let shown = -1
  return {
    progress(bytes, of) {
      const share = Math.min(1, bytes / of)
      const words = `${what}: ${megabytes(bytes)} of ${megabytes(of)}`
      if (output.isTTY) {
        const full = Math.round(share * cells)
        output.write(`\r${'█'.repeat(full)}${'░'.repeat(cells - full)} ${words} `)
        shown = full
      } else if (Math.floor(share * steps) > shown) {
        shown = Math.floor(share * steps)
        output.write(`${words}\n`)
      }
    },
    end() {
      if (output.isTTY && shown >= 0) output.write('\n')
    },
  }
}
