import { describe, expect, test } from 'vitest'
import { answered, logOf, opening } from '../../test/contracts/exports-contract.ts'
import type { Happening } from '../core/event.ts'
import { exporterNamed, importText } from './index.ts'
import { documentOf, documentSchema } from './json.ts'

const sure = (round: number, seat: string, choice: string, confidence: number, credit?: string): Happening =>
  answered(round, seat, {
    headline: `${choice}, I think.`,
    choice,
    confidence,
    reasoning: 'It is known to carry the load.',
    ...(credit && { credit: { seat: credit, quote: '<b>carry</b> the load', verified: true } }),
  })

const log = logOf([
  opening({
    question: {
      text: 'Build?',
      format: 'choice',
      options: ['Yes', 'No'],
      scale: 'linear',
      attachments: [],
    },
  }),
  { type: 'round-opened', round: 0, sealed: true },
  sure(0, 's1', 'Yes', 0.2),
  sure(0, 's2', 'Yes', 0.2),
  sure(0, 's3', 'No', 0.3),
  sure(0, 's4', 'No', 0.9),
  { type: 'round-opened', round: 1, sealed: false },
  sure(1, 's1', 'Yes', 1),
  sure(1, 's2', 'Yes', 1),
  sure(1, 's3', 'Yes', 1, 's1'),
  sure(1, 's4', 'No', 1),
  { type: 'session-finished', outcome: 'verdict' },
  { type: 'session-resolved', answer: 'Yes <i>', camps: ['Yes'] },
])

describe('[V40] the forms tell what stands beside the count, and who pulled whom', () => {
  test('json', () => {
    const document = documentOf(log)
    expect(document.verdict).toMatchObject({
      rule: 'majority',
      asides: ['The sealed answers alone were a tie: 2 for Yes, 2 for No.'],
      ledger: [{ seat: 's3', direction: null }],
    })
    expect(document.influence).toMatchObject({
      moved: [{ seat: 's3', by: 's1', verified: true }],
      pull: [{ seat: 's1', exposures: 2, adopters: 1, credited: 1 }, { seat: 's2' }, {}, {}],
    })
    expect(document.resolved).toMatchObject({ camps: ['Yes'] })
    expect(documentSchema.parse(document)).toEqual(JSON.parse(JSON.stringify(document)))
  })

  test.each(['markdown', 'html'])('%s', id => {
    const text = exporterNamed(id).write(log)
    for (const part of [
      'The sealed answers alone were a tie: 2 for Yes, 2 for No.',
      'Who won others over',
      '1 of 2',
      '3 of 4 had it at the end',
    ])
      expect(text).toContain(part)
    expect(text).not.toContain('<i>')
    expect(text).not.toContain('<b>')
  })

  test('nothing where there is nothing to tell', () => {
    const quiet = logOf([opening(), { type: 'round-opened', round: 0, sealed: true }])
    for (const id of ['markdown', 'html']) {
      expect(exporterNamed(id).write(quiet)).not.toMatch(/sealed answers alone|won others over|Right answer/)
    }
  })
})

test('[V41] a document from before there were rules and influence is imported', () => {
  const { influence: _influence, verdict, ...document } = documentOf(log)
  const { rule: _rule, asides: _asides, ...older } = verdict
  const ledger = older.ledger.map(({ direction: _direction, ...flip }) => flip)
  const text = JSON.stringify({ ...document, verdict: { ...older, ledger } })
  expect(importText(text, { newId: () => 'x', clock: () => 0 })).toEqual(log)
})
