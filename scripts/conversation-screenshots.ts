/** People at the table, follow-ups, forks, templates and books of letters, for pictures. */
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { replyIn } from '../test/lab/table-replies.ts'
import { openStage, type Stage } from '../test/web/stage.ts'
import { type Shooting, type State, shoot } from './shooting.ts'

const asked = {
  question: 'Which way should the goods go?',
  seats: ['lab/split-m1', 'lab/split-m2', 'lab/split-m3'],
  ...{ moderator: 'lab/split-moderator', protocol: 'roundtable', rounds: 1 },
}
const letters = {
  question: 'Write a letter to your successor.',
  ...{ format: 'text', protocol: 'roundtable', rounds: 1 },
  ...{ seats: ['lab/a', 'lab/b', 'lab/c'], moderator: 'lab/m' },
}

const over = async (stage: Stage, id: string): Promise<string> => {
  const { outcome } = (await (await fetch(`${stage.address}/api/sessions/${id}`)).json()) as {
    outcome?: string
  }
  if (outcome !== undefined) return id
  await setTimeout(200)
  return over(stage, id)
}

/** A session that waits for two people, with the addresses of their seats. */
const withPeople = async ({ address }: Stage): Promise<{ id: string; paths: readonly string[] }> => {
  const reply = await fetch(`${address}/api/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...asked, options: ['Rail', 'Road'], people: ['Ada', 'Bob'] }),
  })
  const { id, people } = (await reply.json()) as { id: string; people: { path: string }[] }
  return { id, paths: people.map(({ path }) => path) }
}

const handIn = async (page: Page): Promise<void> => {
  await page.getByText('Answer on your own first').waitFor()
  await page.getByRole('radio', { name: 'Rail', exact: true }).check()
  await page.getByLabel('Your answer in one sentence').fill('By rail, because it is there already.')
  await page.getByLabel('Your reasons').fill('The line exists, and half of the trains run empty.')
  await page.getByRole('button', { name: 'Hand it in' }).click()
}

const addPerson = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Add a person' }).click()
  await page.getByRole('dialog', { name: 'Add a person' }).getByLabel('Name').fill('Ada')
}

const openTemplates = (page: Page) => page.getByText('Templates', { exact: true }).click()
const fillTemplate = async (page: Page): Promise<void> => {
  await openTemplates(page)
  await page.getByRole('button', { name: 'compare options' }).click()
}
const openFork = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Fork at this moment' }).click()
  await page.getByText('Change who sits at the table').click()
}
const lastLetter = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'The common thread' }).click()
}

const handedIn = async (stage: Stage, path: string): Promise<void> => {
  const page = await stage.open(path)
  await handIn(page)
  await page.getByText('Your answer is in').waitFor()
  await page.context().close()
}

const statesOn = async (stage: Stage): Promise<readonly State[]> => {
  const first = await over(stage, await stage.ask(asked))
  const next = await over(
    stage,
    await stage.ask({ ...asked, question: 'And which way should people go?', after: first }),
  )
  const book = await over(stage, await stage.ask({ ...letters, book: {} }))
  const waiting = await withPeople(stage)
  const talking = await withPeople(stage)
  for (const path of talking.paths) await handedIn(stage, path)
  const opened = await stage.open(talking.paths[0]!)
  await opened.getByText('Read what the others think').waitFor()
  await opened.context().close()
  return [
    { name: 'people-ask', path: '/', act: addPerson },
    { name: 'people-session', path: `/s/${waiting.id}` },
    { name: 'people-seat', path: waiting.paths[0]! },
    { name: 'people-seat-open', path: talking.paths[0]! },
    { name: 'thread-first', path: `/s/${first}` },
    { name: 'thread-next', path: `/s/${next}` },
    { name: 'thread-fork', path: `/s/${first}`, act: openFork },
    { name: 'templates', path: '/', act: openTemplates },
    { name: 'templates-fill', path: '/', act: fillTemplate },
    { name: 'letters', path: '/letters' },
    { name: 'letters-book', path: `/letters/${book}` },
    { name: 'letters-thread', path: `/letters/${book}`, act: lastLetter },
  ]
}

export const shootConversations = async (shooting: Shooting): Promise<void> => {
  const stage = await openStage({ handler: replyIn })
  await shoot(stage, await statesOn(stage), shooting)
  await stage.stop()
}
