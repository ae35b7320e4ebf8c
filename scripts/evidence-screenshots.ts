/** Files, pictures, citations and sources of a web search, for pictures. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { exporters } from '../src/exports/index.ts'
import { createRoundtable } from '../src/library/index.ts'
import { pdfFile, pngFile, sheetFile, wordFile } from '../test/evidence/files.ts'
import type { RecordedCall } from '../test/lab/call.ts'
import { drop, seat } from '../test/web/ask-form.ts'
import { openStage, type Stage } from '../test/web/stage.ts'
import { type Shooting, type State, shoot } from './shooting.ts'

const clauses = Array.from(
  { length: 40 },
  (_, index) => `Clause ${index + 1}: the tenant keeps the flat clean.`,
)
const files = {
  'lease-of-the-flat-in-the-old-town-signed-copy.pdf': pdfFile([clauses.join('\n'), 'Notice: three months.']),
  'costs.xlsx': sheetFile({ Heating: [['Oil for the winter', 120]], Water: [['Hot water', 40]] }),
  'letter.docx': wordFile(['Dear tenant,', 'The rent rises by 3 percent.']),
  'damage.png': pngFile(640, 480),
}

const stands = { exhibit: 1, quote: 'Notice: three months.', place: null }
const isNotThere = { exhibit: 3, quote: 'The rent rises by 9 percent.', place: 'line 2' }

const answers: Readonly<Record<string, object>> = {
  ada: { choice: 'Yes', headline: 'Yes, with three months of notice.', citations: [stands] },
  bob: {
    ...{ choice: 'No', headline: 'No, because the rent rises too little.' },
    citations: [{ exhibit: 2, quote: 'Oil for the winter', place: null }, isNotThere],
  },
  eve: { choice: 'Yes', headline: 'Yes, the lease is clear.', citations: [stands, isNotThere] },
}

const results = [
  {
    ...{ url: 'https://city.example/bridges/old-bridge/inspection', title: 'Inspection of the old bridge' },
    ...{ content: 'The bridge was closed in 2024.', publishedDate: '2026-01-02' },
  },
  {
    url: `https://trams.example/lines/${'a-very-long-address-'.repeat(6)}`,
    ...{ title: 'Lines over the river', content: 'The bridge carries trams on weekdays.' },
  },
]
const sourced: Readonly<Record<string, object>> = {
  ada: {
    choice: 'No',
    headline: 'No, it was closed.',
    citations: [{ exhibit: 1, quote: results[0]!.content }],
  },
  bob: {
    ...{ choice: 'Yes', headline: 'Yes, trams use it.' },
    citations: [{ exhibit: 2, quote: 'It carries a hundred trams a day.' }],
  },
}

/** Models answer by their names, to the question about the flat or the one about the bridge. */
const replyIn = ({ body }: RecordedCall): Readonly<Record<string, unknown>> => {
  const isBridge = body.messages.some(({ content }) => content.includes('bridge'))
  return {
    ...{ reasoning: 'What is attached says it in its own words.', confidence: 0.8 },
    ...(isBridge ? sourced : answers)[body.model],
  }
}

const asked = { options: ['Yes', 'No'], moderator: null, protocol: 'poll' } as const
const seatsOf = (said: object): string[] => Object.keys(said).map(name => `lab/${name}`)

const withFiles = (stage: Stage): Promise<string> =>
  stage.ask({
    ...{ ...asked, question: 'May she leave the flat in March?', seats: seatsOf(answers) },
    attachments: Object.entries(files).map(([name, bytes]) => ({
      name,
      data: Buffer.from(bytes).toString('base64'),
    })),
  })

/** A search endpoint on this machine finds the sources, and no page is reachable. */
const withSources = async (stage: Stage): Promise<string> => {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results })),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const roundtable = createRoundtable({
    endpoints: [{ id: 'lab', baseURL: stage.lab.baseURL }],
    search: { format: 'searxng', baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    readPage: async () => ({ unreachable: 'the server replied 404' }),
  })
  const { events } = await roundtable.ask({
    ...{ ...asked, question: 'Is the old bridge safe?', seats: seatsOf(sourced), search: 'shared' },
  }).result
  server.close()
  return stage.importText(exporters.find(({ id }) => id === 'json')!.write(events))
}

const attach = async (page: Page): Promise<void> => {
  await seat(page, 'lab/ada', 'lab/bob')
  await page.getByLabel('Your question').fill('May she leave the flat in March?')
  await drop(page, files)
  await page.getByRole('list', { name: 'Attachments' }).getByText('damage.png').waitFor()
}
const attachWithDetails = async (page: Page): Promise<void> => {
  await attach(page)
  await page.locator('details', { hasText: 'Details' }).locator('summary').click()
}
const openCited = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: '[1, p. 2]' }).first().click()
  await page.getByRole('dialog').locator('mark').waitFor()
}
const openPicture = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'damage.png' }).click()
  await page.getByRole('dialog').getByRole('img').waitFor()
}
const openSources = (page: Page): Promise<void> =>
  page.locator('summary', { hasText: 'Sources' }).first().click()

export const shootEvidence = async (shooting: Shooting): Promise<void> => {
  const stage = await openStage({ models: { ada: {}, bob: {}, eve: {} }, handler: replyIn })
  const path = `/s/${await withFiles(stage)}`
  const found = `/s/${await withSources(stage)}`
  const states: readonly State[] = [
    { name: 'evidence-ask', path: '/', act: attach },
    { name: 'evidence-ask-details', path: '/', act: attachWithDetails },
    { name: 'evidence-session', path },
    { name: 'evidence-exhibit', path, act: openCited },
    { name: 'evidence-picture', path, act: openPicture },
    { name: 'evidence-sources', path: found, act: openSources },
  ]
  await shoot(stage, states, shooting)
  await stage.stop()
}
