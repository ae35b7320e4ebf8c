/** What the flags of `ask` say. What they leave open is filled in where every request is resolved. */
import { readFileSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { UsageError } from '../../core/errors.ts'
import { longestDeadline, mostPatience } from '../../core/log/bounds.ts'
import { type Carry, type Effort, efforts } from '../../core/log/event.ts'
import { type AttachmentWish, largestFile } from '../../core/question/attachment-wish.ts'
import type { Fill } from '../../core/question/blanks.ts'
import type { Kind } from '../../core/question/kind.ts'
import { toleranceFrom } from '../../core/question/number.ts'
import { textWords } from '../../core/question/question.ts'
import type { SearchMode } from '../../core/question/source.ts'
import type { AskInput } from '../../table/index.ts'
import { whyUnread } from '../terminal/file-words.ts'
import {
  budgetFrom,
  durationFrom,
  formatFrom,
  listFrom,
  numberFrom,
  optionsFrom,
  roundsFrom,
  wholeNumberFrom,
} from '../terminal/flags.ts'

/** The flags of `ask`, as they were typed. */
export interface AskFlags {
  readonly seats?: string
  readonly lineup?: string
  readonly moderator?: string
  readonly protocol?: string
  readonly rounds?: string
  readonly format?: string
  readonly kind?: Kind
  readonly options?: string
  readonly unit?: string
  readonly scale?: 'linear' | 'log'
  readonly tolerance?: string
  readonly words?: string
  readonly camps?: boolean
  readonly names?: 'hidden' | 'shown'
  readonly language?: string
  readonly budget?: string
  readonly deadline?: string
  readonly patience?: string
  readonly personDeadline?: string
  readonly attach?: readonly string[]
  readonly citations?: boolean
  readonly excerpts?: boolean
  readonly search?: SearchMode
  readonly fetch?: boolean
  readonly seed?: string
  readonly temperature?: string
  readonly effort?: string
  readonly letters?: string
  readonly carry?: Carry
  readonly template?: string
  readonly fill?: readonly string[]
}

const effortFrom = (text: string): Effort => {
  const found = efforts.find(effort => effort === text)
  if (found) return found
  throw new UsageError(`--effort ${text}: choose one of ${efforts.join(', ')}.`)
}

const toleranceGiven = (text: string): NonNullable<AskInput['tolerance']> => {
  const tolerance = toleranceFrom(text)
  if (tolerance !== undefined) return tolerance
  throw new UsageError(`--tolerance ${text}: give an amount such as 5, or a percentage such as 10%.`)
}

const attached = (path: string, cwd: string): AttachmentWish => {
  try {
    const file = resolve(cwd, path)
    // Looked at first: a file of many gigabytes would not fit into memory.
    if (statSync(file).size > largestFile)
      throw new UsageError(`--attach ${path}: a file has at most ${largestFile / 1_000_000} MB.`)
    return { name: basename(path), data: readFileSync(file).toString('base64') }
  } catch (error) {
    if (UsageError.isInstance(error)) throw error
    throw new UsageError(`--attach ${path} can't be read: ${whyUnread(error)}.`)
  }
}

/** Undefined stays undefined: nobody said it. */
const said = <T>(text: string | undefined, read: (text: string) => T): T | undefined =>
  text === undefined ? undefined : read(text)

/** "name=value", once for each blank of a template. */
export const fillFrom = (pairs: readonly string[]): Fill =>
  Object.fromEntries(
    pairs.map(pair => {
      const sign = pair.indexOf('=')
      if (sign < 1) throw new UsageError(`--fill ${pair}: write it as name=value, such as city=Oslo.`)
      return [pair.slice(0, sign).trim(), pair.slice(sign + 1)]
    }),
  )

/** What the flags say, apart from the question. */
export const tableInput = (flags: AskFlags, cwd: string): Partial<AskInput> => {
  const { question: _question, ...table } = askInput('', flags, cwd)
  return table
}

export const askInput = (question: string, flags: AskFlags, cwd: string): AskInput => {
  const { unit, scale, names, language, seed, lineup, protocol, kind } = flags
  return {
    ...{ question, lineup, protocol, kind, unit, scale, names, language, seed, carry: flags.carry },
    seats: said(flags.seats, listFrom),
    temperature: said(flags.temperature, numberFrom('--temperature', 0, 2)),
    effort: said(flags.effort, effortFrom),
    moderator: flags.moderator === 'none' ? null : flags.moderator,
    rounds: said(flags.rounds, roundsFrom),
    format: said(flags.format, formatFrom),
    options: said(flags.options, optionsFrom),
    tolerance: said(flags.tolerance, toleranceGiven),
    length: said(flags.words, wholeNumberFrom('--words', textWords.least, textWords.most)),
    camps: flags.camps ? 'intent' : undefined,
    budget: said(flags.budget, budgetFrom),
    deadline: said(flags.deadline, numberFrom('--deadline', 0.001)),
    patience: said(flags.patience, numberFrom('--patience', 1, mostPatience)),
    letters: said(flags.letters, listFrom),
    personDeadline: said(flags.personDeadline, durationFrom('--person-deadline', longestDeadline)),
    attachments: flags.attach?.map(path => attached(path, cwd)),
    citations: flags.citations === false ? false : undefined,
    excerpts: flags.excerpts,
    search: flags.search,
    fetch: flags.fetch === false ? false : undefined,
  }
}
