/** What a reader should know about a verdict: its flags, and what went wrong on the way. */
import type { ModelError } from '../errors.ts'
import type { ModeratorTask, Seat } from '../log/event.ts'
import type { Excerpts } from '../question/excerpts.ts'
import { type Flag, flags } from '../verdict/flags.ts'
import { failureWords } from './handed-in.ts'
import { excerptWords, unseenWords } from './picture-words.ts'

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

/** A remark with a few words for it that go on after "Read with care:". */
export interface CareRemark extends Remark {
  readonly phrase: string
}

const isFlag = (flag: string): flag is Flag => Object.hasOwn(flags, flag)

/** What some flags count, from a session or its document. */
export interface FlagCounts {
  readonly seats?: readonly Pick<Seat, 'sees'>[]
  readonly excerpts?: Excerpts | undefined
}

/** The words of a flag, with its count if it has one. */
const wordsFor = (flag: string, { seats = [], excerpts }: FlagCounts): string => {
  if (!isFlag(flag)) return ''
  if (flag === 'unseen pictures') return `${sentence(unseenWords(seats))} ${flags[flag]}`
  if (flag === 'excerpts' && excerpts) return `${sentence(excerptWords(excerpts))} ${flags[flag]}`
  return flags[flag]
}

const phraseFor = (flag: Flag, { seats = [], excerpts }: FlagCounts): string => {
  if (flag === 'unseen pictures') return unseenWords(seats)
  return flag === 'excerpts' && excerpts ? excerptWords(excerpts) : flagPhrases[flag]
}

const sentence = (words: string): string =>
  words === '' ? '' : `${words[0]!.toUpperCase()}${words.slice(1)}.`

/** A document of a later version may have flags that this one has no words for. */
export const flagRemarks = (found: readonly string[], counts: FlagCounts): Remark[] =>
  found.map(flag => ({ head: flag, words: wordsFor(flag, counts) }))

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

const flagPhrases: Record<Flag, string> = {
  herding: 'seats joined the largest camp without a reason that checks out',
  'minority overrun': 'a minority gave in without a reason that checks out',
  'surprisingly popular': 'more seats than expected gave another answer in the sealed round',
  'length bias': 'the answers that won others over were much longer',
  'contested grouping': 'it is contested who agrees with whom',
  ungrouped: 'only equal headlines count as agreement',
  'low confidence': 'the leading answer is uncertain',
  'judge dissents': 'the judge ruled for another answer',
  'judge swayed by order': 'the order of the cases swayed the judge',
  'market dissents': 'the market prefers another option',
  'unsupported sources': 'an answer cites words that code did not find',
  'without sources': 'the web search failed or found nothing',
  'not all searched': 'some seats could not search the web',
  'unseen pictures': 'some seats cannot see the pictures',
  excerpts: 'the seats read excerpts of what is attached',
  'language drift': 'a seat answered in another language',
  'moderator on panel': 'the moderator also holds a seat',
  'people decided': 'people decided which answer leads',
  'report by code': 'code wrote this report, not a moderator',
  'budget reached': 'the budget ran out',
  'over budget': 'it used more than its budget',
  interrupted: 'it was stopped early',
  failed: 'it could not be finished',
  'demo-grade': 'very small models hold seats',
  'scripted seats': 'scripted seats gave replies that were written in advance',
}

/** A call that the stop itself cut short, or that was never made: the moderator failed at nothing. */
const isOfStop = ({ kind }: ModelError): boolean => kind === 'cancelled' || kind === 'budget'

const endings = { budget: 'budget reached', interrupted: 'interrupted', failed: 'failed' } as const

const isEnding = (reason: string): reason is keyof typeof endings => Object.hasOwn(endings, reason)

/** The same failure once, and how often. */
const failureRemarks = (failures: Problems['failures']): CareRemark[] =>
  [...Map.groupBy(failures, ({ task, error }) => `${couldNot(task)}\n${failureWords(error)}`)].map(
    ([key, same]) => {
      const [what = '', ...words] = key.split('\n')
      const times = same.length > 1 ? ` (${same.length} times)` : ''
      return {
        head: `moderator ${what}`,
        words: `${words.join('\n')}${times}`,
        phrase: `the moderator ${what}`,
      }
    },
  )

/** Flags and what went wrong on the way, each once: a flag isn't repeated by the problem that caused it. */
export const careRemarks = (
  found: readonly string[],
  { failures, rejected, stopped, ...counts }: Problems & FlagCounts,
): CareRemark[] => {
  const ending = stopped && isEnding(stopped.reason) ? endings[stopped.reason] : undefined
  const byCode = found.includes('report by code')
  const flagged = found.map((flag): CareRemark => {
    const words = wordsFor(flag, counts)
    const phrase = isFlag(flag) ? phraseFor(flag, counts) : flag
    if (flag === ending && stopped) return { head: flag, words: stopped.words, phrase }
    if (flag === 'report by code' && rejected.length > 0)
      return { head: flag, words: [words, ...new Set(rejected)].join(' '), phrase }
    return { head: flag, words, phrase }
  })
  return [
    ...flagged,
    ...failureRemarks(failures.filter(({ error }) => !(stopped && isOfStop(error)))),
    ...(byCode ? [] : [...new Set(rejected)]).map(words => ({
      ...{ head: 'report rejected', words },
      phrase: 'the first report was turned down',
    })),
    ...(stopped && !(ending && found.includes(ending))
      ? [{ head: `stopped (${stopped.reason})`, words: stopped.words, phrase: 'it was stopped' }]
      : []),
  ]
}

/** More would not be read. */
const mostPhrases = 3

/** "Read with care: code wrote this report, not a moderator; the judge ruled for another answer." Undefined if there is nothing. */
export const careSentence = (remarks: readonly CareRemark[]): string | undefined => {
  if (remarks.length === 0) return undefined
  const shown = remarks.slice(0, remarks.length === mostPhrases + 1 ? mostPhrases + 1 : mostPhrases)
  const rest = remarks.length - shown.length
  return `Read with care: ${shown.map(({ phrase }) => phrase).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`
}
