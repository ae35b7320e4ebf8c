/** Progress in steps: a bar on a terminal, a line for each tenth elsewhere. */
import type { Output } from './screen.ts'

const cells = 24
const tenths = 10

export interface StepBar {
  step(done: number, of: number): void
  end(): void
}

export const stepBar = (output: Output & NodeJS.WritableStream, doing: string): StepBar => {
  let shown = 0
  let width = 0
  const clear = (): void => {
    if (width > 0) output.write(`\r${' '.repeat(width)}\r`)
    width = 0
  }
  return {
    step(done, of) {
      const share = of === 0 ? 1 : done / of
      const words = `${doing} ${done}/${of}`
      if (output.isTTY) {
        const full = Math.round(share * cells)
        const line = `${'█'.repeat(full)}${'░'.repeat(cells - full)} ${words}`
        clear()
        output.write(line)
        width = line.length
      } else if (Math.floor(share * tenths) > shown) {
        shown = Math.floor(share * tenths)
        output.write(`${words}\n`)
      }
    },
    end: clear,
  }
}
