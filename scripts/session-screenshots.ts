/** The page of a session in each of its states, for pictures. */
import { mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { tour } from '../src/library/tour.ts'
import { sessionStates } from '../test/web/session-states.ts'
import { openStage, type Stage } from '../test/web/stage.ts'
import { sheetOf } from './contact-sheet.ts'
import { fileOfLook, isChosen, looks, type Shooting, type State, shoot } from './shooting.ts'

const click =
  (...names: readonly (string | RegExp)[]) =>
  async (page: Page) => {
    for (const name of names) {
      const button = page.getByRole('button', { name, exact: typeof name === 'string' })
      await button.or(page.getByRole('menuitem', { name })).first().click()
    }
  }

const asked = async (stage: Stage): Promise<string> => {
  const id = await stage.ask(tour().input)
  const page = await stage.open(`/s/${id}`)
  // A page that is opened earlier is laid out for watching: as tall as the window, which a picture makes as tall as the page.
  await page.getByText('The session is over').first().waitFor({ timeout: 60_000 })
  await page.context().close()
  return id
}

/** What a person can open on the page of a finished session. */
const opened = (path: string): readonly State[] => [
  { name: 'session-tour', path },
  { name: 'session-tour-first', path, firstSight: true },
  { name: 'session-share', path, firstSight: true, act: click('Share') },
  { name: 'session-export', path, firstSight: true, act: click('Export') },
  { name: 'session-more', path, firstSight: true, act: click('More') },
  { name: 'session-resolve', path, firstSight: true, act: click('More', /^Resolve/) },
  { name: 'session-delete', path, firstSight: true, act: click('More', 'Delete') },
  { name: 'session-round', path, firstSight: true, act: click('Add a round') },
  { name: 'session-expanded', path, act: click('Expand all') },
]

const imported = async (stage: Stage, files: readonly string[]): Promise<State[]> => {
  const states: State[] = []
  for (const [name, text] of Object.entries(sessionStates())) {
    const path = `/s/${await stage.importText(text)}`
    states.push({ name: `session-state-${name}`, path })
  }
  for (const file of files) {
    const path = `/s/${await stage.importText(readFileSync(file, 'utf8'))}`
    const name = basename(file, '.json').replace(/^session-/, '')
    states.push({ name: `session-file-${name}-first`, path, firstSight: true })
    states.push({ name: `session-file-${name}`, path })
  }
  return states
}

/** What is seen of a session under way: seats that write, the verdict so far, and the report while it is written. */
const moments: Readonly<Record<string, (page: Page) => Locator>> = {
  'session-running': page => page.getByText('writing').nth(2),
  'session-running-verdict': page => page.getByText('Provisional verdict, after').first(),
  'session-running-report': page => page.getByRole('region', { name: 'The report, as it is written' }),
}

/** A session for each picture's look: a moment is over before eight pages have been taken. */
const shootMoments = async (stage: Stage, { folder }: Shooting): Promise<void> => {
  for (const look of looks) {
    const page = await stage.open(`/s/${await stage.ask(tour().input)}`, look)
    for (const [name, moment] of Object.entries(moments)) {
      await moment(page).waitFor({ timeout: 60_000 })
      await page.waitForTimeout(500)
      await page.screenshot({ path: fileOfLook(folder, name, look) })
    }
    await page.context().close()
  }
  for (const name of Object.keys(moments)) {
    const pictures = looks.map(look => fileOfLook(folder, name, look))
    await sheetOf(stage.browser, pictures, join(folder, `sheet-${name}.png`))
  }
}

const shareOf = async (stage: Stage, id: string): Promise<string> => {
  const reply = await fetch(`${stage.address}/api/sessions/${id}/share`, { method: 'POST' })
  return ((await reply.json()) as { path: string }).path
}

export const shootSessions = async (shooting: Shooting): Promise<void> => {
  mkdirSync(shooting.folder, { recursive: true })
  const stage = await openStage()
  await shoot(stage, await imported(stage, shooting.files), shooting)
  if ([...opened(''), { name: 'session-shared' }].some(isChosen(shooting))) {
    const id = await asked(stage)
    const shared = { name: 'session-shared', path: await shareOf(stage, id) }
    await shoot(stage, [...opened(`/s/${id}`), shared], shooting)
  }
  if (Object.keys(moments).some(name => isChosen(shooting)({ name }))) await shootMoments(stage, shooting)
  await stage.stop()
}
