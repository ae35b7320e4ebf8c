/** What the flags of `ask` say. What they leave open is filled in where every request is resolved. */

import { readFileSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import type { InstalledAgent } from '../agents/table.ts'
import { longestDeadline, mostPatience, UsageError } from '../core/basics.ts'
import { fold } from '../core/fold.ts'
import { type Fill, type Kind, kinds } from '../core/form.ts'
import { toleranceFrom } from '../core/number.ts'
import { type Carry, carries, type Effort, efforts } from '../core/opening.ts'
import {
  type AttachmentWish,
  formats,
  largestFile,
  type SearchMode,
  searchModes,
  textWords,
} from '../core/question.ts'
import { lettersOfBook } from '../letters/table.ts'
import { defaultProtocol, protocols } from '../protocols/index.ts'
import { type Archive, trackRecordIn } from '../store/archive.ts'
import type { AskInput } from '../table/ask.ts'
import { type Config, savedLineups } from '../table/config.ts'
import { followUpOf } from '../table/fork.ts'
import type { Asker } from '../table/resolve.ts'
import { houseLabel, lineupIds } from '../table/seats.ts'
import { fromTemplate, listTemplates } from '../table/templates.ts'
import { readyAny, readyEngine, readyWeights } from './house.ts'
import { programName } from './program-name.ts'
import type { OutputFlags } from './run-session.ts'
import {
  answerOf,
  asking,
  budgetFrom,
  canAsk,
  durationFrom,
  formatFrom,
  listFrom,
  numberFrom,
  optionsFrom,
  roundsFrom,
  type Shell,
  several,
  wholeNumberFrom,
  whyUnread,
} from './terminal.ts'

// agentConsent: Asks once whether the agents on this machine may be the default table.

const list = new Intl.ListFormat('en')

/** Undefined: nobody is there to answer, so nothing is remembered. */
export const agentConsent = async (
  ready: readonly InstalledAgent[],
  shell: Shell,
): Promise<boolean | undefined> => {
  const names = list.format(ready.map(({ label }) => label))
  if (!canAsk(shell)) {
    const seats = ready.map(({ seat }) => seat).join(',')
    shell.stderr.write(
      `${names} could answer, but you haven't agreed to that yet: name them with --seats ${seats}.\n`,
    )
    return undefined
  }
  const { confirm } = await import('@clack/prompts')
  const control = new AbortController()
  const message = `No API key and no server found, but you are logged in to ${names}. Ask them by default? They run on this machine without their tools, and your subscription pays.`
  return answerOf(
    await confirm({ message, ...asking(shell, control.signal) }),
    'Interrupted: nothing was asked.',
  )
}

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
  readonly record?: boolean
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
  throw new UsageError(
    `--tolerance ${text}: give an amount such as 5, or a percentage such as 10%, without marks between thousands.`,
  )
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
    record: flags.record,
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

// askOptions: The flags of `ask`, and of other commands that seat a table.

const protocolHelp = (): string => {
  const widest = Math.max(...protocols.map(({ id }) => id.length))
  const lines = protocols.map(({ id, summary }) => `  ${id.padEnd(widest)}  ${summary}`)
  return `\nWithout a question, or with "-", the question is read from standard input.\n\nProtocols:\n${lines.join('\n')}`
}

/** Who sits at the table, how they are asked, and how they answer. */
export const addTableOptions = (command: Command): Command =>
  command
    .option(
      '--seats <models>',
      'the models to ask: "Claude Sonnet 4.6,GPT-5.5,lab/one"; "me" asks you here, "person:Ada" gives Ada a link',
    )
    .option('--lineup <name>', `the models of a line-up: one that you saved, or ${lineupIds.join(', ')}`)
    .option('--moderator <model>', 'the model that groups the answers and writes the report, or "none"')
    .addOption(
      new Option(
        '--protocol <id>',
        `how the models discuss, see below (default: ${defaultProtocol})`,
      ).choices(protocols.map(protocol => protocol.id)),
    )
    .option('--rounds <count>', 'the maximum number of open rounds, 0 to 4')
    .addOption(
      new Option(
        '--format <format>',
        'the kind of answer (default: open, or choice if there are options)',
      ).choices(formats),
    )
    .addOption(
      new Option('--kind <kind>', 'what kind of question it is (default: the moderator decides)').choices(
        kinds,
      ),
    )
    .option(
      '--options <list>',
      'the options of a choice or ranking: "Yes,No", or "a|b" if they contain commas',
    )
    .option('--unit <unit>', 'the unit of a number')
    .addOption(new Option('--scale <scale>', 'the scale of a number').choices(['linear', 'log']))
    .option(
      '--tolerance <amount>',
      'numbers this close count as the same: an amount in the unit, or a percentage such as 10%',
    )
    .option('--words <number>', 'the length of a text in words, 20 to 3000 (default: about 400)')
    .option('--camps', 'group texts by what they want')
    .addOption(
      new Option('--names <how>', "whether seats see each other's names (default: hidden)").choices([
        'hidden',
        'shown',
      ]),
    )
    .option('--language <code>', 'the language of the answers (default: the language of the question)')
    .option('--budget <cap>', 'stop before it costs more: 0.50 (dollars), 20000tokens, or 0.50,20000tokens')
    .option('--deadline <seconds>', 'how many seconds one answer may take')
    .option(
      '--patience <factor>',
      'go on without a seat that takes so many times as long as most others (at least 10 s)',
    )
    .option(
      '--person-deadline <time>',
      'how long a person may take for an answer, such as 30m or 24h (default: an hour)',
    )
    .option(
      '--attach <file>',
      'attach a text, PDF, Word, Excel or HTML file or a picture; repeat the flag for more files',
      several,
    )
    .option('--excerpts', 'if the files are too long for a model, give all seats the same passages of them')
    .option('--no-citations', 'do not ask the seats to cite the attached files and sources')
    .addOption(
      new Option(
        '--search <how>',
        "search the web: once for all seats, or each seat with its maker's tool (default: off)",
      ).choices(searchModes),
    )
    .option('--no-fetch', 'do not fetch cited pages to look the words up')
    .option('--seed <seed>', 'the seed of all random choices')
    .option('--temperature <number>', 'the temperature of all seats, if the model has one')
    .addOption(
      new Option('--effort <effort>', 'the reasoning effort of all seats, if the model has one').choices(
        efforts,
      ),
    )

export const addAskOptions = (command: Command): Command =>
  addTableOptions(command)
    .option(
      '--after <session>',
      'ask on after a session: an id, the beginning of one, or "last"; the same table unless you name another',
    )
    .addOption(
      new Option('--carry <what>', 'what seats are told of the sessions before (default: camps)').choices(
        carries,
      ),
    )
    .option('--template <name>', 'ask with a template; `templates` lists them')
    .option('--fill <name=value>', 'fill in a blank of the template; repeat the flag for more', several)
    .option(
      '--record',
      'in a tie, also say what leads by the track record of the models, and count resolved sessions in how often such tables were right',
    )
    .option(
      '--repeat <count>',
      'ask this many times with different seeds, and report how stable the verdict is',
    )
    .option(
      '--letters <books>',
      'books of letters that seats read before they answer: ids, "last" or "all", with commas',
    )
    .option(
      '--sharpen',
      'first have the moderator propose clearer wordings of the question, to take, edit or skip',
    )
    .option('--yes', 'if no other model can answer, download the smallest built-in one without asking')
    .option('--out <file>', 'also write the session to a .json, .md, .html or .txt file')
    .option('--json', 'print only the session, as one JSON document')
    .option('--events', 'print each event as a line of JSON when it happens')
    .addHelpText('after', protocolHelp)

/** What `ask` takes, as it was typed. */
export interface AskTableFlags extends AskFlags, OutputFlags {
  readonly after?: string
  readonly yes?: boolean
  readonly repeat?: string
  readonly sharpen?: boolean
}

// askRequest: The request of `ask`: a question and its flags, what a template makes of them, and the table of the session before.

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

// asker: The person at this terminal: their saved line-ups and files, and their consent to a download.

/** What the person typed, as far as it matters who asks. `yes`: they agreed to a download beforehand. */
interface TypedFlags {
  readonly yes?: boolean
  readonly seats?: string
  readonly moderator?: string
}

export const askerAt = (
  archive: Archive,
  { env }: Config,
  shell: Shell,
  { yes = false, seats = '', moderator = '' }: TypedFlags,
): Asker => ({
  files: shell.cwd,
  typed: [...(seats === '' ? [] : listFrom(seats)), moderator],
  lineups: () => savedLineups(archive),
  letters: id => lettersOfBook(archive, id),
  log: id => archive.read(id),
  record: () => trackRecordIn(archive),
  engine: async () => void (await readyEngine({ ...shell, env }, yes)),
  agents: ready => agentConsent(ready, shell),
  file: async (session, sha256) => (await archive.file(session, sha256))?.data,
  async builtIn(wanted) {
    const surroundings = { ...shell, env }
    if (wanted) return (await readyWeights(wanted, surroundings, yes)).weights
    shell.stderr.write(`No API key and no server found, so the built-in model answers. ${houseLabel}.\n`)
    return (await readyAny(surroundings, yes)).weights
  },
})
