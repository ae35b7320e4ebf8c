import { expect, test } from 'vitest'
import { questionOf, table } from '../../test/contracts/core-testing.ts'
import { exporterNamed } from './index.ts'
import { documentOf } from './json.ts'
import { changesOf } from './wording.ts'

const address = 'https://a.example/one?a=1&b="<script>'
const sources = [{ address, title: 'One <b>bold</b>', date: '2026-01-02', quotes: ['The bridge is old.'] }]
const stands = { exhibit: 1, address, quote: 'The bridge is old.', verified: true }
const missing = { address: 'http://b.example/', quote: 'Invented', verified: false, unreachable: 'gone' }
const { events } = table({
  ...{ seats: 2, question: questionOf({ format: 'choice', options: ['Yes', 'No'] }) },
  ...{ citations: true, search: 'shared', protocol: 'roundtable', rounds: 1 },
})
  .and({ type: 'evidence-found', by: 'SearXNG', query: 'Why?', sources })
  .round(0, [
    { headline: 'Yes', choice: 'Yes' },
    { headline: 'No', choice: 'No' },
  ])
  .round(1, [
    { headline: 'Yes', choice: 'Yes' },
    {
      ...{ headline: 'Yes', choice: 'Yes', citations: [stands, missing] },
      found: [{ address: 'https://c.example/', title: 'Three' }],
    },
  ])
  .and(
    { type: 'report-written', report: { answer: 'Yes.', summary: 'So.' }, by: 'code' },
    { type: 'session-finished', outcome: 'verdict' },
  )

test('[EV84] exports list sources with their addresses, as links that say nothing of the page, and what a seat found', () => {
  const html = exporterNamed('html').write(events)
  expect(html).toContain('rel="noopener noreferrer"')
  expect(html).toContain('One &lt;b&gt;bold&lt;/b&gt;')
  const markdown = exporterNamed('markdown').write(events)
  for (const text of [html, markdown]) {
    expect(text).not.toMatch(/b="<script>|<b>bold/)
    expect(text).toMatch(/2026-01-02.*https:..a\.example.one/)
    expect(text).toContain('https://c.example/')
    expect(text).toMatch(/source not reachable/)
  }
  expect(documentOf(events)).toMatchObject({ search: 'shared', sources: [{ date: '2026-01-02' }] })
  expect(documentOf(events).citations).toEqual([{ seat: 's2', cited: 2, standing: 1 }])
})

test('[EV85] the ledger says if a change of mind rests on a passage that does not stand', () => {
  const document = documentOf(events)
  expect(document.verdict.ledger).toMatchObject([{ seat: 's2', unsupported: 1 }])
  expect(changesOf(document)[0]!.how).toContain('a passage that it cites was not found')
})
