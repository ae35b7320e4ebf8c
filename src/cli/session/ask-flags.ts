/** What to ask: from flags first, then from configuration. */
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { UsageError } from '../../core/errors.ts'
import { type Effort, efforts } from '../../core/log/event.ts'
import type { Config } from '../../table/config.ts'
import type { AskInput } from '../../table/opening.ts'
import { lineupIds } from '../../table/usual-table.ts'
import { budgetFrom, formatFrom, listFrom, numberFrom, optionsFrom, roundsFrom } from '../terminal/flags.ts'

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
  readonly temperature?: string
  readonly effort?: string
}

/** A configured line-up comes before the built-in one of the same name. */
const lineupFor = (config: Config, name: string): Pick<AskInput, 'seats' | 'lineup'> => {
  const own = Object.hasOwn(config.lineups, name) ? config.lineups[name] : undefined
  if (own) return { seats: own }
  if (lineupIds.includes(name)) return { lineup: name }
  const names = [...new Set([...Object.keys(config.lineups), ...lineupIds])]
  throw new UsageError(
    `There is no line-up "${name}": choose one of ${names.join(', ')}, or add your own to "lineups" in roundtable.config.json.`,
  )
}

/** Empty if nobody chose: then the models that can be reached are seated. */
const tableFor = (flags: AskFlags, config: Config): Pick<AskInput, 'seats' | 'lineup'> => {
  if (flags.seats !== undefined && flags.lineup !== undefined) {
    throw new UsageError('Use either --seats or --lineup: both say who sits at the table.')
  }
  if (flags.seats !== undefined) return { seats: listFrom(flags.seats) }
  if (flags.lineup !== undefined) return lineupFor(config, flags.lineup)
  return config.seats ? { seats: config.seats } : {}
}

const effortFrom = (text: string): Effort => {
  const found = efforts.find(effort => effort === text)
  if (found) return found
  throw new UsageError(`--effort ${text}: choose one of ${efforts.join(', ')}.`)
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

/** Leaves out what was not given, so that defaults stay in one place. */
const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

export const askInput = (question: string, flags: AskFlags, config: Config, cwd: string): AskInput => {
  const options = flags.options === undefined ? undefined : optionsFrom(flags.options)
  return given({
    question,
    ...tableFor(flags, config),
    temperature:
      flags.temperature === undefined ? undefined : numberFrom('--temperature', 0, 2)(flags.temperature),
    effort: flags.effort === undefined ? undefined : effortFrom(flags.effort),
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
