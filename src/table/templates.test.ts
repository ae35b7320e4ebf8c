import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { questionSchema } from '../core/question/question.ts'
import { protocolNamed } from '../protocols/index.ts'
import { fromTemplate, listTemplates, removeTemplate, saveTemplate } from './templates.ts'

const data = mkdtempSync(join(tmpdir(), 'roundtable-templates-'))
afterAll(() => rmSync(data, { recursive: true, force: true }))

test('[A232] every template that ships can be asked once its blanks are filled in', () => {
  for (const { name, blanks, template } of listTemplates(data).templates) {
    const fill = Object.fromEntries(blanks.map(blank => [blank, 'One, Two']))
    const input = fromTemplate({ template: name, fill }, data)
    const { format = 'open' } = input
    expect(questionSchema.safeParse({ ...input, text: input.question, format }).error).toBeUndefined()
    const { formats } = protocolNamed(input.protocol ?? 'hybrid')
    expect([name, formats?.includes(format) ?? true]).toEqual([name, true])
    expect(template.about).toBeTruthy()
  }
})

test('[A233] a saved template takes the place of one that ships, and what the request says counts over it', () => {
  saveTemplate(data, 'decide', { question: 'Go to {{where}}?', protocol: 'poll', lineup: 'fast' })
  expect(listTemplates(data).templates.filter(({ name }) => name === 'decide')).toHaveLength(1)
  const input = fromTemplate(
    { template: 'Decide', fill: { where: 'Rome' }, seats: ['lab/a'], names: 'shown' },
    data,
  )
  expect(input).toEqual({ question: 'Go to Rome?', protocol: 'poll', seats: ['lab/a'], names: 'shown' })
  removeTemplate(data, 'decide')
  expect(() => removeTemplate(data, 'decide')).toThrow('comes with the program')
  expect(() => fromTemplate({ template: 'nothing' }, data)).toThrow(/no template "nothing".*premortem/)
  expect(() => fromTemplate({ question: 'Why?', fill: { a: 'b' } }, data)).toThrow('Only a template')
})
