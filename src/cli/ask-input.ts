/** What to ask, from flags first and configuration second. */
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { UsageError } from '../core/errors.ts'
import type { Config } from '../runtime/config.ts'
import type { ConfigSeat } from '../runtime/config-file.ts'
import type { AskInput } from '../runtime/open.ts'
import { budgetFrom, formatFrom, listFrom, numberFrom, optionsFrom, roundsFrom } from './flags.ts'

/** The flags of `ask`, as they were typed. */
export interface AskFlags {
  readonly seats?: string
  readonly lineup?: string
  readonly moderator?: string
  readonly protocol?: string
  readonly rounds?: string
  readonly format?: string
  readonly options?: string
  readonly unit?: string
  readonly scale?: 'linear' | 'log'
  readonly names?: 'hidden' | 'shown'
  readonly language?: string
  readonly budget?: string
  readonly deadline?: string
  readonly attach?: readonly string[]
  readonly seed?: string
}

const lineupNamed = (config: Config, name: string): readonly ConfigSeat[] => {
  const found = Object.hasOwn(config.lineups, name) ? config.lineups[name] : undefined
  if (found) return found
  const names = Object.keys(config.lineups)
  throw new UsageError(
    names.length > 0
      ? `There is no line-up "${name}"; there are ${names.join(', ')}.`
      : `There is no line-up "${name}": add it to "lineups" in roundtable.config.json.`,
  )
}

const seatsFor = (flags: AskFlags, config: Config): readonly ConfigSeat[] => {
  if (flags.seats !== undefined && flags.lineup !== undefined) {
    throw new UsageError('--seats and --lineup both say who sits at the table: give one of them.')
  }
  if (flags.seats !== undefined) return listFrom(flags.seats)
  if (flags.lineup !== undefined) return lineupNamed(config, flags.lineup)
  if (config.seats) return config.seats
  throw new UsageError(
    'Nobody sits at the table: give --seats lab/one,lab/two (`roundtable models` lists what there is), or see it first with `roundtable tour`.',
  )
}

const attached = (path: string, cwd: string): { name: string; text: string } => {
  try {
    const bytes = readFileSync(resolve(cwd, path))
    return { name: basename(path), text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    const why = error instanceof TypeError ? 'it is not UTF-8 text' : (error as Error).message
    throw new UsageError(`--attach ${path} cannot be read: ${why}.`)
  }
}

const moderatorFor = (flag: string | undefined, config: Config): string | null | undefined => {
  if (flag === undefined) return config.moderator
  return flag === 'none' ? null : flag
}

/** Leaves out what nobody told, so that defaults stay in one place. */
const told = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

export const askInput = (question: string, flags: AskFlags, config: Config, cwd: string): AskInput => {
  const options = flags.options === undefined ? undefined : optionsFrom(flags.options)
  return told({
    question,
    seats: seatsFor(flags, config),
    moderator: moderatorFor(flags.moderator, config),
    protocol: flags.protocol ?? config.protocol,
    rounds: flags.rounds === undefined ? config.rounds : roundsFrom(flags.rounds),
    format: formatFrom({ format: flags.format, options, unit: flags.unit }),
    options,
    unit: flags.unit,
    scale: flags.scale,
    names: flags.names,
    language: flags.language,
    budget: flags.budget === undefined ? config.budget : budgetFrom(flags.budget),
    deadline:
      flags.deadline === undefined ? config.deadline : numberFrom('--deadline', 0.001)(flags.deadline),
    attachments: flags.attach?.map(path => attached(path, cwd)),
    seed: flags.seed,
  })
}
