/**
 * Which parts of a message end at a cache mark, for makers that cache nothing without one: the question, and what else
 * other calls repeat. A mark is charged for, so a part that nobody repeats has none.
 */
import type { ModelCall } from './provider.ts'

export const isMarked = ({ shared = 0 }: Pick<ModelCall, 'shared'>, index: number): boolean =>
  index < shared && (index === 0 || index === shared - 1)
