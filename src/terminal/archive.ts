/** The archive of saved sessions, and how a person names one of them. */

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { counted, dollars, duration, located, percent, UsageError } from '../core/basics.ts'
import type { SessionEvent } from '../core/event.ts'
import type { StoredFile } from '../core/excerpts.ts'
import { fold } from '../core/fold.ts'
import type { Score } from '../core/rules.ts'
import { levels } from '../count/tally.ts'
import type { CalibrationBin, ModelRecord, TrackRecord } from '../count/track-record.ts'
import { exporterNamed, exporters, importText, savedLog } from '../exports/index.ts'
import { importedFiles } from '../exports/json.ts'
import { allBooks } from '../letters/table.ts'
import type { Environment } from '../models/endpoints.ts'
import {
  type Archive,
  type Filter,
  type FoundSession,
  lazily,
  threadOf,
  trackRecordIn,
} from '../store/archive.ts'
import { type Shared, type SharedOptions, sharedArchive } from '../store/shared.ts'
import { filesOf, type Listed, PositionTaken } from '../store/store.ts'
import { importedMark, isTranscript } from '../words/story.ts'
import { configAt } from './config.ts'
import { exitCodes, programName } from './program-name.ts'
import { rendererFor, replayPlan } from './render.ts'
import { roundView, threadView } from './round-view.ts'
import { checkSaved, exporterForFile } from './run-session.ts'
import {
  cut,
  type Look,
  numberFrom,
  oneLine,
  padEnd,
  padStart,
  paintFor,
  paragraph,
  printable,
  room,
  rule,
  type Shell,
  wholeNumberFrom,
  whyUnread,
  widthOf,
} from './terminal.ts'
import { header, verdictView } from './views.ts'

/** Which processes are watched: those that hold an embedded archive, serve, or run sessions of others. */
const usualWatch = 60
const watchVariable = 'ROUNDTABLE_WATCHDOG'

/** 0: nobody watches. */
const watchSeconds = (env: Environment): number => {
  const set = env[watchVariable]?.trim()
  return set ? wholeNumberFrom(watchVariable, 0, 86_400)(set) : usualWatch
}

/**
 * Opens what the process is to hold, and watches over the process from then on. Opening isn't watched: after a crash the
 * database replays its own log, and a process that is stopped then would begin again at each start.
 */
export const watchedFrom = async <T>(open: () => Promise<T>, env: Environment, shell: Shell): Promise<T> => {
  const seconds = watchSeconds(env)
  const opened = await open()
  if (seconds > 0) await shell.startWatchdog?.(seconds)
  return opened
}

/** Milliseconds that a command waits for another one that uses the archive and does not share it. */
const patience = 30_000

export const archiveFolder = (data: string): string => join(data, 'archive')

/** Imported only when it is needed: loading the embedded database takes longer than most commands. */
const openFolder = async (folder: string): Promise<Archive> =>
  (await import('../store/embedded.ts')).embeddedArchive(folder)

/** Any number of processes can use a database server at once, so nothing has to be shared through a socket. */
const onServer = (address: string): Shared => ({
  ...lazily(async () => (await import('../store/server.ts')).serverArchive(address)),
  server: async () => undefined,
  running: async () => undefined,
  ownRun: async () => () => {},
})

type Sharing = Pick<SharedOptions, 'listen' | 'moved'>

/** The archive is opened at its first use. The caller closes it. */
const storeFor = async (shell: Shell, sharing: Sharing = {}): Promise<Shared> => {
  const { env, data } = await configAt(shell)
  const address = env.DATABASE_URL?.trim()
  if (address) return onServer(address)
  const folder = archiveFolder(data)
  return sharedArchive({
    folder,
    patience,
    open: () => watchedFrom(() => openFolder(folder), env, shell),
    waiting: words => shell.stderr.write(`${words}\n`),
    ...sharing,
  })
}

export const withArchive = async <T>(
  shell: Shell,
  use: (archive: Shared) => Promise<T>,
  sharing?: Sharing,
): Promise<T> => {
  const archive = await storeFor(shell, sharing)
  try {
    return await use(archive)
  } finally {
    await archive.close()
  }
}

const textOf = (path: string, shell: Shell): string => {
  try {
    return readFileSync(resolve(shell.cwd, path), 'utf8')
  } catch (error) {
    throw new UsageError(`${path} can't be read: ${whyUnread(error)}.`)
  }
}

interface SessionAndFiles {
  readonly events: SessionEvent[]
  readonly files: readonly StoredFile[]
}

/** Reads a session from a file. It gets a new id if the file has none. */
export const eventsFromFile = async (path: string, shell: Shell): Promise<SessionEvent[]> =>
  (await sessionFromFile(path, shell)).events

/** The same, with the files that a document brings along. */
export const sessionFromFile = async (path: string, shell: Shell): Promise<SessionAndFiles> => {
  const { dayId } = await import('../run/run.ts')
  const text = textOf(path, shell)
  try {
    const events = importText(text, { newId: dayId(shell.clock), clock: shell.clock })
    return { events, files: importedFiles(text, events) }
  } catch (error) {
    throw located(path, error)
  }
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

const isThere = async (id: string, archive: Archive): Promise<boolean> =>
  /^[\w-]+$/.test(id) && (await archive.read(id)).length > 0

/** Lists all sessions only if the name may be the beginning of an id: an archive may hold a great many. */
export const idOf = async (name: string, archive: Archive): Promise<string> => {
  const newest = (await archive.find({}, { limit: 1 })).sessions[0]
  if (!newest)
    throw new UsageError(`No sessions are saved yet. Ask something, or try \`${programName()} tour\`.`)
  if (name === 'last') return newest.id
  if (await isThere(name, archive)) return name
  const ids = (await archive.list()).map(session => session.id)
  const found = ids.filter(id => id.startsWith(name))
  if (found.length === 1) return found[0]!
  throw new UsageError(
    found.length === 0
      ? `There is no session "${name}", and no such file. \`${programName()} sessions\` lists what is saved.`
      : `"${name}" matches ${found.length} sessions: ${found.slice(0, 5).join(', ')}${found.length > 5 ? ', …' : ''}.`,
  )
}

/** A session with its files, and those that belong to it. One from a file is known only by its log. */
export interface NamedSession extends SessionAndFiles {
  readonly thread?: readonly FoundSession[]
}

export const threadNamed = async (name: string, shell: Shell): Promise<NamedSession> => {
  if (isFile(resolve(shell.cwd, name))) return sessionFromFile(name, shell)
  return withArchive(shell, async archive => {
    const events = await archive.read(await idOf(name, archive))
    return { events, files: await filesOf(archive, events), thread: await threadOf(events, archive) }
  })
}

/** The log of a session, by its id, the beginning of its id, "last", or a file name. */
export const sessionNamed = async (name: string, shell: Shell): Promise<SessionEvent[]> =>
  isFile(resolve(shell.cwd, name))
    ? eventsFromFile(name, shell)
    : withArchive(shell, async archive => archive.read(await idOf(name, archive)))

// books: How a person names a book of letters.

/** An id, the beginning of one, or "last" for the newest book. */
export const bookIdOf = async (name: string, archive: Archive): Promise<string> => {
  const [newest] = (await archive.find({ books: true }, { limit: 1 })).sessions
  if (!newest)
    throw new UsageError(`There are no books of letters yet. To get one: ${programName()} letters ask`)
  if (name === 'last') return newest.id
  const id = await idOf(name, archive)
  if (fold(await archive.read(id)).book) return id
  throw new UsageError(
    `Session ${id} is not a book of letters. \`${programName()} letters list\` lists them.`,
  )
}

/** Books for seats to read; "all" means every one. */
export const booksNamed = (names: readonly string[], archive: Archive): Promise<string[]> =>
  Promise.all(names.map(async name => (name === allBooks ? name : bookIdOf(name, archive))))

// ownRuns: An archive that tells other processes that the sessions opened on it are run by this one.

/** The runs are owned until the archive is closed. */
export const owningRuns = (archive: Shared): Archive => ({
  ...archive,
  async append(id, events, ownership) {
    if (events[0]?.position === 0) await archive.ownRun(id)
    await archive.append(id, events, ownership)
  },
})

// sessionList: Saved sessions as a list on the screen.

type Running = readonly string[] | undefined

type Row = Listed & { readonly models?: readonly string[] }

/** An unfinished session that nobody runs was cut off by a crash, and can be resumed. */
const unfinished = (id: string, running: Running): string => {
  if (!running) return 'not finished'
  return running.includes(id) ? 'running' : `cut off: ${programName()} resume ${id}`
}

const listedLines = (session: Row, running: Running, look: Look): string[] => {
  const opened = oneLine(session.openedAt)
  const day = `${opened.slice(0, 10)} ${opened.slice(11, 16)}`
  const mark = isTranscript(session) ? `${importedMark}: ` : ''
  const line = oneLine(session.line ? `${mark}${session.line}` : unfinished(session.id, running))
  const words = cut(line, Math.max(20, room(look) - 35))
  return [
    ` ${look.paint.strong(padEnd(oneLine(session.id), 16))} ${look.paint.faint(day)}  ${words}`,
    ` ${' '.repeat(16)} ${cut(oneLine(session.question), room(look) - 18)}`,
  ]
}

const nothingSaved = `No sessions are saved yet. Ask something, or try \`${programName()} tour\`.`

export const writeSessions = (
  { sessions, running }: { readonly sessions: readonly Row[]; readonly running: Running },
  flags: { readonly json?: boolean },
  shell: Shell,
  nothing = nothingSaved,
): void => {
  if (flags.json) {
    shell.stdout.write(printable(`${JSON.stringify(sessions, null, 2)}\n`, shell.stdout))
    return
  }
  const look = { columns: shell.stdout.columns || 80, paint: paintFor(shell.stdout) }
  const lines = sessions.flatMap(session => listedLines(session, running, look))
  shell.stdout.write(`${(lines.length > 0 ? lines : [` ${nothing}`]).join('\n')}\n`)
}

// statsView: Track records as tables that fit into a terminal.

interface Column {
  readonly head: string
  readonly cell: (model: ModelRecord) => string
}

const share = (part: number, of: number): string => (of === 0 ? '–' : percent(part / of))
const accuracy = ({ right, of }: Score): string => (of === 0 ? '–' : `${percent(right / of)}/${of}`)

const columns: readonly Column[] = [
  { head: 'sealed', cell: ({ sealed }) => accuracy(sealed) },
  { head: 'final', cell: ({ final }) => accuracy(final) },
  { head: 'Brier', cell: ({ brier }) => (brier === null ? '–' : brier.toFixed(2)) },
  { head: '✓→✗', cell: ({ rightToWrong }) => String(rightToWrong) },
  { head: '✗→✓', cell: ({ wrongToRight }) => String(wrongToRight) },
  { head: 'pull', cell: ({ persuasion }) => share(persuasion.adopters, persuasion.exposures) },
  { head: 'stays', cell: ({ stubbornness }) => share(stubbornness.stayed, stubbornness.opposed) },
  { head: 'cost', cell: ({ costUsd }) => (costUsd === null ? '–' : dollars(costUsd)) },
  { head: 'time', cell: ({ latency }) => (latency === null ? '–' : duration(latency)) },
]

/** Names on the left, figures on the right. Names are cut so that the row fits. */
const tableOf = (
  names: readonly string[],
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  look: Look,
): string[] => {
  const widths = heads.map((head, index) =>
    Math.max(widthOf(head), ...rows.map(row => widthOf(row[index] ?? ''))),
  )
  const figures = widths.reduce((sum, width) => sum + width + 1, 0)
  const longest = Math.max(...names.map(name => widthOf(oneLine(name))))
  const name = Math.max(8, Math.min(longest, room(look) - figures - 1))
  const line = (first: string, cells: readonly string[]): string =>
    ` ${padEnd(cut(oneLine(first), name), name)}${cells.map((cell, index) => ` ${padStart(cell, widths[index]!)}`).join('')}`
  return [look.paint.faint(line('', heads)), ...rows.map((row, index) => line(names[index]!, row))]
}

const letter = (index: number): string => String.fromCharCode(97 + index)
/** More would not fit, and there are only 26 letters. */
const mostInMatrix = 12

const agreementLines = ({ models, agreement }: TrackRecord, look: Look): string[] => {
  const shown = models
    .filter(({ model }) => agreement.some(({ one, other }) => one === model || other === model))
    .slice(0, mostInMatrix)
  if (shown.length < 2) return []
  const cell = (first: string, second: string): string => {
    const [one, other] = [first, second].sort()
    const found = agreement.find(pair => pair.one === one && pair.other === other)
    return found ? percent(found.same / found.of) : '·'
  }
  const rows = shown.map(({ model }, index) => shown.slice(0, index).map(other => cell(model, other.model)))
  const names = shown.map(({ name }, index) => `${letter(index)} ${name}`)
  return [
    rule('Same sealed answer', look),
    ...tableOf(
      names,
      shown.slice(0, -1).map((_, index) => letter(index)),
      rows,
      look,
    ),
    '',
  ]
}

const steps = [0, 0.2, 0.4, 0.6, 0.8]

const calibrationLines = ({ models }: TrackRecord, look: Look): string[] => {
  const shown = models.filter(({ calibration }) => calibration.length > 0)
  if (shown.length === 0) return []
  const cell = (bin: CalibrationBin | undefined): string => (bin ? `${percent(bin.right)}/${bin.count}` : '·')
  return [
    rule('How often right, by sealed confidence', look),
    ...tableOf(
      shown.map(({ name }) => name),
      steps.map(step => `${step * 100}–${Math.round((step + 0.2) * 100)}%`),
      shown.map(({ calibration }) =>
        steps.map(step => cell(calibration.find(({ from }) => Math.abs(from - step) < 1e-9))),
      ),
      look,
    ),
    '',
  ]
}

const legend =
  'sealed, final: how often it was right, and of how many answers. ✓→✗, ✗→✓: how often it changed its mind from right to wrong, and from wrong to right. pull: how many of its readers changed to its position. stays: how often it held out against the leading camp. cost: of all its answers. time: median per answer.'

export const statsView = (record: TrackRecord, look: Look): string[] => {
  if (record.models.length === 0)
    return [
      ` No track record yet. Ask something, then tell the right answer with \`${programName()} resolve\`.`,
    ]
  const head = `${counted(record.sessions, 'session')}, ${record.resolved} resolved`
  return [
    rule(`Track record · ${head}`, look),
    ...tableOf(
      record.models.map(({ name }) => name),
      columns.map(column => column.head),
      record.models.map(model => columns.map(column => column.cell(model))),
      look,
    ),
    '',
    ...calibrationLines(record, look),
    ...agreementLines(record, look),
    ...paragraph(legend, 1, look, look.paint.faint),
    ...(record.resolved === 0
      ? paragraph(
          `No session is resolved yet. Use: ${programName()} resolve last "the right answer"`,
          1,
          look,
        )
      : []),
  ]
}

// check: `check`: a moderator reads a saved transcript; shows what the transcript claims beside what its text says.

export const defineCheck = (command: Command, shell: Shell): void => {
  command
    .option(
      '--moderator <model>',
      'the model that reads it (default: the configured one, or a strong model that you have a key for)',
    )
    .action((name: string, flags: { readonly moderator?: string }) =>
      withArchive(shell, async archive =>
        checkSaved(await idOf(name, archive), flags.moderator, archive, shell),
      ),
    )
}

// delete: `delete`: deletes a saved session permanently.

const remove = (name: string, shell: Shell): Promise<void> =>
  withArchive(shell, async archive => {
    const id = await idOf(name, archive)
    const [{ unshare }, { revokeLinks }, { fold }] = await Promise.all([
      import('../http/sessions.ts'),
      import('../http/sessions.ts'),
      import('../core/fold.ts'),
    ])
    await unshare(archive, id)
    await revokeLinks(archive, fold(await archive.read(id)))
    await archive.remove(id)
    shell.stdout.write(`Deleted ${id}.\n`)
  })

export const defineDelete = (command: Command, shell: Shell): void => {
  command.action((name: string) => remove(name, shell))
}

// export: `export`: writes a session in one of the export formats.

interface ExportFlags {
  readonly format?: string
  readonly compact?: boolean
  readonly out?: string
}

/** The format that was asked for, or the one that the name of the file implies. */
const exporterFor = ({ format, out }: ExportFlags) => {
  if (format !== undefined) return exporterNamed(format)
  return out === undefined ? exporterNamed('transcript') : exporterForFile(out)
}

/** A pipe gets exactly the document; a terminal gets it without control characters, and with a newline at its end. */
const writeExport = async (name: string, flags: ExportFlags, shell: Shell): Promise<void> => {
  const { events, files, thread } = await threadNamed(name, shell)
  const text = exporterFor(flags).write(events, {
    compact: flags.compact ?? false,
    files,
    ...(thread && { thread }),
  })
  if (flags.out !== undefined) {
    writeFileSync(resolve(shell.cwd, flags.out), text, { mode: 0o600 })
    shell.stderr.write(`Written to ${flags.out}\n`)
    return
  }
  const shown = printable(text, shell.stdout)
  shell.stdout.write(shell.stdout.isTTY && !shown.endsWith('\n') ? `${shown}\n` : shown)
}

export const defineExport = (command: Command, shell: Shell): void => {
  command
    .addOption(
      new Option('--format <format>', 'the format (default: by the name of the file, or transcript)').choices(
        exporters.map(exporter => exporter.id),
      ),
    )
    .option('--compact', 'use the compact layout, if the format has one')
    .option('--out <file>', 'write to a file instead of the terminal')
    .action((name: string, flags: ExportFlags) => writeExport(name, flags, shell))
}

// import: `import`: saves a session from a file.

interface ImportFlags {
  readonly check?: boolean
  readonly moderator?: string
}

const importFile = async (path: string, flags: ImportFlags, shell: Shell): Promise<void> => {
  const { events, files } = await sessionFromFile(path, shell)
  const session = fold(events)
  if (flags.moderator !== undefined && !flags.check)
    throw new UsageError('--moderator needs --check: it names the model that reads the transcript.')
  if (flags.check && !session.imported)
    throw new UsageError(`${path} isn't a transcript: code counted its votes, so there is nothing to check.`)
  await withArchive(shell, async archive => {
    await save(archive, savedLog(events, shell), shell)
    if (files.length > 0) await archive.keepFiles(session.id, files)
    if (flags.check) await checkSaved(session.id, flags.moderator, archive, shell)
  })
}

const save = async (archive: Archive, events: readonly SessionEvent[], shell: Shell): Promise<void> => {
  const session = fold(events)
  try {
    await archive.append(session.id, events)
  } catch (error) {
    if (!PositionTaken.isInstance(error)) throw error
    throw new UsageError(
      `Session ${session.id} is already saved. To see it: ${programName()} show ${session.id}`,
    )
  }
  const seats = counted(session.seats.length, 'seat')
  shell.stdout.write(
    `Saved as ${session.id}, with ${seats}. To see it: ${programName()} show ${session.id}\n`,
  )
}

export const defineImport = (command: Command, shell: Shell): void => {
  command
    .option('--check', 'also check what the transcript claims against its own text, with a moderator')
    .option('--moderator <model>', 'the model that reads it, with --check')
    .action((path: string, flags: ImportFlags) => importFile(path, flags, shell))
}

// replay: `replay`: plays back a saved session as if it were live.

const replay = async (name: string, flags: { readonly speed: string }, shell: Shell): Promise<number> => {
  const speed = numberFrom('--speed', 0.01)(flags.speed)
  const beats = replayPlan(await sessionNamed(name, shell))
  const started = shell.clock()
  const since = (): number => (shell.clock() - started) * speed
  const renderer = rendererFor({ output: shell.stdout, paint: paintFor(shell.stdout), clock: shell.clock })
  const controller = new AbortController()
  const stop = shell.onInterrupt(() => controller.abort())
  try {
    for (const { at, event } of beats) {
      const wait = (at - since()) / speed
      if (wait > 0) await sleep(wait, undefined, { signal: controller.signal })
      renderer.take(event)
    }
    return exitCodes.done
  } catch (error) {
    if (controller.signal.aborted) return exitCodes.interrupted
    throw error
  } finally {
    stop()
    renderer.end()
  }
}

export const defineReplay = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--speed <factor>', 'how many times faster than the original', '1')
    .action(async (name: string, flags: { speed: string }) => finish(await replay(name, flags, shell)))
}

// sessions: `sessions` and `search`: lists saved sessions.

type Flags = Omit<Filter, 'words' | 'from'> & {
  readonly since?: string
  readonly limit: string
  readonly json?: boolean
}

const list = (words: readonly string[], flags: Flags, shell: Shell): Promise<void> =>
  withArchive(shell, async archive => {
    const { since, limit, json, ...filter } = flags
    const wanted = {
      ...filter,
      ...(since && { from: since }),
      ...(words.length && { words: words.join(' ') }),
    }
    const narrowed = Object.keys(wanted).some(key => key !== 'verbose')
    const most = numberFrom('--limit', 1)(limit)
    const { sessions, next } = await archive.find(wanted, { limit: most })
    writeSessions(
      { sessions, running: await archive.running() },
      { json: json ?? false },
      shell,
      narrowed ? 'No saved session matches.' : undefined,
    )
    if (next && !json) shell.stderr.write(`There are more. To see them: --limit ${most * 2}\n`)
  })

export const defineSessions = (command: Command, shell: Shell): void => {
  command
    .option('--model <model>', 'only sessions with this model, as provider/model')
    .option('--protocol <id>', 'only sessions of this protocol')
    .addOption(new Option('--level <level>', 'only sessions with this level of agreement').choices(levels))
    .option('--tag <tag>', 'only sessions with this tag')
    .option('--since <date>', 'only sessions from this date on: 2026-01-31')
    .option('--before <date>', 'only sessions from before this date')
    .option('--limit <count>', 'how many sessions to list', '50')
    .option('--json', 'print JSON')
    .action((...given: readonly unknown[]) => {
      const words = Array.isArray(given[0]) ? (given[0] as string[]) : []
      return list(words, command.opts<Flags>(), shell)
    })
}

// share: `share`: creates a link that shows one session, and nothing else, to anyone who has it.

const shareLink = (name: string, revoke: boolean, shell: Shell): Promise<void> =>
  withArchive(shell, async archive => {
    const links = await import('../http/sessions.ts')
    const id = await idOf(name, archive)
    if (revoke) {
      const token = await links.unshare(archive, id)
      shell.stdout.write(
        token === undefined ? `${id} is not shared.\n` : `The link to ${id} no longer works.\n`,
      )
      return
    }
    const server = await archive.server()
    const { path } = await links.share(archive, id)
    shell.stdout.write(`${server?.address ?? ''}${path}\n`)
    shell.stderr.write(
      server
        ? `Anyone with this link can read ${id}. To revoke it: ${programName()} share ${id} --revoke\n`
        : `Your server is not running. Start it with \`${programName()} serve\`, and put its address in front of this path.\n`,
    )
  })

export const defineShare = (command: Command, shell: Shell): void => {
  command
    .option('--revoke', 'revoke the link')
    .action((name: string, flags: { readonly revoke?: boolean }) =>
      shareLink(name, flags.revoke ?? false, shell),
    )
}

// show: `show`: shows a saved session, or lists all of them.

interface ShowFlags {
  readonly full?: boolean
  readonly json?: boolean
}

const lookFor = (shell: Shell): Look => ({
  columns: shell.stdout.columns ?? 80,
  paint: paintFor(shell.stdout),
})

const listSessions = (flags: ShowFlags, shell: Shell): Promise<void> =>
  withArchive(shell, async archive =>
    writeSessions({ sessions: await archive.list(), running: await archive.running() }, flags, shell),
  )

const show = async (name: string, flags: ShowFlags, shell: Shell): Promise<void> => {
  const { events, thread } = await threadNamed(name, shell)
  if (flags.json) {
    const { exporterNamed } = await import('../exports/index.ts')
    shell.stdout.write(printable(exporterNamed('json').write(events, thread && { thread }), shell.stdout))
    return
  }
  const session = fold(events)
  const look = { ...lookFor(shell), full: flags.full }
  const rounds = session.roundsSoFar.flatMap(round => roundView(session, round, look))
  const lines = [
    ...header(session, look),
    ...rounds,
    ...verdictView(session, look),
    ...threadView(session, thread, look),
  ]
  shell.stdout.write(`${lines.join('\n')}\n`)
}

export const defineShow = (command: Command, shell: Shell): void => {
  command
    .option('--full', 'include the reasoning of every answer')
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, flags: ShowFlags) =>
      name === undefined ? listSessions(flags, shell) : show(name, flags, shell),
    )
}

// stats: `stats`: shows the track record of every model in the saved sessions.

const stats = (flags: { readonly json?: boolean }, shell: Shell): Promise<void> =>
  withArchive(shell, async archive => {
    const record = await trackRecordIn(archive)
    const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
    shell.stdout.write(
      `${flags.json ? JSON.stringify(record, null, 2) : statsView(record, look).join('\n')}\n`,
    )
  })

export const defineStats = (command: Command, shell: Shell): void => {
  command.option('--json', 'print JSON').action((flags: { readonly json?: boolean }) => stats(flags, shell))
}
