/** Everything in an archive as lines of JSON, which any kind of archive can write and read. */

import { z } from 'zod'
import { UsageError } from '../core/basics.ts'
import { logSchema, type SessionEvent } from '../core/event.ts'
import { storedFileSchema } from '../core/excerpts.ts'
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
import { checkedId, checkedPosition, filesOf } from './store.ts'

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

export async function* backupLines(archive: Archive): AsyncGenerator<string> {
  yield JSON.stringify({ roundtable: 'backup', version: 1 })
  for (const [name, value] of Object.entries(await archive.lineups()))
    yield JSON.stringify({ lineup: { name, value } })
  for (const [name, value] of Object.entries(await archive.settings()))
    yield JSON.stringify({ setting: { name, value } })
  for (const kind of backedUpKinds)
    for await (const one of everyRecord(archive, kind)) yield JSON.stringify({ record: { kind, ...one } })
  for (const one of await archive.ledger()) yield JSON.stringify({ spent: one })
  let sessions = 0
  for await (const { id, tags, owner, visibility } of everySession(archive)) {
    const events = await archive.read(id)
    // It was removed after the page was read.
    if (events.length === 0) continue
    sessions++
    yield JSON.stringify({ session: id, tags, events, owner, visibility })
    for (const kept of await filesOf(archive, events))
      yield JSON.stringify({ file: { session: id, ...kept } })
  }
  yield JSON.stringify({ end: true, sessions })
}

/** A log is restored as it was written, with fields that the schema doesn't know. */
const parsed = (text: string, number: number): Line => {
  try {
    const value: unknown = JSON.parse(text)
    const line = lineSchema.parse(value)
    if (!('session' in line)) return line
    checkedId(line.session)
    if (checkedPosition(line.events) !== 0) throw new Error('the log does not start at position 0')
    return { ...line, events: (value as { events: SessionEvent[] }).events }
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message
    throw new UsageError(`The backup is damaged in line ${number}: ${why}`)
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

async function* entries(lines: Lines): AsyncGenerator<Line> {
  let number = 0
  let sessions = 0
  let ended = false
  for await (const text of lines) {
    if (++number === 1) {
      checkHead(text)
      continue
    }
    const line = parsed(text, number)
    if ('session' in line) sessions++
    if ('end' in line) ended = line.sessions === sessions
    yield line
  }
  if (!ended) throw new UsageError('The backup is incomplete: its end is missing.')
}

/** Whose somebody's session was without saying more is private: a damaged line shows nothing. */
const ownershipIn = ({ owner, visibility = 'private' }: z.infer<typeof session>): Ownership =>
  owner === undefined ? teams : { owner, visibility }

const restoreLine = async (line: Line, archive: Archive): Promise<void> => {
  if ('lineup' in line) await archive.saveLineup(line.lineup.name, line.lineup.value)
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
  /** Replace sessions, line-ups and settings of the same name. */
  readonly overwrite?: boolean
}

/**
 * Returns how many sessions were restored. The lines are read twice: first to check that they are complete and would
 * overwrite nothing, then to write.
 */
export const restoreFrom = async (
  lines: Lines | (() => Lines),
  archive: Archive,
  { overwrite = false }: RestoreOptions = {},
): Promise<number> => {
  const read = typeof lines === 'function' ? lines : () => lines
  const names = new Set([
    ...(await archive.list()).map(({ id }) => `session ${id}`),
    ...Object.keys(await archive.lineups()).map(name => `line-up ${name}`),
    ...Object.keys(await archive.settings()).map(name => `setting ${name}`),
    ...(await archive.records('person')).map(({ key }) => `person ${key}`),
    ...(await archive.ledger()).map(one => spendingName(one)),
  ])
  for await (const line of entries(read())) {
    if (!overwrite && (await isTaken(line, archive, names)))
      throw new UsageError(`Nothing was restored: there is already a ${nameOf(line)}.`, 'already-exists')
  }
  let sessions = 0
  for await (const line of entries(read())) {
    await restoreLine(line, archive)
    if ('session' in line) sessions++
  }
  return sessions
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
  if ('record' in line) return `${line.record.kind} ${line.record.key}`
  return 'setting' in line ? `setting ${line.setting.name}` : null
}
