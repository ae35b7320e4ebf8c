/** `bench live`: questions with known answers to a real table, against the baselines that a debate must beat. */
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import { withArchive } from '../archive/sessions.ts'
import type { AskFlags } from '../session/ask-flags.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { listFrom, wholeNumberFrom } from '../terminal/flags.ts'
import type { Shell } from '../terminal/shell.ts'

interface LiveFlags
  extends Pick<
    AskFlags,
    'seats' | 'lineup' | 'moderator' | 'rounds' | 'names' | 'budget' | 'deadline' | 'temperature' | 'effort'
  > {
  readonly protocols: string
  readonly seed: string
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
    { loadConfig, openReach, resolveAsk },
    { askInput },
    { askerAt },
    { questionsIn },
    { protocolNamed },
  ] = await Promise.all([
    import('../../table/index.ts'),
    import('../session/ask-flags.ts'),
    import('../session/asker.ts'),
    import('../bench/live-files.ts'),
    import('../../protocols/index.ts'),
  ])
  if (flags.out !== undefined && !/\.html?$/i.test(flags.out))
    throw new UsageError(
      `--out ${flags.out}: the page with plots is a .html file; --json prints the figures.`,
    )
  const protocols = [...new Set(listFrom(flags.protocols).map(id => protocolNamed(id).id))]
  const questions = questionsIn(name, shell.cwd)
  const { seed: _seed, protocols: _protocols, ...told } = flags
  const config = loadConfig(shell)
  const { cwd, clock } = shell
  const wish = askInput(questions[0]!.question.text, told, cwd)
  const reach = await openReach(config, { cwd, clock, ask: wish })
  const { input } = await withArchive(shell, archive =>
    resolveAsk(wish, 'bench', reach, askerAt(archive, config, shell, flags.yes)),
  )
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

const run = async (name: string, flags: LiveFlags, shell: Shell): Promise<number> => {
  const { bench, reach, budget } = await benchFor(name, flags, shell)
  const [{ runFolder }, { liveIn }, { liveLines }, { writePage }, { paintFor }] = await Promise.all([
    import('../bench/live-files.ts'),
    import('../bench/live-run.ts'),
    import('../bench/live-view.ts'),
    import('../bench/files.ts'),
    import('../terminal/paint.ts'),
  ])
  const folder = flags.run ?? runFolder(name, bench)
  const found = await liveIn(folder, bench, reach, budget, shell)
  const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
  shell.stdout.write(
    flags.json ? `${JSON.stringify(found, null, 2)}\n` : `${liveLines(found, look).join('\n')}\n`,
  )
  if (flags.out !== undefined) writePage(flags.out, { live: found }, shell)
  if (found.ended !== 'complete')
    shell.stderr.write(
      `${found.left} questions are left: the same command${found.ended === 'budget' ? ' with a larger --budget' : ''} goes on from ${folder}.\n`,
    )
  return codes[found.ended]
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--seats <models>', 'who sits at the table')
    .option('--lineup <name>', 'a table by its name')
    .option('--moderator <model>', 'who moderates the debates; "none" for nobody')
    .option('--protocols <ids>', 'the protocols that are compared', 'poll,hybrid')
    .option('--rounds <count>', 'how many open rounds there may be, 0 to 4')
    .option('--names <how>', 'whether seats see names: hidden or shown')
    .option('--budget <cap>', 'the most that all of it may cost: 5.00, 2000000tokens, or both with a comma')
    .option('--deadline <seconds>', 'seconds for one answer')
    .option('--temperature <number>', 'the temperature of all seats, where they take one')
    .option('--effort <effort>', 'how long all seats think, where they take it')
    .option('--dev <count>', 'how many questions pick the best seat and are not scored (default: a quarter)')
    .option('--parallel <count>', 'questions under way at once', '4')
    .option('--seed <seed>', 'fixes chance', '1')
    .option('--run <folder>', 'where the sessions are kept, and a run that was ended is gone on with')
    .option('--yes', 'fetch the built-in model without asking, where nobody else can answer')
    .option('--out <file>', 'also write a page with plots (.html)')
    .option('--json', 'as JSON')
    .action(async (name: string, flags: LiveFlags) => finish(await run(name, flags, shell)))
}
