/** The command line as a whole. A command's file is loaded only once it is the one that was typed. */
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import type { UsageError, UsageKind } from '../core/errors.ts'
import { exitCodes, Interrupted } from './terminal/exit-codes.ts'
import type { CommandModule, Shell } from './terminal/shell.ts'

interface Entry {
  readonly usage: string
  readonly summary: string
  load(): Promise<CommandModule>
}

const commands: Readonly<Record<string, Entry>> = {
  ask: {
    usage: 'ask [question]',
    summary: 'put a question to the table',
    load: () => import('./commands/ask.ts'),
  },
  tour: {
    usage: 'tour',
    summary: 'watch a scripted session: no key, no network',
    load: () => import('./commands/tour.ts'),
  },
  models: {
    usage: 'models [search...]',
    summary: 'search the models, and see what is missing to use one',
    load: () => import('./commands/models.ts'),
  },
  show: {
    usage: 'show [session]',
    summary: 'show a saved session, or list them all',
    load: () => import('./commands/show.ts'),
  },
  sessions: {
    usage: 'sessions',
    summary: 'list saved sessions, by model, protocol, level, tag or date',
    load: () => import('./commands/sessions.ts'),
  },
  search: {
    usage: 'search <words...>',
    summary: 'find sessions by words of questions, answers and reports',
    load: () => import('./commands/sessions.ts'),
  },
  resume: {
    usage: 'resume <session>',
    summary: 'go on with a session that was stopped or left unfinished',
    load: () => import('./commands/resume.ts'),
  },
  share: {
    usage: 'share <session>',
    summary: 'make a link that shows one session, or take it back',
    load: () => import('./commands/share.ts'),
  },
  serve: {
    usage: 'serve',
    summary: 'serve the sessions and run new ones, for browsers, programs and this command line',
    load: () => import('./commands/serve.ts'),
  },
  worker: {
    usage: 'worker',
    summary: 'run sessions of a server on another machine, over DATABASE_URL',
    load: () => import('./commands/worker.ts'),
  },
  delete: {
    usage: 'delete <session>',
    summary: 'remove a saved session for good',
    load: () => import('./commands/delete.ts'),
  },
  backup: {
    usage: 'backup <file>',
    summary: 'write all that is saved to one file',
    load: () => import('./commands/backup.ts'),
  },
  restore: {
    usage: 'restore <file>',
    summary: 'bring back what a backup holds',
    load: () => import('./commands/restore.ts'),
  },
  export: {
    usage: 'export <session>',
    summary: 'write a session to a file or pipe',
    load: () => import('./commands/export.ts'),
  },
  import: {
    usage: 'import <file>',
    summary: 'save a session from json or a transcript',
    load: () => import('./commands/import.ts'),
  },
  check: {
    usage: 'check <session>',
    summary: 'hold an imported transcript against its own texts',
    load: () => import('./commands/check.ts'),
  },
  resolve: {
    usage: 'resolve <session> <answer...>',
    summary: 'tell a session which answer turned out to be right',
    load: () => import('./commands/resolve.ts'),
  },
  stats: {
    usage: 'stats',
    summary: 'the track record of each model',
    load: () => import('./commands/stats.ts'),
  },
  replay: {
    usage: 'replay <session>',
    summary: 'play a saved session as if it were live',
    load: () => import('./commands/replay.ts'),
  },
  house: {
    usage: 'house [action] [model]',
    summary: 'the built-in models: show, fetch, verify or remove them',
    load: () => import('./commands/house.ts'),
  },
  bench: {
    usage: 'bench',
    summary: 'measure rules on recorded votes, claims on simulated seats, tables on live questions',
    load: () => import('./commands/bench.ts'),
  },
  doctor: {
    usage: 'doctor',
    summary: 'find out what is wrong, and how to mend it',
    load: () => import('./commands/doctor.ts'),
  },
}

const version = (): string =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

const description =
  'Models of different makers answer sealed, read each other, argue, and may change their minds. Code counts; a moderator words it.'

const epilogue = `
A <session> is an id, the beginning of one, "last", or a json or transcript file.
Exit codes: 0 verdict, 2 wrong usage, 3 no quorum, 4 budget reached, 130 interrupted.

  roundtable tour
  roundtable ask "Is a hot dog a sandwich?" --options "Yes,No"
  roundtable ask "Is a hot dog a sandwich?" --seats "Claude Sonnet 4.6,GPT-5.5,lab/one"`

/** The command that was typed, also behind "help". */
const typed = (words: readonly string[]): Entry | undefined => {
  const names = words.filter(word => !word.startsWith('-'))
  return commands[(names[0] === 'help' ? names[1] : names[0]) ?? '']
}

const describeProgram = (shell: Shell): Command =>
  new Command('roundtable')
    .description(description)
    .version(version(), '-V, --version', 'print the version')
    .option('--verbose', 'show stack traces of errors')
    .addHelpText('after', epilogue)
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: text => shell.stdout.write(text),
      writeErr: text => shell.stderr.write(text),
      getOutHelpWidth: () => Math.min(shell.stdout.columns || 80, 110),
    })
    .exitOverride()

export const buildProgram = async (
  words: readonly string[],
  shell: Shell,
  finish: (code: number) => void,
): Promise<Command> => {
  const program = describeProgram(shell)
  for (const entry of Object.values(commands)) {
    const command = program.command(entry.usage).description(entry.summary).copyInheritedSettings(program)
    command.option('--verbose', 'show stack traces of errors')
    if (entry === typed(words)) (await entry.load()).define(command, shell, finish)
  }
  return program
}

/** What a person at the terminal can do about a mistake of this kind. */
const adviceFor: Partial<Record<UsageKind, string>> = {
  'needs-consent':
    'Add --yes to agree in this command, or run `roundtable tour` to see a session without a model.',
}

/** One plain line that says what is wrong; a stack trace only where it was asked for. */
const complain = (error: unknown, words: readonly string[], shell: Shell): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  const known = error instanceof Error && error.name === 'UsageError'
  const advice = known ? adviceFor[(error as UsageError).kind] : undefined
  const what = error instanceof Error ? error.message : String(error)
  const message = advice ? `${what} ${advice}` : what
  shell.stderr.write(`roundtable: ${message.replace(/[\0-\x09\x0b-\x1f\x7f-\x9f]/g, ' ')}\n`)
  if (words.includes('--verbose') && error instanceof Error) shell.stderr.write(`${error.stack}\n`)
  if (error instanceof Interrupted) return exitCodes.interrupted
  return known ? exitCodes.usage : exitCodes.failed
}

/** Runs one command line, and gives back its exit code. */
export const run = async (words: readonly string[], shell: Shell): Promise<number> => {
  let code: number = exitCodes.done
  try {
    const program = await buildProgram(words, shell, value => {
      code = value
    })
    if (words.length === 0) program.outputHelp()
    else await program.parseAsync([...words], { from: 'user' })
    return code
  } catch (error) {
    return complain(error, words, shell)
  }
}
