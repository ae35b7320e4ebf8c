/** `doctor`: shows what is configured, what answers, what is wrong and how to fix it. */

import type { Command } from 'commander'
import { counted, shortNumber } from '../core/basics.ts'
import { type CatalogueModel, type Filters, makerLabel } from '../models/catalogue.ts'
import type { Config } from '../table/config.ts'
import type { Finding } from '../table/doctor.ts'
import type { OpenReach } from '../table/open-reach.ts'
import type { BuiltInNeed } from '../table/reach.ts'
import { exitCodes, programName } from './program-name.ts'
import type { OutputFlags } from './run-session.ts'
import {
  createRemarks,
  cut,
  grid,
  hanging,
  type Look,
  numberFrom,
  oneLine,
  padEnd,
  paintFor,
  paragraph,
  printable,
  room,
  type Shell,
  widthOf,
} from './terminal.ts'

const marks = { good: '✓', bad: '✗', note: '·' } as const

interface Widths {
  readonly subject: number
  readonly key: number
}

const findingLines = (finding: Finding, widths: Widths, look: Look): string[] => {
  const tone = { good: look.paint.good, bad: look.paint.bad, note: look.paint.faint }[finding.state]
  const key = finding.key === undefined ? '' : ` ${padEnd(finding.key, widths.key)} `
  const label = `${marks[finding.state]} ${padEnd(oneLine(finding.subject), widths.subject)} ${key}`
  return [
    ...hanging(label, oneLine(finding.words), 1, look, tone),
    ...(finding.advice
      ? paragraph(`→ ${oneLine(finding.advice)}`, widths.subject + 5, look, look.paint.strong)
      : []),
  ]
}

const widest = (words: readonly string[]): number => Math.max(0, ...words.map(word => widthOf(oneLine(word))))

const doctor = async (shell: Shell): Promise<number> => {
  const [{ configAt }, { openReach }, { houseModels }, { checkData, diagnose }, { archiveFolder }] =
    await Promise.all([
      import('./config.ts'),
      import('../table/open-reach.ts'),
      import('../table/reach.ts'),
      import('../table/doctor.ts'),
      import('./archive.ts'),
    ])
  const reach = await openReach(await configAt(shell), shell)
  const { config } = reach
  // Lists of models say which ones are about to be retired.
  await reach.refresh()
  const models = await houseModels(config, shell.cwd)
  const data = checkData(archiveFolder(config.data), config.env)
  const findings = await diagnose(config, reach, data, models, shell.clock)
  const look = { columns: shell.stdout.columns ?? 110, paint: paintFor(shell.stdout) }
  const widths = {
    // The name of a model that can't be seated may be long; it must not push everything else to the right.
    subject: Math.min(24, widest(findings.map(finding => finding.subject))),
    key: widest(findings.map(finding => finding.key ?? '')),
  }
  const lines = findings.flatMap(finding => findingLines(finding, widths, look))
  const wrong = findings.filter(finding => finding.state === 'bad').length
  const sum = wrong === 0 ? 'No problems found.' : `${counted(wrong, 'problem')} found.`
  const hint = findings.some(({ download }) => download)
    ? ['', ` To download a built-in model: ${programName()} house download <name>`]
    : []
  const leaving = findings.flatMap(({ letterOf }) =>
    letterOf === undefined
      ? []
      : ` To ask for its letter: ${programName()} letters ask --seats "${oneLine(letterOf)}"`,
  )
  shell.stdout.write(
    `${[...lines, ...hint, ...(leaving.length > 0 ? ['', ...leaving] : []), '', ` ${sum}`].join('\n')}\n`,
  )
  return wrong === 0 ? exitCodes.done : exitCodes.failed
}

export const defineDoctor = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command.action(async () => finish(await doctor(shell)))
}

// models: `models`: searches the catalogue and the lists of the configured providers, and says what each model needs.

interface ModelsFlags {
  readonly maker?: string
  readonly maxPrice?: string
  readonly minContext?: string
  readonly local?: boolean
  readonly configured?: boolean
  readonly refresh?: boolean
  readonly json?: boolean
}

/** One model as it is printed: under the id that can be used, or the shortest one. */
interface Row {
  readonly id: string
  readonly name: string
  readonly maker: string
  readonly context: number | null
  /** Dollars per million tokens. */
  readonly price: CatalogueModel['price'] | null
  readonly configured: boolean
  /** Variables of which one must be set; for a built-in model, the command that downloads it. */
  readonly missing: readonly string[]
  /** A subscription pays for it. */
  readonly subscription?: boolean
}

const filtersFrom = (flags: ModelsFlags, configured: (provider: string) => boolean): Filters => ({
  ...(flags.maker !== undefined && { maker: flags.maker }),
  ...(flags.maxPrice !== undefined && { maxPrice: numberFrom('--max-price', 0)(flags.maxPrice) }),
  ...(flags.minContext !== undefined && { minContext: numberFrom('--min-context', 1)(flags.minContext) }),
  ...(flags.local && { local: true }),
  ...(flags.configured && { configured }),
})

const rowsFor = async (search: string, flags: ModelsFlags, reach: OpenReach): Promise<Row[]> => {
  const { modelRows } = await import('../table/index.ts')
  const isConfigured = (id: string): boolean => reach.providers.some(provider => provider.id === id)
  return modelRows(reach, search, filtersFrom(flags, isConfigured)).map(({ model, configured, missing }) => {
    const { id, name, maker, context = null, price = null } = model
    return { id, name, maker, context, price, configured, missing }
  })
}

/** What a person types to get a built-in model. */
const commandFor = (need: BuiltInNeed, needWords: (need: BuiltInNeed) => string): string => {
  switch (need.type) {
    case 'download':
      return `house download ${need.id} (${need.size})`
    case 'download-again':
      return `house remove ${need.id}, then house download ${need.id}`
    case 'file':
      return needWords(need)
  }
}

/** The agents on this machine, which a subscription pays. */
const agentRows = async (
  search: string,
  flags: ModelsFlags,
  { agents }: OpenReach,
): Promise<readonly Row[]> => {
  const { agentModels } = await import('../table/seats.ts')
  const filters = filtersFrom(flags, () => true)
  return agentModels(await agents.check(), search, filters).map(({ model: { id, name, maker }, logIn }) => ({
    ...{ id, name, maker, context: null, price: null, configured: logIn === undefined },
    missing: logIn === undefined ? [] : [`logging in: ${logIn}`],
    subscription: true,
  }))
}

/** The built-in models come last: they are the weakest. */
const houseRows = async (
  search: string,
  flags: ModelsFlags,
  config: Config,
  cwd: string,
): Promise<readonly Row[]> => {
  const { houseModels, needWords, searchHouse } = await import('../table/reach.ts')
  const found = searchHouse(
    await houseModels(config, cwd),
    search,
    filtersFrom(flags, () => true),
  )
  return found.map(({ model: { id, name, maker, context = null, price = null }, needs }) => ({
    ...{ id, name, maker, context, price, configured: !needs },
    missing: needs ? [commandFor(needs, needWords)] : [],
  }))
}

const longestName = 26

/** 0.65, 15, 0.0035: two significant digits. */
const figure = (usd: number): string => String(Number(usd < 0.1 ? usd.toPrecision(2) : usd.toFixed(2)))

const cellsOf = (row: Row, look: Look): string[] => [
  cut(oneLine(row.name), longestName),
  ...(room(look) >= 100 ? [makerLabel(row.maker)] : []),
  row.context === null ? '?' : shortNumber(row.context),
  row.price
    ? `$${figure(row.price.input)}/${figure(row.price.output)}`
    : row.subscription
      ? 'subscription'
      : '?',
  row.configured ? `✓ ${row.id}` : `· needs ${row.missing[0] ?? 'a provider that serves it'}`,
]

const tableOf = (rows: readonly Row[], look: Look): string[] => {
  const heads = ['Model', ...(room(look) >= 100 ? ['Maker'] : []), 'Context', 'In/out, 1M', 'Seat it as']
  const [head = '', ...lines] = grid([heads, ...rows.map(row => cellsOf(row, look))], look)
  const ready = rows.filter(row => row.configured).length
  return [look.paint.strong(head), ...lines, '', ` ${counted(rows.length, 'model')}, ${ready} of them ready`]
}

const nothingFound = (search: string, reach: OpenReach): string => {
  const nearest = search === '' ? [] : reach.catalogue().nearest(search, 3)
  const names = nearest.map(model => model.name).join(', ')
  return `No model found.${names === '' ? '' : ` The nearest names are ${names}.`}`
}

const models = async (search: string, flags: ModelsFlags, shell: Shell): Promise<number> => {
  const [{ openReach }, { configAt }] = await Promise.all([
    import('../table/index.ts'),
    import('./config.ts'),
  ])
  const reach = await openReach(await configAt(shell), shell)
  const problems = await reach.refresh(flags.refresh)
  const rows = [
    ...(await rowsFor(search, flags, reach)),
    ...(await agentRows(search, flags, reach)),
    ...(await houseRows(search, flags, reach.config, shell.cwd)),
  ]
  const look = { columns: shell.stdout.columns ?? 110, paint: paintFor(shell.stdout) }
  if (flags.json) shell.stdout.write(printable(`${JSON.stringify(rows, null, 2)}\n`, shell.stdout))
  else if (rows.length > 0) shell.stdout.write(`${tableOf(rows, look).join('\n')}\n`)
  else shell.stderr.write(`${nothingFound(search, reach)}\n`)
  for (const { provider, error } of problems)
    shell.stderr.write(
      `roundtable: could not get the list of models from ${provider}: ${oneLine(error.message)}\n`,
    )
  return rows.length === 0 && problems.length > 0 ? exitCodes.failed : exitCodes.done
}

export const defineModels = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--maker <name>', 'only models from this maker')
    .option('--max-price <dollars>', 'only models that cost at most this much per million output tokens')
    .option('--min-context <tokens>', 'only models with at least this many tokens of context')
    .option('--local', 'only models that run on this machine')
    .option('--configured', 'only models that you can use now')
    .option('--refresh', 'reload the list of models of every configured provider')
    .option('--json', 'print JSON')
    .action(async (search: string[], flags: ModelsFlags) =>
      finish(await models(search.join(' '), flags, shell)),
    )
}

// tour: `tour`: runs a session with replies that were written in advance, in the same way as a real one.

const tour = async (flags: OutputFlags, shell: Shell): Promise<number> => {
  const [script, { owningRuns, withArchive }, { checkOutput, runSession }, { createRoundtable }] =
    await Promise.all([
      import('../library/tour.ts'),
      import('./archive.ts'),
      import('./run-session.ts'),
      import('../library/index.ts'),
    ])
  checkOutput(flags)
  const { options, input } = script.tour()
  const remarks = createRemarks()
  return withArchive(
    shell,
    archive => {
      const roundtable = createRoundtable({ store: owningRuns(archive), ...options })
      const start = (signal: AbortSignal) => roundtable.ask({ ...input, signal })
      return runSession({ estimate: roundtable.estimate(input), start }, flags, shell, remarks)
    },
    { listen: true, moved: remarks.tell },
  )
}

export const defineTour = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--out <file>', 'also write the session to a .json, .md, .html or .txt file')
    .option('--json', 'print only the session, as one JSON document')
    .option('--events', 'print each event as a line of JSON when it happens')
    .action(async (flags: OutputFlags) => finish(await tour(flags, shell)))
}
