import { expect, test } from 'vitest'
import { answered, logOf, opening } from '../../test/contracts/exports-contract.ts'
import { fold } from '../core/fold.ts'
import { exporterNamed } from './index.ts'
import { documentOf } from './json.ts'

const { seats, question } = opening()
const log = logOf([
  opening({
    question: { ...question, instruction: 'Answer <briefly>.\nNo jokes.' },
    seats: seats.map(seat => (seat.id === 's4' ? { ...seat, name: 'Host', outside: true } : seat)),
  }),
  { type: 'round-opened', round: 0, sealed: true },
  ...seats.map(({ id }) => answered(0, id, { headline: 'Yes.' })),
])

test('[X77] exports name the seats that are held from outside, and the asker’s instruction', () => {
  const markdown = exporterNamed('markdown').write(log)
  expect(markdown).toContain('Host answers from outside: somebody hands in the answers of this seat')
  expect(markdown).toContain('> Answer &lt;briefly>.')
  const html = exporterNamed('html').write(log)
  expect(html).toContain('Host answers from outside')
  expect(html).toContain('Instruction of the asker: Answer &lt;briefly&gt;.\nNo jokes.')
  const { seats: written, instruction } = documentOf(log)
  expect(written.at(-1)).toMatchObject({ name: 'Host', outside: true })
  expect(instruction).toBe(fold(log).question.instruction)
  const plain = exporterNamed('markdown').write(logOf([opening()]))
  expect(plain).not.toMatch(/outside|Instruction/)
})
