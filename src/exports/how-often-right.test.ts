import { expect, test } from 'vitest'
import { table, yesOrNo } from '../../test/contracts/core-testing.ts'
import { context } from '../../test/contracts/exports-contract.ts'
import { fold } from '../core/fold.ts'
import type { Kind } from '../core/form.ts'
import { exporterNamed, exporters, importText } from './index.ts'
import { documentOf, documentSchema } from './json.ts'

const logOf = (kind: Kind) =>
  table({ seats: 3, question: yesOrNo, kind })
    .round(0, ['Yes', 'Yes', 'Yes'])
    .and({ type: 'session-finished', outcome: 'verdict' }).events

const said = 'when a sealed vote was unanimous, the answer was right about 90% of the time'

/** Without markup and escapes. */
const plain = (text: string): string => text.replace(/<[^>]*>|\\(?=[(%.])/g, '')

test.each(exporters.filter(({ id }) => id !== 'json'))(
  '[X32] $id says how often such tables were right, and nothing of the kind about an opinion',
  ({ id }) => {
    expect(plain(exporterNamed(id).write(logOf('fact')))).toContain(said)
    expect(exporterNamed(id).write(logOf('judgement'))).not.toContain('were right in')
  },
)

test('[X32] the JSON document has the figures, and a document without them is still read', () => {
  const document = documentOf(logOf('fact'))
  expect(documentSchema.parse(document).howOftenRight).toMatchObject({
    split: 'unanimous',
    right: 0.896,
    low: 0.808,
    high: 1,
    own: { right: 0, of: 0 },
  })
  expect(documentSchema.parse(documentOf(logOf('taste'))).howOftenRight).toBeUndefined()
})

test('[X32] a transcript with the sentence can be read back', () => {
  const text = exporterNamed('transcript').write(logOf('fact'))
  expect(fold(importText(text, context)).report?.summary).toContain(said)
})
