/** Everything in an archive as lines of JSON, which any kind of archive can write and read. */

import { z } from 'zod'
import { UsageError } from '../core/basics.ts'
import { logSchema, type SessionEvent } from '../core/event.ts'
import { storedFileSchema } from '../core/excerpts.ts'
import { checkLog } from '../core/log.ts'
import {
  type Archive,
  backedUpKinds,
  type DaySpending,
  type FoundSession,
  isBackedUp,
  type Json,
  type Ownership,
  type RecordKind,
  type StoredRecord,
  teams,
} from './archive.ts'
import { checkedId, filesOf, listed } from './store.ts'

const json: z.ZodType<Json> = z.json()
const head = z.object({ roundtable: z.literal('backup'), version: z.literal(1) })
const named = z.object({ name: z.string(), value: json })
const session = z.object({
  session: z.string(),
  tags: z.array(z.string()),
  events: logSchema.min(1),
  owner: z.string().optional(),
  visibility: z.enum(['private', 'team']).optional(),
})
const record = z.object({
  kind: z.string().refine(isBackedUp),
  key: z.string(),
  owner: z.string().nullable(),
  value: json,
})
/** More than anybody spends in a day; sums of a month stay exact. */
const most = 1e12
const spent = z.strictObject({
  payer: z.string().min(1).max(100),
  day: z.iso.date(),
  /** Dollars are kept in billionths. */
  usd: z
    .number()
    .min(0)
    .max(most / 1e6),
  tokens: z.int().min(0).max(most),
  calls: z.int().min(0).max(1e9),
})
const file = storedFileSchema.extend({ session: z.string() })
const lineSchema = z.union([
  session,
  z.object({ file }),
  z.object({ lineup: named }),
  z.object({ template: named }),
  z.object({ setting: named }),
  z.object({ record }),
  z.object({ spent }),
  z.object({ end: z.literal(true), sessions: z.number() }),
])
type Line = z.infer<typeof lineSchema>

/** Every session, a page at a time: an archive may not fit into memory. */
async function* everySession(archive: Archive): AsyncGenerator<FoundSession> {
  let cursor: string | undefined
  do {
    const { sessions, next } = await archive.find({}, { limit: 200, ...(cursor && { cursor }) })
    yield* sessions
    cursor = next ?? undefined
  } while (cursor)
}

async function* everyRecord(archive: Archive, kind: RecordKind): AsyncGenerator<StoredRecord> {
  let before: string | undefined
  for (;;) {
    const page = await archive.records(kind, { limit: 500, ...(before !== undefined && { before }) })
    yield* page
    before = page.at(-1)?.key
    if (before === undefined) return
  }
}

/** Something that can't be restored, and why. */
export interface LeftOut {
  /** `session 20261119-abcdef`, `line 12`. */
  readonly what: string
  readonly why: string
}

/** The templates of the data folder, which are in no archive. */
export interface SavedTemplates {
  readonly all: Readonly<Record<string, Json>>
  /** Throws UsageError if it isn't a template. */
  save(name: string, template: Json): void
}

interface BackupOptions {
  readonly templates?: SavedTemplates['all']
  /** Gets what was written and can't be restored: each line is read back as a restore would read it. */
  readonly unsound?: (problem: LeftOut) => void
}

export async function* backupLines(
  archive: Archive,
  { templates = {}, unsound = () => {} }: BackupOptions = {},
): AsyncGenerator<string> {
  let number = 0
  for await (const value of valuesIn(archive, templates)) {
    const text = JSON.stringify(value)
    number++
    const problem = number === 1 ? undefined : problemWith(text, number)
    if (problem) unsound(problem)
    yield text
  }
}

async function* valuesIn(archive: Archive, templates: SavedTemplates['all']): AsyncGenerator<object> {
  yield { roundtable: 'backup', version: 1 }
  for (const [name, value] of Object.entries(await archive.lineups())) yield { lineup: { name, value } }
  for (const [name, value] of Object.entries(await archive.settings())) yield { setting: { name, value } }
  for (const [name, value] of Object.entries(templates)) yield { template: { name, value } }
  for (const kind of backedUpKinds)
    for await (const one of everyRecord(archive, kind)) yield { record: { kind, ...one } }
  for (const one of await archive.ledger()) yield { spent: one }
  let sessions = 0
  for await (const { id, tags, owner, visibility } of everySession(archive)) {
    const events = await archive.read(id)
    // It was removed after the page was read.
    if (events.length === 0) continue
    sessions++
    yield { session: id, tags, events, owner, visibility }
    for (const kept of await filesOf(archive, events)) yield { file: { session: id, ...kept } }
  }
  yield { end: true, sessions }
}

const reasonOf = (error: unknown): string =>
  error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message

/** A log is restored as it was written, with fields that the schema doesn't know. */
const lineFrom = (value: unknown): Line => {
  // By itself: a union of all lines would say of a damaged session only that it is none of them.
  const line = sessionIn(value)?.whole ? session.parse(value) : lineSchema.parse(value)
  if (!('session' in line)) return line
  checkedId(line.session)
  const [first] = line.events
  if (first?.type === 'session-opened' && first.id !== line.session)
    throw new UsageError(`its log is that of session ${first.id}`)
  checkLog(line.events as SessionEvent[])
  listed(line.events as SessionEvent[])
  return { ...line, events: (value as { events: SessionEvent[] }).events }
}

const told = (id: unknown): string | undefined =>
  typeof id === 'string' && /^[\w-]{1,100}$/.test(id) ? id : undefined

/** Which session a line is of, if it says so: a damaged one is set aside, and no other session suffers. */
const sessionIn = (
  value: unknown,
): { readonly id: string | undefined; readonly whole: boolean } | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  if ('session' in value) return { id: told(value.session), whole: true }
  if (!('file' in value)) return undefined
  const { file } = value
  const id = typeof file === 'object' && file && 'session' in file ? told(file.session) : undefined
  return { id, whole: false }
}

/** `of` is absent if nobody can say what the line is of. */
type Read = { readonly line: Line } | { readonly aside: LeftOut; readonly of?: 'session' | 'file' }

/** What isn't of a session must be whole: somebody may have changed it, to let themselves in. */
const readLine = (text: string, number: number): Read => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { aside: { what: `line ${number}`, why: `it isn't JSON: ${reasonOf(error)}` } }
  }
  try {
    return { line: lineFrom(value) }
  } catch (error) {
    const why = reasonOf(error)
    const session = sessionIn(value)
    if (!session) throw new UsageError(`The backup is damaged in line ${number}: ${why}`)
    const { id, whole } = session
    const what = id === undefined ? `line ${number}` : `${whole ? '' : 'a file of '}session ${id}`
    return { aside: { what, why }, of: whole ? 'session' : 'file' }
  }
}

const problemWith = (text: string, number: number): LeftOut | undefined => {
  try {
    const read = readLine(text, number)
    return 'aside' in read ? read.aside : undefined
  } catch (error) {
    return { what: `line ${number}`, why: reasonOf(error) }
  }
}

type Lines = Iterable<string> | AsyncIterable<string>

const checkHead = (text: string): void => {
  try {
    head.parse(JSON.parse(text))
  } catch {
    throw new UsageError('This is not a backup that this version of Roundtable can read.')
  }
}

/** The lines that can be restored, in order. What can't be is given to `setAside`. */
async function* entries(lines: Lines, setAside: (problem: LeftOut) => void = () => {}): AsyncGenerator<Line> {
  let number = 0
  let sessions = 0
  let unreadable = 0
  let ended = false
  /** Only the files of the session before them: another's would be added to a session that is there. */
  let current: string | undefined
  for await (const text of lines) {
    if (++number === 1) {
      checkHead(text)
      continue
    }
    const read = readLine(text, number)
    if ('aside' in read) {
      if (read.of === 'session') sessions++
      if (read.of === undefined) unreadable++
      if (read.of !== 'file') current = undefined
      setAside(read.aside)
      continue
    }
    const { line } = read
    if ('file' in line && line.file.session !== current) continue
    if ('session' in line) {
      sessions++
      current = line.session
    }
    if ('end' in line) ended = sessions <= line.sessions && line.sessions <= sessions + unreadable
    yield line
  }
  if (!ended) throw new UsageError('The backup is incomplete: its end is missing.')
}

/** Whose somebody's session was without saying more is private: a damaged line shows nothing. */
const ownershipIn = ({ owner, visibility = 'private' }: z.infer<typeof session>): Ownership =>
  owner === undefined ? teams : { owner, visibility }

const restoreLine = async (
  line: Line,
  archive: Archive,
  templates: SavedTemplates | undefined,
): Promise<void> => {
  if ('template' in line) templates?.save(line.template.name, line.template.value)
  else if ('lineup' in line) await archive.saveLineup(line.lineup.name, line.lineup.value)
  else if ('setting' in line) await archive.saveSetting(line.setting.name, line.setting.value)
  else if ('record' in line) {
    const { kind, key, value, owner } = line.record
    await archive.saveRecord(kind, key, value, owner ?? undefined)
  } else if ('spent' in line) await archive.countSpending([line.spent])
  else if ('session' in line) {
    await archive.remove(line.session)
    await archive.append(line.session, line.events, ownershipIn(line))
    await archive.tag(line.session, line.tags)
  } else if ('file' in line) {
    const { session: id, ...kept } = line.file
    await archive.keepFiles(id, [kept])
  }
}

export interface RestoreOptions {
  /** Replace sessions, line-ups, templates and settings of the same name. */
  readonly overwrite?: boolean
  /** Absent: templates are left out. */
  readonly templates?: SavedTemplates
}

export interface Restored {
  /** How many. */
  readonly sessions: number
  readonly leftOut: readonly LeftOut[]
}

/**
 * The lines are read twice: first to check that they are complete and would overwrite nothing, then to write. A session
 * that can't be read is left out, and everything else is restored.
 */
export const restoreFrom = async (
  lines: Lines | (() => Lines),
  archive: Archive,
  { overwrite = false, templates }: RestoreOptions = {},
): Promise<Restored> => {
  const read = typeof lines === 'function' ? lines : () => lines
  const names = new Set([
    ...(await archive.list()).map(({ id }) => `session ${id}`),
    ...Object.keys(await archive.lineups()).map(name => `line-up ${name}`),
    ...Object.keys(templates?.all ?? {}).map(name => `template ${name}`),
    ...Object.keys(await archive.settings()).map(name => `setting ${name}`),
    ...(await archive.records('person')).map(({ key }) => `person ${key}`),
    ...(await archive.ledger()).map(one => spendingName(one)),
  ])
  for await (const line of entries(read())) {
    if (!overwrite && (await isTaken(line, archive, names)))
      throw new UsageError(`Nothing was restored: there is already a ${nameOf(line)}.`, 'already-exists')
    const subject = overwrite ? undefined : linkedSession(line, names)
    if (subject !== undefined)
      throw new UsageError(
        `Nothing was restored: it has a link to the session ${subject}, which is already there.`,
        'already-exists',
      )
  }
  let sessions = 0
  const leftOut: LeftOut[] = []
  for await (const line of entries(read(), problem => leftOut.push(problem))) {
    try {
      await restoreLine(line, archive, templates)
      if ('session' in line) sessions++
    } catch (error) {
      if (!('template' in line) || !UsageError.isInstance(error)) throw error
      leftOut.push({ what: `template ${line.template.name}`, why: error.message })
    }
  }
  return { sessions, leftOut }
}

/** A link is a setting with the session in its name or its value. Added to a session that is there, it would open it. */
const linkedSession = (line: Line, names: ReadonlySet<string>): string | undefined => {
  if (!('setting' in line)) return undefined
  const { name, value } = line.setting
  const subjects = [...name.split(' '), ...(typeof value === 'string' ? [value] : [])]
  return subjects.map(one => one.split('/')[0]!).find(one => names.has(`session ${one}`))
}

const aboutPerson = z.object({ person: z.string() })

/** Whom a record may be about: a password or a key that is added to an account lets somebody in. */
const peopleIn = ({ key, owner, value }: z.infer<typeof record>): readonly unknown[] => [
  ...[key, owner, value],
  aboutPerson.safeParse(value).data?.person,
]

/** What somebody spent is theirs, too: nobody loses their budget by a backup of others. */
const isTaken = async (line: Line, archive: Archive, names: ReadonlySet<string>): Promise<boolean> => {
  if ('spent' in line && names.has(`person ${line.spent.payer}`)) return true
  if (!('record' in line)) return names.has(nameOf(line) ?? '')
  const { kind, key } = line.record
  if (peopleIn(line.record).some(one => typeof one === 'string' && names.has(`person ${one}`))) return true
  return (await archive.record(kind, key)) !== undefined
}

const spendingName = ({ payer, day }: Pick<DaySpending, 'payer' | 'day'>): string =>
  `sum that ${payer} spent on ${day}`

const nameOf = (line: Line): string | null => {
  if ('spent' in line) return spendingName(line.spent)
  if ('session' in line) return `session ${line.session}`
  if ('lineup' in line) return `line-up ${line.lineup.name}`
  if ('template' in line) return `template ${line.template.name}`
  if ('record' in line) return `${line.record.kind} ${line.record.key}`
  return 'setting' in line ? `setting ${line.setting.name}` : null
}
