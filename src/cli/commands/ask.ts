/** `ask`: asks a table of models a question. */
import { type Command, Option } from 'commander'
import type { PersonLink } from '../../api/index.ts'
import { UsageError } from '../../core/errors.ts'
import { carries, efforts } from '../../core/log/event.ts'
import { kinds } from '../../core/question/kind.ts'
import { formats } from '../../core/question/question.ts'
import { searchModes } from '../../core/question/source.ts'
import { defaultProtocol, protocols } from '../../protocols/index.ts'
import type { Sharpened } from '../../runtime/sharpen.ts'
import type { ServerAddress } from '../../store/shared/messages.ts'
import type { Shared } from '../../store/shared/shared.ts'
import type { AskInput } from '../../table/ask-input.ts'
import type { Config } from '../../table/config.ts'
import type { Opening, OpenReach } from '../../table/index.ts'
import { lineupIds } from '../../table/lineups.ts'
import { myName, wantsOwnSeat } from '../../table/people.ts'
import type { AskFlags } from '../session/ask-flags.ts'
import { mySeatIn } from '../session/own-seat.ts'
import type { OutputFlags } from '../session/run-session.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { several } from '../terminal/flags.ts'
import { programName } from '../terminal/program-name.ts'
import { canAsk } from '../terminal/prompting.ts'
import type { Remarks } from '../terminal/remarks.ts'
import type { Shell } from '../terminal/shell.ts'

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
      new Option('--kind <kind>', 'what kind of question it is (default: the moderator says so)').choices(
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

const addOptions = (command: Command): Command =>
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
      'also show the result if votes are weighted by the track record of each model, and count resolved sessions in how often such tables were right',
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

interface Flags extends AskFlags, OutputFlags {
  readonly after?: string
  readonly yes?: boolean
  readonly record?: boolean
  readonly repeat?: string
  readonly sharpen?: boolean
}

/** The request with the question that the person chose. Undefined: nobody could choose, and nothing is asked. */
const sharpenedInput = async (
  input: AskInput,
  propose: (signal: AbortSignal) => Promise<Sharpened>,
  flags: Flags,
  shell: Shell,
): Promise<AskInput | undefined> => {
  const { sharpenQuestion } = await import('../session/sharpen-question.ts')
  const question = await sharpenQuestion(input.question, propose, flags.json ?? false, shell)
  return question === undefined ? undefined : { ...input, question }
}

const sharpenedHere = async (
  opening: Opening,
  input: AskInput,
  { providers, protocols: rules }: OpenReach,
  flags: Flags,
  shell: Shell,
): Promise<AskInput | undefined> => {
  const { createRuntime } = await import('../../runtime/runtime.ts')
  const runtime = createRuntime({ providers, protocols: rules, clock: shell.clock })
  return sharpenedInput(input, signal => runtime.sharpen(opening, signal), flags, shell)
}

/** Others answer through a link, which only a server can open. */
const checkPeopleHere = (seats: Opening['opened']['seats']): void => {
  const others = seats.filter(seat => seat.person && mySeatIn({ seats }) !== seat.id)
  if (others.length === 0) return
  throw new UsageError(
    `${others.map(({ name }) => name).join(', ')} would answer through a link, and no server is running. Start one first: ${programName()} serve`,
  )
}

/** Somebody who has a seat must be there to answer. */
const checkOwnSeat = (input: AskInput, flags: Flags, shell: Shell): void => {
  if (!wantsOwnSeat(input)) return
  if (flags.json || flags.events || flags.repeat !== undefined || !canAsk(shell))
    throw new UsageError(
      'A seat for "me" needs a terminal to ask you on, without --json, --events and --repeat.',
    )
}

/** Runs the session in this process, with the models that this terminal's configuration reaches. */
const askHere = async (
  input: AskInput,
  config: Config,
  archive: Shared,
  flags: Flags,
  shell: Shell,
  remarks: Remarks,
): Promise<number> => {
  const [{ openReach, resolveAsk }, { dayId }, { askerAt }, { owningRuns }, { withTable }] =
    await Promise.all([
      import('../../table/index.ts'),
      import('../../runtime/ids.ts'),
      import('../session/asker.ts'),
      import('../archive/own-runs.ts'),
      import('../session/ask-request.ts'),
    ])
  const { cwd, clock } = shell
  const ask = await withTable(input, archive)
  const reach = await openReach(config, { cwd, clock, ask })
  const asker = askerAt(archive, config, shell, flags)
  const settled = (wish: AskInput): Promise<Opening> => resolveAsk(wish, dayId(clock)(), reach, asker)
  const first = await settled(input)
  checkPeopleHere(first.opened.seats)
  const sharper = flags.sharpen ? await sharpenedHere(first, input, reach, flags, shell) : input
  if (!sharper) return exitCodes.done
  const opening = sharper === input ? first : await settled(sharper)
  const store = owningRuns(archive)
  const over = new AbortController()
  reach.refreshBeside(over.signal)
  try {
    if (flags.repeat !== undefined) {
      const { repeatSession } = await import('../session/repeat.ts')
      return await repeatSession(reach, opening, flags.repeat, flags, store, shell)
    }
    const [{ createRuntime }, { runSession }] = await Promise.all([
      import('../../runtime/runtime.ts'),
      import('../session/run-session.ts'),
    ])
    const { providers, protocols, searcher } = reach
    const runtime = createRuntime({ providers, protocols, searcher, store, clock })
    if (opening.opened.seats.some(({ person }) => person)) {
      const { runWithOwnSeat } = await import('../session/run-with-own-seat.ts')
      const event = await opening.first(clock)
      if (opening.files.length > 0) await store.keepFiles(event.id, opening.files)
      await store.append(event.id, [event])
      const mine = runWithOwnSeat(runtime, store, [event], clock, protocols)
      return await runSession(
        { estimate: opening.estimate, ...mine, earlier: archive },
        flags,
        shell,
        remarks,
      )
    }
    const start = (signal: AbortSignal) => runtime.begin(opening, signal)
    return await runSession({ estimate: opening.estimate, start, earlier: archive }, flags, shell, remarks)
  } finally {
    // A model list that is still loading must not keep the process alive.
    over.abort()
  }
}

const recordIn = async (archive: Shared, flags: Flags): Promise<Pick<AskInput, 'record' | 'splits'>> =>
  flags.record ? (await import('../archive/record.ts')).knownFrom(archive) : {}

/** Runs it on the server that holds the archive, with the models that it reaches. The configuration here comes first. */
const askServer = async (
  server: ServerAddress,
  asked: AskInput,
  config: Config,
  archive: Shared,
  flags: Flags,
  shell: Shell,
  remarks: Remarks,
): Promise<number> => {
  const [{ remoteSessions }, { runSession }, { withUsual }] = await Promise.all([
    import('../../client/sessions.ts'),
    import('../session/run-session.ts'),
    import('../../table/usual.ts'),
  ])
  const { input: settled, notes } = withUsual(asked, config, protocols)
  const linkWords = (links: readonly PersonLink[]): void => {
    for (const { name, path } of links)
      if (path !== null && name !== myName) remarks.tell(`${name} answers at ${server.address}${path}`)
  }
  const sessions = remoteSessions(server, { away: remarks.tell, people: linkWords })
  const propose = (signal: AbortSignal): Promise<Sharpened> => sessions.sharpen({ ...settled, signal })
  const input = flags.sharpen ? await sharpenedInput(settled, propose, flags, shell) : settled
  if (!input) return exitCodes.done
  const estimate = await sessions.estimate(input)
  return runSession(
    {
      estimate: { ...estimate, notes: [...notes, ...estimate.notes] },
      start: signal => sessions.ask({ ...input, signal }),
      ...(wantsOwnSeat(input) && { own: sessions.own }),
      mayLeave: true,
      earlier: archive,
    },
    flags,
    shell,
    remarks,
  )
}

const withBooks = async (input: AskInput, archive: Shared): Promise<AskInput> =>
  input.letters
    ? { ...input, letters: await (await import('../archive/books.ts')).booksNamed(input.letters, archive) }
    : input

const checkFlags = (flags: Flags): void => {
  if (flags.sharpen && flags.events) throw new UsageError('--sharpen and --events cannot be used together.')
  if (flags.repeat !== undefined && flags.after !== undefined)
    throw new UsageError('--repeat and --after cannot be used together.')
  if (flags.carry !== undefined && flags.after === undefined)
    throw new UsageError('--carry says what is told of a session before: name it with --after.')
}

/** Asks a table what a request says, here or on the server that holds the archive. */
export const askTable = async (input: AskInput, flags: Flags, shell: Shell): Promise<number> => {
  const [{ configAt }, { idOf, withArchive }, { createRemarks }, { checkOutput }] = await Promise.all([
    import('../terminal/config.ts'),
    import('../archive/sessions.ts'),
    import('../terminal/remarks.ts'),
    import('../session/run-session.ts'),
  ])
  checkOutput(flags)
  const config = await configAt(shell)
  checkOwnSeat(input, flags, shell)
  const remarks = createRemarks()
  const run = async (archive: Shared): Promise<number> => {
    const after = flags.after === undefined ? {} : { after: await idOf(flags.after, archive) }
    const known = await recordIn(archive, flags)
    const asked = { ...(await withBooks(input, archive)), ...after, ...known }
    const server = flags.repeat === undefined ? await archive.server() : undefined
    if (!server) return askHere(asked, config, archive, flags, shell, remarks)
    return askServer(server, asked, config, archive, flags, shell, remarks)
  }
  return withArchive(shell, run, { listen: true, moved: remarks.tell })
}

const ask = async (given: string | undefined, flags: Flags, shell: Shell): Promise<number> => {
  const [{ configAt }, { requestFrom }, { checkOutput }] = await Promise.all([
    import('../terminal/config.ts'),
    import('../session/ask-request.ts'),
    import('../session/run-session.ts'),
  ])
  checkOutput(flags)
  checkFlags(flags)
  return askTable(await requestFrom(given, flags, await configAt(shell), shell), flags, shell)
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  addOptions(command).action(async (question: string | undefined, flags: Flags) =>
    finish(await ask(question, flags, shell)),
  )
}
