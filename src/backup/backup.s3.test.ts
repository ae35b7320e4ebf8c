import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { getFile, isS3, putFile } from './backup.ts'

const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret-of-the-storage' }
const hash = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()

/** The signature as Amazon's documents describe it, made anew from what arrived. */
const expectedSignature = (request: IncomingMessage): string => {
  const { authorization = '' } = request.headers
  const [, scope = '', names = ''] =
    /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+)/.exec(authorization) ?? []
  const [day = '', region = '', service = ''] = scope.split('/')
  const headers = names.split(';').map(name => `${name}:${request.headers[name]}\n`)
  const whole = [
    ...[request.method, request.url, '', headers.join(''), names],
    request.headers['x-amz-content-sha256'],
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hash(whole)].join('\n')
  const dayKey = hmac(`AWS4${keys.AWS_SECRET_ACCESS_KEY}`, day)
  const key = hmac(hmac(hmac(dayKey, region), service), 'aws4_request')
  return createHmac('sha256', key).update(toSign).digest('hex')
}

/** Storage that checks signatures and checksums, and keeps what exists. */
const startStorage = async () => {
  const objects = new Map<string, Buffer>()
  const reply = async (request: IncomingMessage): Promise<[number, string | Buffer]> => {
    const given = /Signature=([0-9a-f]+)/.exec(request.headers.authorization ?? '')?.[1]
    if (given !== expectedSignature(request))
      return [403, '<Error><Code>X</Code><Message>The signature is wrong.</Message></Error>']
    const path = request.url ?? ''
    const found = objects.get(path)
    if (request.method === 'GET') return found ? [200, found] : [404, '<Message>No such key.</Message>']
    const body = await buffer(request)
    if (hash(body) !== request.headers['x-amz-content-sha256']) return [400, '<Message>Bad digest.</Message>']
    if (found && request.headers['if-none-match'] === '*') return [412, '']
    objects.set(path, body)
    return [200, '']
  }
  const server = createServer(async (request, response) => {
    const [status, body] = await reply(request)
    request.resume()
    response.writeHead(status).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const AWS_ENDPOINT_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { objects, env: { ...keys, AWS_ENDPOINT_URL } }
}

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 's3-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('[T322] a backup is written to storage that speaks S3 and read from it, with a right signature', async () => {
  const { objects, env } = await startStorage()
  const folder = newFolder()
  const bytes = Buffer.alloc(300_000, 'sessions ')
  writeFileSync(join(folder, 'out'), bytes)
  const name = 's3://bucket/some folder/all+1.jsonl.gz'
  expect([isS3(name), isS3('all.jsonl')]).toEqual([true, false])
  await putFile(join(folder, 'out'), name, env)
  expect([...objects.keys()]).toEqual(['/bucket/some%20folder/all%2B1.jsonl.gz'])
  await getFile(name, join(folder, 'in'), env)
  expect(readFileSync(join(folder, 'in')).equals(bytes)).toBe(true)
})

test('[T323] a backup in storage is never overwritten', async () => {
  const { env } = await startStorage()
  const file = join(newFolder(), 'out')
  writeFileSync(file, 'one')
  await putFile(file, 's3://bucket/all', env)
  await expect(putFile(file, 's3://bucket/all', env)).rejects.toThrow(/already exists: choose another name/)
})

test('[T324] mistakes and refusals of the storage are told in its own words, without keys', async () => {
  const { env } = await startStorage()
  const file = join(newFolder(), 'out')
  writeFileSync(file, 'one')
  const wrong = { ...env, AWS_SECRET_ACCESS_KEY: 'another-secret' }
  await expect(putFile(file, 's3://bucket/all', wrong)).rejects.toThrow(
    /^(?!.*another-secret).*status 403 The signature is wrong/,
  )
  await expect(getFile('s3://bucket/none', file, env)).rejects.toThrow(
    /can't be read: status 404 No such key/,
  )
  await expect(putFile(file, 's3://bucket', env)).rejects.toThrow(/write s3:\/\/bucket\/file.jsonl.gz/)
  await expect(putFile(file, 's3://bucket/all', {})).rejects.toThrow(/Set AWS_ACCESS_KEY_ID/)
  const away = { ...env, AWS_ENDPOINT_URL: 'http://127.0.0.1:9' }
  await expect(putFile(file, 's3://bucket/all', away)).rejects.toThrow(/can't be reached: /)
})
