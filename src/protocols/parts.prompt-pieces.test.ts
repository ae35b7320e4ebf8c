/** A prompt taken apart for a person. */

import { expect, test } from 'vitest'
import { promptPieces } from './protocol.ts'

test('[Q204] words and the texts between the marks come apart, in their order', () => {
  const user = [
    'The question:\nYes or no?',
    'Read this.\n<<<n1\n{"seat":"A","headline":"Yes."}\nnot JSON\n[1]\nn1>>>\nThen answer.',
    '<<<n2\n{"asker":"a <<<n3 b"}\nn2>>>',
  ]
  expect(promptPieces(user)).toEqual([
    { text: 'The question:\nYes or no?' },
    { text: 'Read this.' },
    { items: [{ seat: 'A', headline: 'Yes.' }, { text: 'not JSON' }, { text: '[1]' }] },
    { text: 'Then answer.' },
    { items: [{ asker: 'a <<<n3 b' }] },
  ])
  expect(promptPieces(['<<<open\n{}'])).toEqual([{ items: [{}] }])
})
