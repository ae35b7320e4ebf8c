/** A backup in storage that speaks S3: one request to write it, one to read it, both signed. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UsageError } from '../../core/errors.ts'

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
  await pipeline(createReadStream(path), hash)
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
  await pipeline(response.body, createWriteStream(path, { mode: 0o600 }))
}
