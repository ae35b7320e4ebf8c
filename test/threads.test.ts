/** Follow-ups and templates in a terminal, in processes of their own. */
import { expect, onTestFinished, test } from 'vitest'
import { terminals } from './command-line.ts'
import { startLab } from './lab/server.ts'

const setup = async () => {
  const lab = await startLab()
  onTestFinished(() => lab.stop())
  return { lab, ...terminals({ ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}`, ROUNDTABLE_LOCAL: 'no' }) }
}

test('[T231] `ask --after last` asks the same table on, and `show` shows the thread', {
  timeout: 300_000,
}, async () => {
  const { run, lab } = await setup()
  const table = ['--seats', 'lab/a,lab/b', '--moderator', 'none', '--protocol', 'poll', '--options', 'Yes,No']
  expect((await run('ask', 'Is it warm?', ...table)).code).toBe(0)
  const next = await run('ask', 'And in May?', '--after', 'last', '--carry', 'verdict', '--options', 'Yes,No')
  expect(next.code).toBe(0)
  const prompt = lab.calls
    .at(-1)!
    .body.messages.map(({ content }) => content)
    .join('\n')
  expect(prompt).toContain('"question":"Is it warm?"')
  const shown = (await run('show', 'last')).out
  expect(shown).toContain('Follow-up to session')
  expect(shown).toMatch(/The thread[\s\S]*Is it warm\?[\s\S]*Follow-up: And in May\?/)
  const refused = await run('ask', 'Why?', '--carry', 'camps', ...table)
  expect(refused.code).toBe(2)
  expect(refused.err).toContain('--after')
})

test('[T232] templates are listed, shown, saved, asked and deleted by command', {
  timeout: 300_000,
}, async () => {
  const { run } = await setup()
  expect((await run('templates')).out).toMatch(/premortem[\s\S]*--fill plan=…/)
  expect((await run('templates', 'show', 'decide')).out).toContain('blanks: decision, situation')
  const saved = await run(
    ...['templates', 'save', 'moving', 'Should {{who}} move?', '--options', 'Yes,No'],
    ...['--seats', 'lab/a,lab/b', '--moderator', 'none', '--protocol', 'poll'],
  )
  expect(saved.code).toBe(0)
  const asked = await run('ask', '--template', 'moving', '--fill', 'who=Ada', '--json')
  expect(asked.code).toBe(0)
  expect(JSON.parse(asked.out)).toMatchObject({ question: 'Should Ada move?', protocol: 'poll' })
  const empty = await run('ask', '--template', 'moving')
  expect([empty.code, empty.err]).toEqual([2, expect.stringContaining('not filled in: who')])
  expect((await run('templates', 'delete', 'moving')).code).toBe(0)
  const gone = await run('templates', 'show', 'moving')
  expect([gone.code, gone.err]).toEqual([2, expect.stringContaining('There is no template "moving"')])
})
