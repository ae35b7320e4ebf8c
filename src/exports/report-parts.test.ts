import { expect, test } from 'vitest'
import { context, example } from '../../test/contracts/exports-contract.ts'
import type { Report, SessionEvent } from '../core/event.ts'
import { fold } from '../core/fold.ts'
import { reportParts } from '../words/words.ts'
import { exporterNamed, exporters, importText } from './index.ts'

const reported: Report = {
  answer: 'It is a sandwich.',
  summary: 'The definition carries it. (Ada 2: “Bread holds a filling”)\n\nAda 2 won Bell 7B over.',
  reasons: [{ reason: 'The definition carries it.', seat: 's1', quote: 'Bread holds a filling' }],
  moved: 'Ada 2 won Bell 7B over.',
  counterpoint: 'The law differs.',
  open: 'What a court would say.',
  unverified: 'How people order it.',
  settle: 'A survey at the counter.',
}

const withReport = (report: Report): SessionEvent[] =>
  example.map(event => (event.type === 'report-written' ? { ...event, report } : event))

/** Without markup and escapes. */
const plain = (text: string): string => text.replace(/<[^>]*>|\\(?=[.])/g, '')

test.each(exporters.filter(({ id }) => id !== 'json'))(
  '[E21] $id shows every part of a report once',
  ({ id }) => {
    const text = plain(exporterNamed(id).write(withReport(reported)))
    for (const part of [
      'The definition carries it.',
      'Ada 2 won Bell 7B over.',
      'The law differs.',
      'What a court would say.',
      'How people order it.',
      'A survey at the counter.',
    ])
      expect(text.split(part)).toHaveLength(2)
    expect(text).toMatch(/What stayed open/)
  },
)

test('[E21] the JSON document has the parts as they are', () => {
  const document = JSON.parse(exporterNamed('json').write(withReport(reported)))
  expect(document.report).toEqual({ ...reported, by: 'moderator' })
})

test('[E21] a transcript with parts is read and written back to the same text', () => {
  const text = exporterNamed('transcript').write(withReport(reported))
  expect(exporterNamed('transcript').write(importText(text, context))).toBe(text)
})

test('[E21] a report without reasons shows its summary, as it always did', () => {
  const { report } = fold(example)
  expect(reportParts(report!, () => '')).toEqual([
    { id: 'summary', title: null, text: 'Ada 2 won Bell 7B over.' },
    { id: 'counterpoint', title: 'Counterpoint', text: 'The law differs.' },
  ])
})
