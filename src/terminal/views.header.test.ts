import { expect, test } from 'vitest'
import { questionOf, seatsOf, table } from '../../test/contracts/core-testing.ts'
import { noPaint } from './terminal.ts'
import { header } from './views.ts'

const look = { columns: 80, paint: noPaint }

test('[T186] the head of a session names seats that are held from outside, and the asker’s instruction', () => {
  const [first, second] = seatsOf(2)
  const question = questionOf({ instruction: `Be brief.\n\u001b[31m${'And kind. '.repeat(100)}` })
  const { session } = table({ seats: [first!, { ...second!, name: 'Host', outside: true }], question })
  const text = header(session, look).join('\n').replace(/\s+/g, ' ')
  expect(text).toContain('Instruction of the asker: Be brief. And kind.')
  expect(text.length).toBeLessThan(900)
  expect(text).toContain('Host answers from outside: somebody hands in the answers of this seat')
  expect(text).not.toContain('\u001b')
})
