/** `backup`: all sessions, tags, line-ups, templates and settings in one file, here or in storage that speaks S3. */

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { access, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PassThrough, pipeline, Readable } from 'node:stream'
import { pipeline as s3Pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Command } from 'commander'
import { counted, UsageError } from '../core/basics.ts'
import type { ServerLog } from '../http/log.ts'
import type { Archive, Json } from '../store/archive.ts'
import { backupLines, type LeftOut, restoreFrom, type SavedTemplates } from '../store/backup.ts'
import { listTemplates, saveTemplate } from '../table/templates.ts'
import { withArchive } from '../terminal/archive.ts'
import { configAt } from '../terminal/config.ts'
import { exitCodes, programName } from '../terminal/program-name.ts'
import { oneLine, type Shell, whyUnread } from '../terminal/terminal.ts'

// backupFile: The lines of a backup's file. A small compressed file can unpack to more than any memory holds, so it is bounded.

export interface UnpackLimits {
  /** How many times larger than the file its contents may be. Sessions shrink to about a tenth. */
  readonly ratio: number
  /** Characters that are always allowed, whatever the ratio. */
  readonly always: number
  /** Characters of one line, which is one session. */
  readonly line: number
}

const usual: UnpackLimits = { ratio: 200, always: 100_000_000, line: 400_000_000 }

export async function* linesOf(path: string, limits: UnpackLimits = usual): AsyncGenerator<string> {
  const packed = path.endsWith('.gz')
  const most = packed ? Math.max(limits.always, (await stat(path)).size * limits.ratio) : Infinity
  // The callback stays empty: the loop below gets the error from the stream that it reads.
  const stream = pipeline(createReadStream(path), packed ? createGunzip() : new PassThrough(), () => {})
  let read = 0
  let length = 0
  /** Joined once when the line ends: joining at every chunk would copy a long line again and again. */
  let pieces: string[] = []
  for await (const chunk of stream.setEncoding('utf8') as AsyncIterable<string>) {
    read += chunk.length
    if (read > most)
      throw new UsageError(
        `The backup unpacks to more than ${limits.ratio} times its size. It is damaged, or was made to fill the disk.`,
      )
    for (const [index, piece] of chunk.split('\n').entries()) {
      if (index > 0) {
        yield pieces.join('')
        pieces = []
        length = 0
      }
      pieces.push(piece)
      length += piece.length
      if (length > limits.line)
        throw new UsageError(
          `The backup has a line of more than ${limits.line} characters. No session is that long.`,
        )
    }
  }
  const rest = pieces.join('')
  if (rest) yield rest
}

// keep: `ROUNDTABLE_KEEP=90d`: a server removes finished sessions that are older, once an hour.

const hour = 3_600_000
const units: Readonly<Record<string, number>> = {
  h: hour,
  d: 24 * hour,
  w: 7 * 24 * hour,
  y: 365 * 24 * hour,
}

/** Milliseconds; undefined if everything is kept. */
export const keepFrom = (text: string | undefined): number | undefined => {
  const said = text?.trim()
  if (!said || said.toLowerCase() === 'all') return undefined
  const [, count, unit] = /^(\d{1,5}) ?([hdwy])$/i.exec(said) ?? []
  const milliseconds = Number(count) * (units[unit?.toLowerCase() ?? ''] ?? 0)
  if (milliseconds > 0) return milliseconds
  throw new UsageError('ROUNDTABLE_KEEP is a time such as 12h, 90d, 8w or 2y, or "all".')
}

/** Removes what is too old, and returns how many sessions that were. One that isn't over is kept. */
export const removeOld = async (
  archive: Pick<Archive, 'find' | 'remove'>,
  keep: number,
  now: number,
): Promise<number> => {
  const before = new Date(now - keep).toISOString()
  let removed = 0
  let cursor: string | undefined
  do {
    const { sessions, next } = await archive.find({ before }, cursor === undefined ? {} : { cursor })
    for (const { id, outcome } of sessions) {
      if (outcome === null) continue
      await archive.remove(id)
      removed += 1
    }
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return removed
}

/** Looks at once and then every hour. Returns how to stop. */
export const startKeeping = (
  archive: Archive,
  keep: number | undefined,
  clock: () => number,
  log: ServerLog,
): (() => Promise<void>) => {
  if (keep === undefined) return async () => undefined
  let underWay: Promise<void> = Promise.resolve()
  const look = async (): Promise<void> => {
    try {
      const removed = await removeOld(archive, keep, clock())
      if (removed > 0) log.info({ removed }, 'Removed sessions that are older than ROUNDTABLE_KEEP.')
    } catch (error) {
      log.error({ error }, 'Old sessions were not removed.')
    }
  }
  underWay = look()
  const timer = setInterval(() => {
    underWay = underWay.then(look)
  }, hour)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await underWay
  }
}

// s3: A backup in storage that speaks S3: one request to write it, one to read it, both signed.

type Environment = Readonly<Record<string, string | undefined>>

export const isS3 = (name: string): boolean => /^s3:\/\//i.test(name)

const longestWords = 300
const mostRead = 10_000

interface S3Object {
  readonly url: string
  readonly name: string
}

const objectNamed = (name: string, endpoint: string | undefined, region: string): S3Object => {
  const [, bucket, key] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})\/(.+)$/i.exec(name) ?? []
  if (bucket === undefined || key === undefined || key.endsWith('/'))
    throw new UsageError(`"${name}" isn't complete: write s3://bucket/file.jsonl.gz.`)
  if (endpoint !== undefined && !(/^https?:\/\//.test(endpoint) && URL.canParse(endpoint)))
    throw new UsageError('AWS_ENDPOINT_URL must be an address that begins with http:// or https://.')
  const path = key.split('/').map(encodeURIComponent).join('/')
  const base = endpoint
    ? `${endpoint.replace(/\/+$/, '')}/${bucket}`
    : `https://${bucket}.s3.${region}.amazonaws.com`
  return { url: `${base}/${path}`, name }
}

/** Keys come from the usual variables of S3 tools. */
const connect = async (name: string, env: Environment) => {
  const region = env.AWS_REGION?.trim() || 'us-east-1'
  const [accessKeyId, secretAccessKey] = [env.AWS_ACCESS_KEY_ID?.trim(), env.AWS_SECRET_ACCESS_KEY?.trim()]
  if (!accessKeyId || !secretAccessKey)
    throw new UsageError(
      'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_ENDPOINT_URL if the storage is not at Amazon.',
    )
  const object = objectNamed(name, env.AWS_ENDPOINT_URL?.trim() || undefined, region)
  const { AwsClient } = await import('aws4fetch')
  const sessionToken = env.AWS_SESSION_TOKEN?.trim()
  const client = new AwsClient({
    ...{ accessKeyId, secretAccessKey, region, service: 's3', retries: 3 },
    ...(sessionToken && { sessionToken }),
  })
  return { object, client }
}

/** The words of a refusal, without its markup. */
export const storageWords = (text: string): string => {
  const [, message] = /<Message>([^<]{1,1000})<\/Message>/.exec(text.slice(0, mostRead)) ?? []
  return (message ?? '')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, longestWords)
}

/** What the storage says itself; of a longer reply only the beginning is read. */
const wordsOf = async ({ status, body }: Response): Promise<string> => {
  let text = ''
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString('utf8')
    if (text.length > mostRead) break
  }
  return `status ${status} ${storageWords(text)}`.trim()
}

const unreachable = (name: string, error: unknown): UsageError => {
  const { cause, message } = error as Error
  return new UsageError(`${name} can't be reached: ${cause instanceof Error ? cause.message : message}.`)
}

/** Writes a new object. One that exists is left as it is. */
export const putFile = async (path: string, name: string, env: Environment): Promise<void> => {
  const { object, client } = await connect(name, env)
  const hash = createHash('sha256')
  await s3Pipeline(createReadStream(path), hash)
  const headers = {
    'x-amz-content-sha256': hash.digest('hex'),
    'content-length': String((await stat(path)).size),
    'content-type': 'application/octet-stream',
    'if-none-match': '*',
  }
  const signed = await client.sign(object.url, { method: 'PUT', headers })
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream
  const response = await fetch(signed.url, {
    method: 'PUT',
    headers: signed.headers,
    body,
    duplex: 'half',
  } as RequestInit).catch((error: unknown) => Promise.reject(unreachable(name, error)))
  if (response.status === 412) throw new UsageError(`${name} already exists: choose another name.`)
  if (!response.ok) throw new UsageError(`${name} couldn't be written: ${await wordsOf(response)}.`)
  await response.body?.cancel()
}

export const getFile = async (name: string, path: string, env: Environment): Promise<void> => {
  const { object, client } = await connect(name, env)
  const response = await client
    .fetch(object.url)
    .catch((error: unknown) => Promise.reject(unreachable(name, error)))
  if (!response.ok || !response.body)
    throw new UsageError(`${name} can't be read: ${await wordsOf(response)}.`)
  await s3Pipeline(response.body, createWriteStream(path, { mode: 0o600 }))
}

async function* ended(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`
}

/** Into storage that speaks S3: by a file of its own, because a request needs the size and the checksum first. */
const backupToStorage = (name: string, shell: Shell): Promise<number> =>
  withArchive(shell, async archive => {
    const folder = await mkdtemp(join(tmpdir(), 'roundtable-backup-'))
    try {
      const path = join(folder, 'backup')
      const unsound = await writeLines(archive, path, name.endsWith('.gz'), shell)
      await putFile(path, name, shell.env)
      return tellWritten(name, unsound, shell)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

/** Templates are files of the data folder, beside the archive. */
const templatesOf = async (shell: Shell): Promise<SavedTemplates> => {
  const { data } = await configAt(shell)
  const saved = listTemplates(data).templates.filter(({ origin }) => origin === 'saved')
  return {
    all: Object.fromEntries(saved.map(({ name, template }) => [name, template as Json])),
    save: (name, template) => saveTemplate(data, name, template),
  }
}

/** Returns what was written and couldn't be restored. */
const writeLines = async (
  archive: Archive,
  path: string,
  packed: boolean,
  shell: Shell,
): Promise<readonly LeftOut[]> => {
  const unsound: LeftOut[] = []
  const templates = (await templatesOf(shell)).all
  const lines = backupLines(archive, { templates, unsound: problem => unsound.push(problem) })
  const squeeze = packed ? createGzip() : new PassThrough()
  const file = createWriteStream(path, { mode: 0o600, flush: true })
  await s3Pipeline(Readable.from(ended(lines)), squeeze, file)
  return unsound
}

const listProblems = (problems: readonly LeftOut[]): string =>
  problems.map(({ what, why }) => `  ${oneLine(what)}: ${oneLine(why)}\n`).join('')

const tellWritten = (name: string, unsound: readonly LeftOut[], shell: Shell): number => {
  shell.stdout.write(`Written to ${name}. To restore it: ${programName()} restore ${name}\n`)
  if (unsound.length === 0) return exitCodes.done
  shell.stderr.write(
    `This backup has ${counted(unsound.length, 'entry', 'entries')} that a restore would leave out:\n${listProblems(unsound)}`,
  )
  return exitCodes.failed
}

/** Written under another name and renamed at the end: an interrupted backup must not look like a complete one. */
const backup = (name: string, shell: Shell): Promise<number> =>
  withArchive(shell, async archive => {
    const path = resolve(shell.cwd, name)
    if (existsSync(path)) throw new UsageError(`${name} already exists: choose another name.`)
    const part = `${path}.part`
    try {
      const unsound = await writeLines(archive, part, name.endsWith('.gz'), shell)
      await rename(part, path)
      return tellWritten(name, unsound, shell)
    } finally {
      await rm(part, { force: true })
    }
  })

type Finish = (code: number) => void

export const defineBackup = (command: Command, shell: Shell, finish: Finish): void => {
  command
    .addHelpText(
      'after',
      '\nThe file has one JSON value per line. It is compressed if its name ends in .gz.\nA name such as s3://bucket/sessions.jsonl.gz writes it to storage that speaks S3.',
    )
    .action(async (name: string) =>
      finish(await (isS3(name) ? backupToStorage(name, shell) : backup(name, shell))),
    )
}

// restore: `restore`: restores a backup into the configured archive.

const restoreFromStorage = async (name: string, overwrite: boolean, shell: Shell): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'roundtable-restore-'))
  try {
    const path = join(folder, name.endsWith('.gz') ? 'backup.gz' : 'backup')
    await getFile(name, path, shell.env)
    return await restore(path, overwrite, shell)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const restore = async (name: string, overwrite: boolean, shell: Shell): Promise<number> => {
  const path = resolve(shell.cwd, name)
  await access(path).catch(error => {
    throw new UsageError(`${name} can't be read: ${whyUnread(error)}.`)
  })
  const templates = await templatesOf(shell)
  const { sessions, leftOut } = await withArchive(shell, archive =>
    restoreFrom(() => linesOf(path), archive, { overwrite, templates }),
  )
  shell.stdout.write(`Restored ${counted(sessions, 'session')}. To see them: ${programName()} sessions\n`)
  if (leftOut.length === 0) return exitCodes.done
  shell.stderr.write(`Left out, because it can't be read:\n${listProblems(leftOut)}`)
  return exitCodes.failed
}

export const defineRestore = (command: Command, shell: Shell, finish: Finish): void => {
  command
    .option('--overwrite', 'replace sessions, line-ups, templates and settings that have the same name')
    .action(async (name: string, flags: { readonly overwrite?: boolean }) =>
      finish(await (isS3(name) ? restoreFromStorage : restore)(name, flags.overwrite ?? false, shell)),
    )
}
