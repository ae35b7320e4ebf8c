/** Templates and line-ups that are a person's own, or the team's, over HTTP. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openedSchema } from '../../src/api/sessions.ts'
import { lineupsSchema, templatesSchema } from '../../src/api/table.ts'
import { backupLines, restoreFrom } from '../../src/store/backup.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { question } from '../server/setup.ts'
import { startTeam, type Visit } from './people.ts'

const template = { ...question, question: 'Should {{who}} move?' }

const saved = async ({ call }: Visit) =>
  templatesSchema
    .parse(await (await call('/api/templates')).json())
    .templates.filter(({ origin }) => origin === 'saved')
    .map(({ name, template: { question: text }, mayDelete }) => ({ name, text, mayDelete }))

const save = async ({ call }: Visit, name: string, body: object = template) =>
  (await call(`/api/templates/${name}`, { method: 'PUT', json: body })).status

const remove = async ({ call }: Visit, name: string) => {
  const response = await call(`/api/templates/${name}`, { method: 'DELETE' })
  return { status: response.status, text: await response.text() }
}

test('[AC139] a member’s templates are their own to list, ask with and delete, and an admin’s are the team’s', async () => {
  const team = await startTeam({ runs: false })
  const admin = await team.comes('Root', 'admin')
  const [ada, bob] = [await team.comes('Ada', 'member'), await team.comes('Bob', 'member')]
  const viewer = await team.comes('Eve', 'viewer')
  expect(await save(admin, 'moving')).toBe(204)
  expect(existsSync(join(team.reach.config.data, 'templates', 'moving.json'))).toBe(true)
  expect(await save(ada, 'diary', { ...template, question: 'Why does Ada {{verb}}?' })).toBe(204)
  expect(await save(viewer, 'mine')).toBe(403)

  const teams = { name: 'moving', text: template.question }
  expect(await saved(ada)).toEqual([
    { name: 'diary', text: 'Why does Ada {{verb}}?', mayDelete: true },
    { ...teams, mayDelete: false },
  ])
  expect(await saved(bob)).toEqual([{ ...teams, mayDelete: false }])
  expect(await saved(admin)).toEqual([{ ...teams, mayDelete: true }])

  const ask = (visit: Visit, name: string, fill: object) =>
    visit.call('/api/sessions', { json: { template: name, fill } })
  const opened = openedSchema.parse(await (await ask(ada, 'diary', { verb: 'sing' })).json())
  expect(JSON.stringify(await team.archive.read(opened.id))).toContain('Why does Ada sing?')
  for (const other of [bob, admin]) {
    const refused = await ask(other, 'diary', { verb: 'sing' })
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('There is no template \\"diary\\"')
    expect((await other.call('/api/templates/diary')).status).toBe(404)
    expect((await remove(other, 'diary')).status).toBe(404)
  }
  expect(await remove(bob, 'moving')).toMatchObject({
    status: 403,
    text: expect.stringContaining('of the team’s'),
  })

  // One's own comes before the team's of the same name, and leaves it alone.
  expect(await save(ada, 'moving', { question: 'Mine?' })).toBe(204)
  expect((await saved(ada)).find(({ name }) => name === 'moving')).toMatchObject({ text: 'Mine?' })
  expect((await saved(bob))[0]).toMatchObject({ text: template.question })
  expect((await remove(ada, 'moving')).status).toBe(204)
  expect((await remove(ada, 'moving')).status).toBe(403)
  expect((await saved(ada)).map(({ name }) => name)).toEqual(['diary', 'moving'])

  const restored = memoryStore()
  await restoreFrom(await Array.fromAsync(backupLines(team.archive)), restored)
  expect(await restored.records('template')).toEqual(await team.archive.records('template'))
})

test('[AC140] a line-up says whether whoever reads it may delete it, and somebody who became an admin keeps their own', async () => {
  const team = await startTeam({ runs: false })
  const admin = await team.comes('Root', 'admin')
  const ada = await team.comes('Ada', 'member')
  const put = (visit: Visit, name: string) =>
    visit.call(`/api/lineups/${name}`, { method: 'PUT', json: { seats: ['lab/a', 'lab/b'] } })
  expect((await put(admin, 'duo')).status).toBe(204)
  expect((await put(ada, 'mine')).status).toBe(204)
  const listed = async ({ call }: Visit) =>
    lineupsSchema
      .parse(await (await call('/api/lineups')).json())
      .lineups.filter(({ origin }) => origin === 'saved')
      .map(({ name, mayDelete }) => [name, mayDelete])
      .sort()
  expect(await listed(ada)).toEqual([
    ['duo', false],
    ['mine', true],
  ])
  expect(await listed(admin)).toEqual([['duo', true]])
  await team.accounts.people.save({ ...ada.person, role: 'admin' })
  expect(await listed(ada)).toEqual([
    ['duo', true],
    ['mine', true],
  ])
  expect((await put(ada, 'mine')).status).toBe(204)
  expect(await listed(admin)).toEqual([['duo', true]])
})
