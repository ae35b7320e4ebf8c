/** `bench live`: asks a real table questions with known answers, and compares debates with simpler methods. */
import { type Command, Option } from 'commander'
import { UsageError } from '../../core/errors.ts'
import { type Carry, carries } from '../../core/log/event.ts'
import { type Form, forms } from '../../core/question/form.ts'
import type { LiveBench, LiveResult } from '../../trials/live.ts'
import { withArchive } from '../archive/sessions.ts'
import type { AskFlags } from '../session/ask-flags.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { listFrom, wholeNumberFrom } from '../terminal/flags.ts'
import type { Shell } from '../terminal/shell.ts'

interface LiveFlags
  extends Pick<
    AskFlags,
    | 'seats'
    | 'lineup'
    | 'moderator'
    | 'rounds'
    | 'names'
    | 'budget'
    | 'deadline'
    | 'temperature'
    | 'effort'
    | 'letters'
  > {
  readonly protocols: string
  readonly seed: string
  readonly form: string
  readonly carry?: Carry
  readonly dev?: string
  readonly parallel: string
  readonly run?: string
  readonly out?: string
  readonly json?: boolean
  readonly yes?: boolean
}

const codes = {
  complete: exitCodes.done,
  budget: exitCodes.budget,
  interrupted: exitCodes.interrupted,
} as const

const benchFor = async (name: string, flags: LiveFlags, shell: Shell) => {
  const [
    { openReach, resolveAsk },
    { configAt },
    { askInput },
    { askerAt },
    { questionsIn },
    { protocolNamed },
    { booksNamed },
  ] = await Promise.all([
    import('../../table/index.ts'),
    import('../terminal/config.ts'),
    import('../session/ask-flags.ts'),
    import('../session/asker.ts'),
    import('../bench/live-files.ts'),
    import('../../protocols/index.ts'),
    import('../archive/books.ts'),
  ])
  if (flags.out !== undefined && !/\.html?$/i.test(flags.out))
    throw new UsageError(
      `--out ${flags.out}: this writes a page, so the name must end in .html. Use --json for the figures.`,
    )
  const protocols = [...new Set(listFrom(flags.protocols).map(id => protocolNamed(id).id))]
  const questions = questionsIn(name, shell.cwd)
  const { seed: _seed, protocols: _protocols, form: _form, carry: _carry, ...told } = flags
  const config = await configAt(shell)
  const { cwd, clock } = shell
  const wish = askInput(questions[0]!.question.text, told, cwd)
  const reach = await openReach(config, { cwd, clock, ask: wish })
  const { input } = await withArchive(shell, async archive => {
    const letters = wish.letters && (await booksNamed(wish.letters, archive))
    const asked = { ...wish, ...(letters && { letters }) }
    return resolveAsk(asked, 'bench', reach, askerAt(archive, config, shell, flags))
  })
  const { question: _question, protocol: _protocol, budget, signal: _signal, ...table } = input
  const bench = {
    questions,
    table,
    protocols: protocols.filter(id => id !== 'poll'),
    seed: flags.seed,
    parallel: wholeNumberFrom('--parallel', 1)(flags.parallel),
    ...(flags.dev !== undefined && { dev: wholeNumberFrom('--dev', 1)(flags.dev) }),
  }
  return { bench, reach, budget: typeof budget === 'number' ? { usd: budget } : budget }
}

/** What `--form` means: one form or both. */
const formsFor = ({ form, out, letters }: LiveFlags): readonly Form[] => {
  if (letters !== undefined && (out !== undefined || form === 'both'))
    throw new UsageError('--letters compares two runs: leave out --out and --form both, or use --json.')
  if (form === 'both') {
    if (out === undefined) return forms
    throw new UsageError('--out writes a page about one form. Leave it out with --form both, or use --json.')
  }
  const one = forms.find(name => name === form)
  if (one) return [one]
  throw new UsageError(`--form ${form}: use one of ${forms.join(', ')}, both.`)
}

/** Without a form of its own a bench reasons first, so it finds its sessions of earlier versions again. */
const inForm = (bench: LiveBench, form: Form): LiveBench =>
  form === 'answer-first' ? { ...bench, table: { ...bench.table, form } } : bench

/** With the letters first, then without them. Without `--letters`, once for each form. */
const runsOf = (bench: LiveBench, asked: readonly Form[]): readonly LiveBench[] => {
  const runs = asked.map(form => inForm(bench, form))
  if (!bench.table.given) return runs
  const { letters: _letters, given: _given, ...table } = runs[0]!.table
  return [runs[0]!, { ...runs[0]!, table }]
}

/** With --carry: every question is asked again after its own first session, told of it and not told. */
const runCarry = async (name: string, carry: Carry, flags: LiveFlags, shell: Shell): Promise<number> => {
  if (carry === 'none')
    throw new UsageError('--carry none is what the others are compared with: use camps or verdict.')
  if (flags.out !== undefined) throw new UsageError('--out and --carry cannot be used together.')
  const { bench, reach, budget } = await benchFor(name, flags, shell)
  const [{ runFolder }, { carryIn }, { carryLines }, { paintFor }] = await Promise.all([
    import('../bench/live-files.ts'),
    import('../bench/live-run.ts'),
    import('../bench/carry-view.ts'),
    import('../terminal/paint.ts'),
  ])
  const folder = flags.run ?? `${runFolder(name, bench)}-carry`
  const found = await carryIn(folder, bench, carry, reach, budget, shell)
  const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
  shell.stdout.write(
    flags.json ? `${JSON.stringify(found, null, 2)}\n` : `${carryLines(found, look).join('\n')}\n`,
  )
  if (found.ended !== 'complete') shell.stderr.write(leftWords(found, folder))
  return codes[found.ended]
}

const leftWords = ({ left, ended }: Pick<LiveResult, 'left' | 'ended'>, folder: string): string =>
  `${left} questions are left. Run the same command again${ended === 'budget' ? ' with a larger --budget' : ''} to resume from ${folder}.\n`

const run = async (name: string, flags: LiveFlags, shell: Shell): Promise<number> => {
  if (flags.carry !== undefined) return runCarry(name, flags.carry, flags, shell)
  const asked = formsFor(flags)
  const { bench, reach, budget } = await benchFor(name, flags, shell)
  const runs = runsOf(bench, asked)
  const [
    { runFolder },
    { liveIn },
    { formLines, letterLines, liveLines },
    { writePage },
    { paintFor },
    { compareForms, compareRuns },
  ] = await Promise.all([
    import('../bench/live-files.ts'),
    import('../bench/live-run.ts'),
    import('../bench/live-view.ts'),
    import('../bench/files.ts'),
    import('../terminal/paint.ts'),
    import('../../bench/live/compare-forms.ts'),
  ])
  const folder = flags.run ?? runFolder(name, runs[0]!)
  const results: LiveResult[] = []
  // One after the other in one folder, so that one budget covers both. A run that was stopped isn't followed by another.
  for (const one of runs) {
    if (results.some(({ ended }) => ended !== 'complete')) break
    results.push(await liveIn(folder, one, reach, budget, shell))
  }
  const found = results.at(-1)!
  const [first, second] = results
  const byForm = asked.length > 1 && first && second && compareForms(first, second, bench.seed)
  const byLetters = bench.table.given && first && second && compareRuns(first, second, bench.seed)
  const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
  const json =
    asked.length > 1
      ? { forms: results, compared: byForm || [] }
      : bench.table.given
        ? { letters: first, none: second ?? null, compared: byLetters ?? [] }
        : found
  const lines = [
    ...results.flatMap(result => [...liveLines(result, look), '']),
    ...(byForm ? formLines(byForm, look) : []),
    ...(byLetters ? letterLines(byLetters, look) : []),
  ]
  shell.stdout.write(flags.json ? `${JSON.stringify(json, null, 2)}\n` : `${lines.join('\n').trimEnd()}\n`)
  if (flags.out !== undefined) writePage(flags.out, { live: found }, shell)
  if (found.ended !== 'complete') shell.stderr.write(leftWords(found, folder))
  return codes[found.ended]
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--seats <models>', 'the models at the table')
    .option('--lineup <name>', 'a saved table, by its name')
    .option('--moderator <model>', 'the model that moderates the debates, or "none"')
    .option('--protocols <ids>', 'the protocols to compare', 'poll,hybrid')
    .option('--rounds <count>', 'the most open rounds, 0 to 4')
    .option('--names <how>', "whether seats see each other's names: hidden or shown")
    .option(
      '--budget <cap>',
      'the most that the whole run may cost: 5.00, 2000000tokens, or both with a comma',
    )
    .option('--deadline <seconds>', 'the most seconds for one answer')
    .option('--temperature <number>', 'the temperature of all seats that support one')
    .option('--effort <effort>', 'how long seats think, if they support it')
    .option(
      '--dev <count>',
      "how many questions choose the best seat; these aren't scored (default: a quarter)",
    )
    .option('--parallel <count>', 'how many questions to ask at once', '4')
    .option(
      '--form <order>',
      'whether seats give reasons or answer first: reasoning-first, answer-first, or both to compare them',
      'reasoning-first',
    )
    .option(
      '--letters <books>',
      'also run with these books of letters read first, and compare: ids, "last" or "all", with commas',
    )
    .addOption(
      new Option(
        '--carry <what>',
        'instead: ask every question again after its first session, told of it and not told, and compare',
      ).choices(carries),
    )
    .option('--seed <seed>', 'makes random choices repeatable', '1')
    .option('--run <folder>', 'where to keep the sessions; a run that was stopped resumes from there')
    .option('--yes', 'download the built-in model without asking if no other model is available')
    .option('--out <file>', 'also write a page with plots (.html)')
    .option('--json', 'print JSON')
    .action(async (name: string, flags: LiveFlags) => finish(await run(name, flags, shell)))
}
