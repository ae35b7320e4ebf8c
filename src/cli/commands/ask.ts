/** `ask`: puts a question to the table. */
import { text } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { UsageError } from '../../core/errors.ts'
import { efforts } from '../../core/log/event.ts'
import { formats } from '../../core/question/question.ts'
import { defaultProtocol, protocols } from '../../protocols/index.ts'
import type { ServerAddress } from '../../store/shared/messages.ts'
import type { Shared } from '../../store/shared/shared.ts'
import type { AskInput } from '../../table/ask-input.ts'
import type { Config } from '../../table/config.ts'
import { lineupIds } from '../../table/lineups.ts'
import type { AskFlags } from '../session/ask-flags.ts'
import type { OutputFlags } from '../session/run-session.ts'
import type { Remarks } from '../terminal/remarks.ts'
import type { Shell } from '../terminal/shell.ts'

const protocolHelp = (): string =>
  `\nThe question is read from stdin where it is "-" or missing.\n\nProtocols:\n${protocols.map(({ id, summary }) => `  ${id.padEnd(12)}${summary}`).join('\n')}`

const several = (value: string, before: readonly string[] = []): string[] => [...before, value]

const addOptions = (command: Command): Command =>
  command
    .option('--seats <models>', 'who sits at the table: "Claude Sonnet 4.6,GPT-5.5,lab/one"')
    .option('--lineup <name>', `a table by its name: your own, or ${lineupIds.join(', ')}`)
    .option('--moderator <model>', 'who groups the answers and words the report; "none" for nobody')
    .addOption(
      new Option('--protocol <id>', `who is asked what next (default: ${defaultProtocol})`).choices(
        protocols.map(protocol => protocol.id),
      ),
    )
    .option('--rounds <count>', 'how many open rounds there may be, 0 to 4')
    .addOption(new Option('--format <format>', 'the form of the answer (default: open)').choices(formats))
    .option(
      '--options <list>',
      'the options of a choice or ranking: "Yes,No", or "a|b" where they have commas',
    )
    .option('--unit <unit>', 'the unit of a number')
    .addOption(new Option('--scale <scale>', 'the scale of a number').choices(['linear', 'log']))
    .addOption(new Option('--names <how>', 'whether seats see names').choices(['hidden', 'shown']))
    .option('--language <code>', 'the language of the answers; that of the question unless told')
    .option('--budget <cap>', 'the most it may cost: 0.50, 20000tokens, or both with a comma')
    .option('--deadline <seconds>', 'seconds for one answer')
    .option('--attach <file>', 'a text file that goes with the question; may be given again', several)
    .option('--seed <seed>', 'fixes every random choice')
    .option('--temperature <number>', 'the temperature of all seats, where they take one')
    .addOption(
      new Option('--effort <effort>', 'how long all seats think, where they take it').choices(efforts),
    )
    .option('--record', 'also tell what votes weighted by the track record of saved sessions would say')
    .option('--repeat <count>', 'ask so many times with other seeds, and say how stable the verdict is')
    .option('--yes', 'fetch the built-in model without asking, where nobody else can answer')
    .option('--out <file>', 'also write the session to a .json, .md, .html or .txt file')
    .option('--json', 'print the session as one JSON document, and nothing else')
    .option('--events', 'print every event as one line of JSON as it happens')
    .addHelpText('after', protocolHelp)

const questionFrom = async (given: string | undefined, shell: Shell): Promise<string> => {
  if (given !== undefined && given !== '-') return given
  if (given === undefined && shell.stdin.isTTY) {
    throw new UsageError('There is no question: roundtable ask "What do you want to know?"')
  }
  return (await text(shell.stdin)).trim()
}

interface Flags extends AskFlags, OutputFlags {
  readonly yes?: boolean
  readonly record?: boolean
  readonly repeat?: string
}

/** In this process, with what this terminal's configuration reaches. */
const askHere = async (
  input: AskInput,
  config: Config,
  archive: Shared,
  flags: Flags,
  shell: Shell,
  remarks: Remarks,
): Promise<number> => {
  const [{ openReach, resolveAsk }, { dayId }, { askerAt }, { owningRuns }] = await Promise.all([
    import('../../table/index.ts'),
    import('../../runtime/ids.ts'),
    import('../session/asker.ts'),
    import('../archive/own-runs.ts'),
  ])
  const { cwd, clock } = shell
  const reach = await openReach(config, { cwd, clock, ask: input })
  const asker = askerAt(archive, config, shell, flags.yes)
  const opening = await resolveAsk(input, dayId(clock)(), reach, asker)
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
    const { providers, protocols } = reach
    const runtime = createRuntime({ providers, protocols, store, clock })
    const start = (signal: AbortSignal) => runtime.begin(opening, signal)
    return await runSession({ estimate: opening.estimate, start }, flags, shell, remarks)
  } finally {
    // A list that is still on its way must not keep the process from ending.
    over.abort()
  }
}

const recordIn = async (archive: Shared, flags: Flags): Promise<{ record?: AskInput['record'] }> =>
  flags.record ? { record: await (await import('../archive/record.ts')).scoresIn(archive) } : {}

/** By the server that holds the archive, with what that one reaches; what is configured here still comes first. */
const askServer = async (
  server: ServerAddress,
  asked: AskInput,
  config: Config,
  flags: Flags,
  shell: Shell,
  remarks: Remarks,
): Promise<number> => {
  const [{ remoteSessions }, { runSession }, { withUsual }] = await Promise.all([
    import('../../client/sessions.ts'),
    import('../session/run-session.ts'),
    import('../../table/usual.ts'),
  ])
  const { input, notes } = withUsual(asked, config, protocols)
  const sessions = remoteSessions(server, { away: remarks.tell })
  const estimate = await sessions.estimate(input)
  return runSession(
    {
      estimate: { ...estimate, notes: [...notes, ...estimate.notes] },
      start: signal => sessions.ask({ ...input, signal }),
    },
    flags,
    shell,
    remarks,
  )
}

const ask = async (given: string | undefined, flags: Flags, shell: Shell): Promise<number> => {
  const [{ loadConfig }, { askInput }, { withArchive }, { createRemarks }, { checkOutput }] =
    await Promise.all([
      import('../../table/config.ts'),
      import('../session/ask-flags.ts'),
      import('../archive/sessions.ts'),
      import('../terminal/remarks.ts'),
      import('../session/run-session.ts'),
    ])
  checkOutput(flags)
  const config = loadConfig(shell)
  const input = askInput(await questionFrom(given, shell), flags, shell.cwd)
  const remarks = createRemarks()
  const run = async (archive: Shared): Promise<number> => {
    const asked = { ...input, ...(await recordIn(archive, flags)) }
    const server = flags.repeat === undefined ? await archive.server() : undefined
    if (!server) return askHere(asked, config, archive, flags, shell, remarks)
    return askServer(server, asked, config, flags, shell, remarks)
  }
  return withArchive(shell, run, { listen: true, moved: remarks.tell })
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  addOptions(command).action(async (question: string | undefined, flags: Flags) =>
    finish(await ask(question, flags, shell)),
  )
}
