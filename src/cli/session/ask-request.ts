/** The request of `ask`: a question and its flags, what a template makes of them, and the table of the session before. */
import { text } from 'node:stream/consumers'
import { UsageError } from '../../core/errors.ts'
import { fold } from '../../core/log/state.ts'
import { protocols } from '../../protocols/index.ts'
import type { Archive } from '../../store/archive/archive.ts'
import type { AskInput } from '../../table/ask-input.ts'
import type { Config } from '../../table/config.ts'
import { followUpOf } from '../../table/follow-up.ts'
import { fromTemplate, listTemplates } from '../../table/templates.ts'
import { programName } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/shell.ts'
import { type AskFlags, askInput, fillFrom, tableInput } from './ask-flags.ts'

const questionFrom = async (given: string | undefined, shell: Shell): Promise<string> => {
  if (given !== undefined && given !== '-') return given
  if (given === undefined && shell.stdin.isTTY) {
    throw new UsageError(`Give a question: ${programName()} ask "What do you want to know?"`)
  }
  return (await text(shell.stdin)).trim()
}

/** A template brings its own question. */
export const requestFrom = async (
  given: string | undefined,
  flags: AskFlags,
  { data }: Config,
  shell: Shell,
): Promise<AskInput> => {
  const { template, fill } = flags
  if (template === undefined && !fill) return askInput(await questionFrom(given, shell), flags, shell.cwd)
  const question = given === undefined ? {} : { question: await questionFrom(given, shell) }
  const table = tableInput(flags, shell.cwd)
  const request = { ...table, ...question, template, ...(fill && { fill: fillFrom(fill) }) }
  return fromTemplate(request, () => listTemplates(data))
}

/** A follow-up goes to the table of the session before: what can be reached is looked for with that in mind. */
export const withTable = async (input: AskInput, archive: Pick<Archive, 'read'>): Promise<AskInput> =>
  input.after === undefined ? input : followUpOf(fold(await archive.read(input.after)), input, protocols)
