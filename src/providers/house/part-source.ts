/** Where the parts of a model's weights come from. */
import type { WeightsPart } from './built-in.ts'

export interface PartSource {
  /** Goes on with a file that an interrupted fetch has left, so that it is worth keeping. */
  readonly resumes: boolean
  /** Writes the part to the file, telling its bytes as they come; rejects where it cannot be had. */
  fetch(
    part: WeightsPart,
    file: string,
    progress: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<void>
}
