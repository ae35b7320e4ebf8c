/** What a person at the table sees, looked at by axe and at every width. */
import { expect, test } from 'vitest'
import { replyIn } from '../lab/table-replies.ts'
import { faultsOf } from './faults.ts'
import { openStage } from './stage.ts'

const question = {
  ...{ question: 'Which way should the goods go?', options: ['Rail', 'Road'], people: ['Ada'] },
  ...{ seats: ['lab/split-m1', 'lab/split-m2'], moderator: null, protocol: 'roundtable', rounds: 1 },
}

test('[U204] axe finds nothing on the page of a seat, sealed and open, nor on the page of its session', {
  timeout: 120_000,
}, async () => {
  const stage = await openStage({ handler: replyIn })
  const reply = await fetch(`${stage.address}/api/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  })
  const { id, people } = (await reply.json()) as { id: string; people: { path: string }[] }
  const page = await stage.open(people[0]!.path)
  await page.getByText('Answer on your own first').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('radio', { name: 'Rail', exact: true }).check()
  await page.getByLabel('Your answer in one sentence').fill('By rail.')
  await page.getByLabel('Your reasons').fill('The line exists.')
  await page.getByRole('button', { name: 'Hand it in' }).click()
  await page.getByText('Read what the others think').waitFor({ timeout: 60_000 })
  expect(await faultsOf(page)).toEqual([])
  expect(await faultsOf(await stage.open(`/s/${id}`))).toEqual([])
  await stage.stop()
})
