import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { questionSchema } from '../core/question.ts'
import { protocolNamed } from '../protocols/index.ts'
import { fromTemplate, listTemplates, removeTemplate, saveTemplate } from './templates.ts'

const data = mkdtempSync(join(tmpdir(), 'roundtable-templates-'))
const all = () => listTemplates(data)
afterAll(() => rmSync(data, { recursive: true, force: true }))

test('[A232] every template that ships can be asked once its blanks are filled in', async () => {
  for (const { name, blanks, template } of listTemplates(data).templates) {
    const fill = Object.fromEntries(blanks.map(blank => [blank, 'One, Two']))
    const input = await fromTemplate({ template: name, fill }, all)
    const { format = 'open' } = input
    expect(questionSchema.safeParse({ ...input, text: input.question, format }).error).toBeUndefined()
    const { formats } = protocolNamed(input.protocol ?? 'hybrid')
    expect([name, formats?.includes(format) ?? true]).toEqual([name, true])
    expect(template.about).toBeTruthy()
  }
})

test('[A233] a saved template takes the place of one that ships, and what the request says counts over it', async () => {
  saveTemplate(data, 'decide', { question: 'Go to {{where}}?', protocol: 'poll', lineup: 'fast' })
  expect(listTemplates(data).templates.filter(({ name }) => name === 'decide')).toHaveLength(1)
  const input = await fromTemplate(
    { template: 'Decide', fill: { where: 'Rome' }, seats: ['lab/a'], names: 'shown' },
    all,
  )
  expect(input).toEqual({ question: 'Go to Rome?', protocol: 'poll', seats: ['lab/a'], names: 'shown' })
  removeTemplate(data, 'decide')
  expect(() => removeTemplate(data, 'decide')).toThrow('comes with the program')
  await expect(fromTemplate({ template: 'nothing' }, all)).rejects.toThrow(/no template "nothing".*premortem/)
  await expect(fromTemplate({ question: 'Why?', fill: { a: 'b' } }, all)).rejects.toThrow('Only a template')
})
