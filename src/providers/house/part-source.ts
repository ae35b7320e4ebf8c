/** A source of the parts of a model's weights. */
import type { WeightsPart } from './built-in.ts'

export interface PartSource {
  /** Whether it can continue a file that an interrupted download has left. If so, the file is kept. */
  readonly resumes: boolean
  /** Downloads the part into the file, and reports the bytes so far. Rejects if it can't. */
  fetch(
    part: WeightsPart,
    file: string,
    progress: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<void>
}
