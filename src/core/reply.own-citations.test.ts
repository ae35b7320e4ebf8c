import { expect, test } from 'vitest'
import { citableItems } from '../protocols/protocol.ts'
import { citationsProblem } from './reply.ts'

const citable = {
  exhibits: [
    { name: 'lease.txt', text: 'Notice: three months.' },
    { name: 'plan.png', text: '', media: 'image/png', width: 10, height: 10 },
  ],
  sources: [{ address: 'https://a.example/', title: 'A', quotes: ['The bridge is old.'] }],
}
const good = { exhibit: 1, place: 'p. 1', quote: 'Notice: three months.' }

test.each([
  ['no list', {}, 'citations must be a list'],
  ['seven', Array(7).fill(good), 'an answer has at most 6 citations'],
  ['no object', [good, 'words'], 'citation 2: it must have an exhibit and a quote'],
  ['no words', [{ exhibit: 1 }], 'citation 1: copy at least 8 characters of the exact words'],
  ['too few words', [{ exhibit: 1, quote: ' "three".  ' }], 'citation 1: copy at least 8'],
  ['too many words', [{ exhibit: 1, quote: 'x'.repeat(2_001) }], 'citation 1: copy at most 2000'],
  ['an exhibit that is not there', [{ ...good, exhibit: 4 }], 'its exhibit must be a number from 1 to 3'],
  ['an exhibit in words', [{ ...good, exhibit: 'lease' }], 'its exhibit must be a number from 1 to 3'],
  ['half an exhibit', [{ ...good, exhibit: 1.5 }], 'its exhibit must be a number from 1 to 3'],
  ['a picture', [{ ...good, exhibit: 2 }], 'exhibit 2 is a picture, which has no words to cite'],
  ['a place that is no text', [{ ...good, place: 3 }], 'its place must be a text of at most 200 characters'],
  ['a place without end', [{ ...good, place: 'x'.repeat(201) }], 'its place must be a text'],
])('[EV99] a person is told what is wrong with a citation: %s', (_name, raw, problem) => {
  expect(citationsProblem(raw, citable)).toContain(problem)
})

test('[EV99] citations are refused if there is nothing to cite, and none at all are always fine', () => {
  for (const none of [undefined, null, []]) expect(citationsProblem(none, undefined)).toBeUndefined()
  expect(citationsProblem([good], undefined)).toContain('nothing to cite')
  expect(citationsProblem([good], { exhibits: [] })).toContain('nothing to cite')
  const third = { exhibit: 3, place: null, quote: 'The bridge is old.' }
  expect(citationsProblem([good, third, ...Array(4).fill(good)], citable)).toBeUndefined()
})

test('[EV99] a page of the web is cited by its address, if seats search for themselves', () => {
  const page = { exhibit: null, address: 'https://b.example/', quote: 'The bridge is old.' }
  expect(citationsProblem([page], { ...citable, web: true })).toBeUndefined()
  expect(citationsProblem([{ ...page, address: 'file:///etc/passwd' }], { ...citable, web: true })).toContain(
    'must begin with http',
  )
  expect(citationsProblem([page], citable)).toContain('its exhibit must be')
})

test('[EV98] what a prompt has to cite: each exhibit and source once, without pictures', () => {
  const lines = [
    { exhibit: 1, name: 'lease.pdf', place: 'p. 1', text: 'Notice: three months.' },
    { exhibit: 1, name: 'lease.pdf', place: 'p. 2', text: 'Signed.' },
    { exhibit: 2, name: 'plan.png', picture: '10 × 10' },
    { exhibit: 3, title: 'A page', address: 'https://a.example/', quotes: [] },
    { seat: 'A', headline: 'exhibit 9' },
  ]
  const user = [['Before', '<<<mark', ...lines.map(line => JSON.stringify(line)), 'mark>>>'].join('\n')]
  expect(citableItems(user, { properties: { citations: {} } })).toEqual([
    { exhibit: 1, name: 'lease.pdf' },
    { exhibit: 3, name: 'A page' },
  ])
  expect(citableItems(user, { properties: { headline: {} } })).toEqual([])
})
