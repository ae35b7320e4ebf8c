/** Whole sessions with exhibits, through the library: what is cited is looked up, and the files stay with the session. */

import { expect, test } from 'vitest'
import { exhibitFrom } from '../../src/evidence/files.ts'
import { createRoundtable } from '../../src/library/index.ts'
import { scripted } from '../../src/models/scripted.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { pdfFile, sheetFile, wordFile } from './files.ts'

const files = {
  'lease.pdf': pdfFile(['The rent is 900 euros.', 'Notice: three months.']),
  'costs.xlsx': sheetFile({ Heating: [['Oil for the winter', 120]] }),
  'letter.docx': wordFile(['Dear tenant,', 'The rent rises by 3 percent.']),
}

test('[EV5] a session reads a PDF, a spreadsheet and a Word file; citations that stand and one that does not are marked', async () => {
  const prompts: string[] = []
  const replies = [
    [{ exhibit: 1, quote: 'Notice: three months.', place: null }],
    [
      { exhibit: 2, quote: 'Oil for the winter', place: null },
      { exhibit: 3, quote: 'The rent rises by 9 percent.', place: 'line 2' },
    ],
  ]
  const provider = scripted(call => {
    prompts.push(call.user[0]!)
    return {
      citations: replies[Number(call.model)],
      reasoning: 'As [1, p. 2] says.',
      choice: 'Yes',
      headline: 'Yes',
      confidence: 0.8,
    }
  })
  const store = memoryStore()
  const roundtable = createRoundtable({ providers: [provider], store })
  const attachments = []
  for (const [name, bytes] of Object.entries(files)) attachments.push(await exhibitFrom({ name, bytes }))
  const session = await roundtable.ask({
    ...{
      question: 'May she leave?',
      options: ['Yes', 'No'],
      seats: ['scripted/0', 'scripted/1'],
      moderator: null,
    },
    ...{ protocol: 'poll', attachments },
  }).result
  expect(new Set(prompts).size).toBe(1)
  const cited = session.rounds[0]!.answers.map(one => one.status === 'given' && one.citations)
  expect(cited).toMatchObject([
    [{ exhibit: 1, verified: true, place: 'p. 2' }],
    [
      { exhibit: 2, verified: true, place: 'Heating, line 1' },
      { exhibit: 3, verified: false, place: 'line 2' },
    ],
  ])
  expect(session.verdict.flags).toContain('unsupported sources')
  expect(session.citations).toEqual([
    { seat: 's1', cited: 1, standing: 1 },
    { seat: 's2', cited: 2, standing: 1 },
  ])
  expect(await store.file(session.id, attachments[0]!.sha256)).toMatchObject({ media: 'application/pdf' })
  expect(JSON.stringify(session.events)).not.toContain(attachments[0]!.data)
})

test('[EV6] a file that was not read yet is refused, and a session without attachments asks for no citations', async () => {
  const roundtable = createRoundtable({ providers: [scripted(() => ({}))] })
  const input = { question: 'Why?', seats: ['scripted/a'], moderator: null }
  expect(() => roundtable.ask({ ...input, attachments: [{ name: 'a.pdf', data: 'AAAA' }] })).toThrow(
    /readExhibit/,
  )
  expect(await roundtable.open(input)).not.toHaveProperty('citations')
  const notes = [{ name: 'notes.txt', text: 'Some notes' }]
  expect(await roundtable.open({ ...input, attachments: notes })).toMatchObject({ citations: true })
  expect(await roundtable.open({ ...input, attachments: notes, citations: false })).not.toHaveProperty(
    'citations',
  )
})

test('[EV7] a fork has the files of its session, from the start or from the close of a round', async () => {
  const answer = { reasoning: 'As [1] says.', choice: 'Yes', headline: 'Yes', confidence: 0.8 }
  const store = memoryStore()
  const roundtable = createRoundtable({ providers: [scripted(() => answer)], store })
  const lease = await exhibitFrom({ name: 'lease.pdf', bytes: files['lease.pdf'] })
  const { id } = await roundtable.ask({
    ...{ question: 'May she leave?', options: ['Yes', 'No'], protocol: 'poll', moderator: null },
    ...{ seats: ['scripted/a', 'scripted/b'], attachments: [lease] },
  }).result
  const log = await store.read(id)
  for (const changes of [{}, { at: 0 }]) {
    const fork = await roundtable.fork(log, changes).result
    expect(fork.id).not.toBe(id)
    expect(fork.attachments).toMatchObject([{ name: 'lease.pdf', sha256: lease.sha256 }])
    expect(fork.citations).toBeDefined()
    expect((await store.file(fork.id, lease.sha256))?.data).toBe(lease.data)
  }
})
