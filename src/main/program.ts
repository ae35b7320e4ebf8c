/** The whole command line. Only the file of the command that was typed is loaded, so that the program starts fast. */

import { Command, CommanderError } from 'commander'
import { exitCodes, Interrupted, packageVersion, programName } from '../terminal/program-name.ts'
import type { DefineCommand, Shell } from '../terminal/terminal.ts'

interface Entry {
  readonly usage: string
  readonly summary: string
  /** What adds the command's options and its action. */
  load(): Promise<DefineCommand>
}

const commands: Readonly<Record<string, Entry>> = {
  ask: {
    usage: 'ask [question]',
    summary: 'ask several models a question, and see what they agree on',
    load: async () => (await import('../terminal/ask.ts')).defineAsk,
  },
  tour: {
    usage: 'tour',
    summary: 'watch a scripted session; needs no API key and no network',
    load: async () => (await import('../terminal/table.ts')).defineTour,
  },
  models: {
    usage: 'models [search...]',
    summary: 'search models, and see which API key each one needs',
    load: async () => (await import('../terminal/table.ts')).defineModels,
  },
  show: {
    usage: 'show [session]',
    summary: 'show a saved session, or list all of them',
    load: async () => (await import('../terminal/archive.ts')).defineShow,
  },
  sessions: {
    usage: 'sessions',
    summary: 'list saved sessions; filter them by model, protocol, level, tag or date',
    load: async () => (await import('../terminal/archive.ts')).defineSessions,
  },
  search: {
    usage: 'search <words...>',
    summary: 'search the questions, answers and reports of saved sessions',
    load: async () => (await import('../terminal/archive.ts')).defineSessions,
  },
  fork: {
    usage: 'fork <session>',
    summary: 'ask a session again, or go on from one of its rounds, with another table or protocol',
    load: async () => (await import('../terminal/ask.ts')).defineFork,
  },
  templates: {
    usage: 'templates [action] [name] [question]',
    summary: 'list, show, save or delete templates: questions with blanks',
    load: async () => (await import('../terminal/ask.ts')).defineTemplates,
  },
  resume: {
    usage: 'resume <session>',
    summary: 'resume a session that was stopped or interrupted',
    load: async () => (await import('../terminal/ask.ts')).defineResume,
  },
  share: {
    usage: 'share <session>',
    summary: 'create or revoke a link to one session',
    load: async () => (await import('../terminal/archive.ts')).defineShare,
  },
  serve: {
    usage: 'serve',
    summary: 'start the server: web pages and HTTP API',
    load: async () => (await import('./serve.ts')).defineServe,
  },
  worker: {
    usage: 'worker',
    summary: 'help a server run sessions, from another process or machine',
    load: async () => (await import('./serve.ts')).defineWorker,
  },
  mcp: {
    usage: 'mcp [action] [client]',
    summary: 'offer the table to agents, chats and editors (MCP); "install" prints their configuration',
    load: async () => (await import('../mcp/command.ts')).defineMcp,
  },
  accounts: {
    usage: 'accounts [action] [name] [value]',
    summary: 'invite people to a server with accounts, and manage them',
    load: async () => (await import('../accounts/command.ts')).defineAccounts,
  },
  delete: {
    usage: 'delete <session>',
    summary: 'delete a saved session permanently',
    load: async () => (await import('../terminal/archive.ts')).defineDelete,
  },
  backup: {
    usage: 'backup <file>',
    summary: 'write all sessions, tags, line-ups and settings to one file',
    load: async () => (await import('../backup/backup.ts')).defineBackup,
  },
  restore: {
    usage: 'restore <file>',
    summary: 'restore a backup',
    load: async () => (await import('../backup/backup.ts')).defineRestore,
  },
  export: {
    usage: 'export <session>',
    summary: 'export a session as JSON, Markdown, HTML or a transcript',
    load: async () => (await import('../terminal/archive.ts')).defineExport,
  },
  import: {
    usage: 'import <file>',
    summary: 'import a session from a JSON or transcript file',
    load: async () => (await import('../terminal/archive.ts')).defineImport,
  },
  check: {
    usage: 'check <session>',
    summary: 'check what an imported transcript claims against its own text',
    load: async () => (await import('../terminal/archive.ts')).defineCheck,
  },
  resolve: {
    usage: 'resolve <session> <answer...>',
    summary: 'record the right answer to a question, once it is known',
    load: async () => (await import('../terminal/ask.ts')).defineResolve,
  },
  say: {
    usage: 'say <session> <words...>',
    summary: 'add a fact, a constraint or a question to a session that runs',
    load: async () => (await import('../terminal/ask.ts')).defineSay,
  },
  kind: {
    usage: 'kind <session> <kind>',
    summary: 'correct what kind of question it is: fact, estimate, judgement or taste',
    load: async () => (await import('../terminal/ask.ts')).defineKind,
  },
  stats: {
    usage: 'stats',
    summary: 'show the track record of each model',
    load: async () => (await import('../terminal/archive.ts')).defineStats,
  },
  replay: {
    usage: 'replay <session>',
    summary: 'play back a saved session',
    load: async () => (await import('../terminal/archive.ts')).defineReplay,
  },
  letters: {
    usage: 'letters',
    summary: 'books of letters that models write for their successors',
    load: async () => (await import('../letters/command.ts')).defineLetters,
  },
  house: {
    usage: 'house [action] [model]',
    summary: 'list, download, verify or remove the built-in models',
    load: async () => (await import('../terminal/house.ts')).defineHouse,
  },
  trust: {
    usage: 'trust [folder]',
    summary: "let a folder's .env and roundtable.config.json use your keys and your sessions",
    load: async () => (await import('../terminal/config.ts')).defineTrust,
  },
  bench: {
    usage: 'bench',
    summary: 'measure aggregation rules on recorded votes, and tables on questions with known answers',
    load: async () => (await import('../bench/command.ts')).defineBench,
  },
  doctor: {
    usage: 'doctor',
    summary: 'check the setup, and say how to fix what is wrong',
    load: async () => (await import('../terminal/table.ts')).defineDoctor,
  },
}

const description =
  'Models from different makers answer your question separately, read each other, argue, and may change their minds. Code counts who agrees; a moderator model writes the report.'

const epilogue = `
A <session> is an id, the beginning of an id, "last", or the path of a JSON or transcript file.
Exit codes: 0 success, 1 failure, 2 wrong usage, 3 no quorum, 4 budget reached, 129 terminal closed, 130 interrupted.

Examples:
  ${programName()} tour
  ${programName()} ask "Is a hot dog a sandwich?" --options "Yes,No"
  ${programName()} ask "Is a hot dog a sandwich?" --seats "Claude Sonnet 4.6,GPT-5.5,lab/one"`

/** The command that was typed, also after "help". */
const typed = (words: readonly string[]): Entry | undefined => {
  const names = words.filter(word => !word.startsWith('-'))
  return commands[(names[0] === 'help' ? names[1] : names[0]) ?? '']
}

const describeProgram = (shell: Shell): Command =>
  new Command('roundtable')
    .description(description)
    .version(packageVersion(), '-V, --version', 'print the version')
    .option('--verbose', 'show stack traces with errors')
    .addHelpText('after', epilogue)
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: text => shell.stdout.write(text),
      writeErr: text => shell.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'roundtable: ')),
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
    command.option('--verbose', 'show stack traces with errors')
    if (entry === typed(words)) (await entry.load())(command, shell, finish)
  }
  return program
}

/** One plain line that says what is wrong; a stack trace only if it was asked for. */
const complain = async (error: unknown, words: readonly string[], shell: Shell): Promise<number> => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  const { errorWords, isUsageError } = await import('../terminal/terminal.ts')
  shell.stderr.write(`roundtable: ${errorWords(error).replace(/[\0-\x09\x0b-\x1f\x7f-\x9f]/g, ' ')}\n`)
  if (words.includes('--verbose') && error instanceof Error) shell.stderr.write(`${error.stack}\n`)
  if (error instanceof Interrupted) return exitCodes.interrupted
  return isUsageError(error) && error.kind !== 'disk-full' ? exitCodes.usage : exitCodes.failed
}

/** Runs one command line and returns its exit code. */
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
    return await complain(error, words, shell)
  }
}
