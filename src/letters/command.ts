/** `letters`: books of letters that models write for their successors. */

import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { fold } from '../core/fold.ts'
import type { AskFlags } from '../terminal/ask-flags.ts'
import type { OutputFlags } from '../terminal/run-session.ts'
import { paintFor, printable, type Shell, several } from '../terminal/terminal.ts'

interface LetterFlags extends AskFlags, OutputFlags {
  readonly about?: string
  readonly yes?: boolean
}

/** The formats that a book reads well in. */
const bookFormats = ['markdown', 'html'] as const

const ask = async ({ about, ...flags }: LetterFlags, shell: Shell): Promise<number> => {
  const [{ askTable }, { askInput }, { letterTask }] = await Promise.all([
    import('../terminal/ask.ts'),
    import('../terminal/ask-flags.ts'),
    import('../core/opening.ts'),
  ])
  const input = askInput(letterTask(about), flags, shell.cwd)
  return askTable({ ...input, book: {} }, flags, shell)
}

const lesson = async (name: string, flags: LetterFlags, shell: Shell): Promise<number> => {
  const [{ askTable }, { lessonOf }, { idOf, withArchive }] = await Promise.all([
    import('../terminal/ask.ts'),
    import('./table.ts'),
    import('../terminal/archive.ts'),
  ])
  const session = await withArchive(shell, async archive =>
    fold(await archive.read(await idOf(name, archive))),
  )
  return askTable(lessonOf(session), flags, shell)
}

const list = async (flags: { readonly json?: boolean }, shell: Shell): Promise<void> => {
  const [{ withArchive }, { bookLines }] = await Promise.all([
    import('../terminal/archive.ts'),
    import('../terminal/round-view.ts'),
  ])
  const { sessions } = await withArchive(shell, archive => archive.find({ books: true }, { limit: 200 }))
  const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
  const text = flags.json ? JSON.stringify(sessions, null, 2) : bookLines(sessions, look).join('\n')
  shell.stdout.write(printable(`${text}\n`, shell.stdout))
}

const bookNamed = async (name: string, shell: Shell) => {
  const { bookIdOf, withArchive } = await import('../terminal/archive.ts')
  return withArchive(shell, async archive => archive.read(await bookIdOf(name, archive)))
}

const show = async (name: string, shell: Shell): Promise<void> => {
  const { bookView } = await import('../terminal/round-view.ts')
  const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
  shell.stdout.write(`${bookView(fold(await bookNamed(name, shell)), look).join('\n')}\n`)
}

const exportBook = async (
  name: string,
  { format, out }: { readonly format: string; readonly out?: string },
  shell: Shell,
): Promise<void> => {
  const { exporterNamed } = await import('../exports/index.ts')
  const text = exporterNamed(format).write(await bookNamed(name, shell))
  if (out === undefined) {
    shell.stdout.write(printable(text, shell.stdout))
    return
  }
  writeFileSync(resolve(shell.cwd, out), text, { mode: 0o600 })
  shell.stderr.write(`Written to ${out}\n`)
}

const withOutput = (command: Command): Command =>
  command
    .option('--budget <cap>', 'the most that it may cost: 0.50, 20000tokens, or both with a comma')
    .option('--deadline <seconds>', 'the most seconds for one letter')
    .option('--yes', 'if no other model can answer, download the smallest built-in one without asking')
    .option('--out <file>', 'also write the book to a .json, .md, .html or .txt file')
    .option('--json', 'print only the session, as one JSON document')
    .option('--events', 'print each event as a line of JSON when it happens')

const defineAsking = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  withOutput(
    command
      .command('ask')
      .description('ask models for letters to their successors')
      .option('--seats <models>', 'the models that write')
      .option('--lineup <name>', 'the models of a line-up')
      .option('--moderator <model>', 'the model that draws the common thread, or "none"')
      .option('--about <words>', 'what the letters should be about')
      .option('--words <number>', 'the length of a letter in words, 20 to 3000 (default: about 400)')
      .option('--rounds <count>', 'how often they may read each other and rewrite, 0 to 4')
      .option('--language <code>', 'the language of the letters')
      .option('--letters <books>', 'books that the writers read first: ids, "last" or "all", with commas')
      .option('--attach <file>', 'attach a text file; repeat the flag for more files', several)
      .option('--seed <seed>', 'the seed of all random choices'),
  ).action(async (flags: LetterFlags) => finish(await ask(flags, shell)))
  withOutput(
    command
      .command('lesson <session>')
      .description('after a session is resolved, ask each of its seats what it got wrong'),
  ).action(async (name: string, flags: LetterFlags) => finish(await lesson(name, flags, shell)))
}

export const defineLetters = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  defineAsking(command, shell, finish)
  command
    .command('list')
    .description('list the books of letters')
    .option('--json', 'print JSON')
    .action((flags: { readonly json?: boolean }) => list(flags, shell))
  command
    .command('show <book>')
    .description('show a book: its letters in their reading order, and the common thread')
    .action((name: string) => show(name, shell))
  command
    .command('export <book>')
    .description('write a book to a file')
    .addOption(new Option('--format <format>', 'the format').choices(bookFormats).default('markdown'))
    .option('--out <file>', 'write to a file instead of the terminal')
    .action((name: string, flags: { readonly format: string; readonly out?: string }) =>
      exportBook(name, flags, shell),
    )
  command.addHelpText(
    'after',
    '\nA <book> is the id of its session, the beginning of one, or "last".\nTo let a table read letters first: ask --letters <book>. To measure whether that helps: bench live --letters <book>.',
  )
}
