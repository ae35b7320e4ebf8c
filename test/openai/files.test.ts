/** Pictures and files that a chat program sends along with a question. */

import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { tableReplySchema } from '../../src/api/doors.ts'
import { fold } from '../../src/core/fold.ts'
import { pdfFile, pngFile } from '../evidence/files.ts'
import { startLab } from '../lab/server.ts'
import { startSetup } from '../server/setup.ts'

const addressOf = (media: string, bytes: Uint8Array): string =>
  `data:${media};base64,${Buffer.from(bytes).toString('base64')}`
const picture = addressOf('image/png', pngFile(64, 32))
const lease = addressOf('application/pdf', pdfFile(['The rent is 900.']))

const start = async () => {
  const lab = await startLab()
  onTestFinished(() => lab.stop())
  const models = { sees: { sees: true } }
  const endpoints = [{ id: 'lab', baseURL: lab.baseURL, models, keyEnv: '', from: '' }]
  const config = { endpoints, seats: ['lab/sees', 'lab/b'], moderator: null, protocol: 'poll' }
  const setup = await startSetup({ config })
  const client = new OpenAI({ baseURL: `${setup.address}/v1`, apiKey: 'any', maxRetries: 0 })
  const sessionOf = async (reply: unknown) =>
    fold(
      await setup.archive.read(tableReplySchema.parse((reply as { roundtable: unknown }).roundtable).session),
    )
  const seen = () => lab.calls.filter(({ body }) => body.model === 'sees').map(({ body }) => body.pictures)
  return { client, sessionOf, seen }
}

test('[OC56] a chat’s pictures and files are exhibits, those of earlier messages too', async () => {
  const { client, sessionOf, seen } = await start()
  const reply = await client.chat.completions.create({
    model: 'roundtable',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look at this.' },
          { type: 'image_url', image_url: { url: picture } },
        ],
      },
      { role: 'assistant', content: 'A chart.' },
      {
        role: 'user',
        content: [
          { type: 'file', file: { filename: 'lease.pdf', file_data: lease } },
          { type: 'text', text: 'Is the rent right?' },
        ],
      },
    ],
  })
  const { question } = await sessionOf(reply)
  expect(question.text).toBe('Is the rent right?')
  expect(question.attachments).toMatchObject([
    { name: 'picture 1.png', width: 64, height: 32 },
    { name: 'lease.pdf', text: 'The rent is 900.' },
    { name: 'earlier in this conversation', text: 'User: Look at this.\n\nAssistant: A chart.' },
  ])
  expect(seen()).toEqual([[picture]])
})

test('[OC56] a response takes them, and the next one that continues it has them, too', async () => {
  const { client, sessionOf, seen } = await start()
  const first = await client.responses.create({
    model: 'roundtable',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'What does it show?' },
          { type: 'input_image', image_url: picture, detail: 'auto' },
        ],
      },
    ],
  })
  const next = await client.responses.create({
    model: 'roundtable',
    input: 'And what does it hide?',
    previous_response_id: first.id,
  })
  const { question } = await sessionOf(next)
  expect(question.attachments[0]).toMatchObject({ name: 'picture 1.png', width: 64 })
  expect(seen()).toEqual([[picture], [picture]])
})

test('[OC56] a picture at another address is not fetched, and a broken one is refused', async () => {
  const { client } = await start()
  const sent = (url: string) =>
    client.chat.completions.create({
      model: 'roundtable',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
    })
  await expect(sent('http://127.0.0.1:1/a.png')).rejects.toMatchObject({
    status: 400,
    param: 'messages',
    message: expect.stringContaining('inside the request'),
  })
  await expect(sent('data:image/png;base64,AAAA')).rejects.toMatchObject({ status: 400 })
})
