/** What a reader should know about a verdict: its flags, and what went wrong on the way. */
import type { ModelError } from '../errors.ts'
import type { ModeratorTask } from '../log/event.ts'
import { type Flag, flags } from '../verdict/flags.ts'
import { failureWords } from './handed-in.ts'

const taskWords: Record<ModeratorTask, string> = {
  kind: 'say what kind of question it is',
  readings: 'put together how seats read the question',
  reading: 'read the round in one call',
  group: 'group the answers',
  check: 'check who agrees',
  digest: 'sum up the round',
  challenge: 'look for an objection',
  judge: 'judge the two cases',
  report: 'write the report',
  change: 'check a change of mind',
}

const isTask = (task: string): task is ModeratorTask => Object.hasOwn(taskWords, task)

/** "could not group the answers" */
export const couldNot = (task: string): string => `could not ${isTask(task) ? taskWords[task] : task}`

export interface Remark {
  readonly head: string
  readonly words: string
}

const isFlag = (flag: string): flag is Flag => Object.hasOwn(flags, flag)

/** A document of a later version may have flags that this one has no words for. */
export const flagRemarks = (found: readonly string[]): Remark[] =>
  found.map(flag => ({ head: flag, words: isFlag(flag) ? flags[flag] : '' }))

interface Problems {
  readonly failures: readonly { readonly task: string; readonly error: ModelError }[]
  /** Why reports of the moderator were not used. */
  readonly rejected: readonly string[]
  readonly stopped?: { readonly reason: string; readonly words: string }
}

export const problemRemarks = ({ failures, rejected, stopped }: Problems): Remark[] => [
  ...failures.map(({ task, error }) => ({
    head: `moderator ${couldNot(task)}`,
    words: failureWords(error),
  })),
  ...rejected.map(words => ({ head: 'report rejected', words })),
  ...(stopped ? [{ head: `stopped (${stopped.reason})`, words: stopped.words }] : []),
]
