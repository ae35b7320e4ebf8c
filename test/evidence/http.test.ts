/** Exhibits over HTTP: base64 and forms, read before anything is asked, kept, exported, forked and deleted. */

import { expect, test } from 'vitest'
import { exhibitsSchema, sessionSchema } from '../../src/api/sessions.ts'
import { question, startSetup } from '../server/setup.ts'
import { pdfFile, wordFile } from './files.ts'

const lease = pdfFile(['The rent is 900 euros.', 'Notice: three months.'])
const data = Buffer.from(lease).toString('base64')
const blob = (bytes: Uint8Array): Blob => new Blob([new Uint8Array(bytes)])

test('[H350] a question takes files as base64 or in a form, and the session hands them out', async () => {
  const { call, archive, ask } = await startSetup({ runs: false })
  const form = new FormData()
  form.set('ask', JSON.stringify(question))
  form.append('file', blob(lease), 'lease.pdf')
  const reply = await call('/api/sessions', { method: 'POST', body: form })
  expect(reply.status).toBe(201)
  const { id } = (await reply.json()) as { id: string }
  const ids = [id, await ask({ attachments: [{ name: 'lease.pdf', data }] })]
  for (const one of ids) {
    const session = sessionSchema.parse(await (await call(`/api/sessions/${one}`)).json())
    const [exhibit] = session.attachments
    expect(exhibit).toMatchObject({ name: 'lease.pdf', media: 'application/pdf' })
    expect(exhibit?.text).toContain('three months')
    const file = await call(`/api/sessions/${one}/files/${exhibit!.sha256}`)
    expect(Buffer.from(await file.arrayBuffer()).equals(lease)).toBe(true)
    expect(file.headers.get('content-disposition')).toBe('attachment')
    const fork = await call(`/api/sessions/${one}/fork`, { json: {} })
    const forked = ((await fork.json()) as { id: string }).id
    expect((await archive.file(forked, exhibit!.sha256!))?.data).toBe(data)
    await call(`/api/sessions/${one}`, { method: 'DELETE' })
    expect((await call(`/api/sessions/${one}/files/${exhibit!.sha256}`)).status).toBe(404)
  }
})

test('[H351] a file that cannot be read refuses the question, and nothing is opened', async () => {
  const { call } = await startSetup({ runs: false })
  const broken = { name: 'broken.pdf', data: Buffer.from('%PDF-1.4').toString('base64') }
  for (const attachment of [broken, { name: 'x.txt', data: '*' }, { name: 'x.txt' }]) {
    const reply = await call('/api/sessions', { json: { ...question, attachments: [attachment] } })
    expect(reply.status).toBe(422)
  }
  const form = new FormData()
  expect((await call('/api/sessions', { method: 'POST' })).status).toBe(422)
  form.set('ask', '{')
  expect((await call('/api/sessions', { method: 'POST', body: form })).status).toBe(400)
  expect(((await (await call('/api/sessions')).json()) as { sessions: unknown[] }).sessions).toEqual([])
})

test('[H352] files are read without asking anything, each with what was read or why not', async () => {
  const { call } = await startSetup({ runs: false })
  const form = new FormData()
  form.append('file', blob(wordFile(['Dear tenant'])), 'letter.docx')
  form.append('file', blob(new Uint8Array([0, 1])), 'noise.txt')
  const read = exhibitsSchema.parse(
    await (await call('/api/exhibits', { method: 'POST', body: form })).json(),
  )
  expect(read.exhibits).toMatchObject([{ name: 'letter.docx', text: 'Dear tenant' }])
  expect(read.problems).toEqual([expect.stringContaining('noise.txt')])
})

test('[X350] a JSON export has the bytes of its exhibits, and an import brings them back', async () => {
  const first = await startSetup({ runs: false })
  const id = await first.ask({ attachments: [{ name: 'lease.pdf', data }] })
  const text = await (await first.call(`/api/sessions/${id}/export/json`)).text()
  const second = await startSetup({ runs: false })
  const reply = await second.call('/api/import', {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'text/plain' },
  })
  expect(reply.status).toBe(201)
  const { attachments } = sessionSchema.parse(await (await second.call(`/api/sessions/${id}`)).json())
  expect((await second.archive.file(id, attachments[0]!.sha256!))?.data).toBe(data)
})
