/** Keeping and finding sessions again, in a real browser. */
import { AxeBuilder } from '@axe-core/playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleLog } from '../sample-session.ts'
import { fileOf, hostileLog } from './hostile.ts'
import { openStage, type Stage } from './stage.ts'

const patience = 60_000
let stage: Stage

beforeAll(async () => {
  stage = await openStage()
  await stage.importText(fileOf(sampleLog))
  await stage.importText(fileOf(hostileLog()))
}, 120_000)
afterAll(() => stage?.stop(), 30_000)

describe('the archive', () => {
  test('[U214] a card leads with the answer, and has agreement, time and cost', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/sessions')
    const card = page.getByRole('article', { name: 'Is a hot dog a sandwich?' })
    await card.getByText('A hot dog is not a sandwich').waitFor()
    const words = await card.innerText()
    expect(words).toContain('3 for No')
    expect(words).toMatch(/6 models · hybrid · [\d.]+ (s|min) · /)
    await page.context().close()
  })

  test('[U213] a search shows the passage that it found, and who said it', {
    timeout: patience,
  }, async () => {
    const page = await stage.open('/sessions?words=bun')
    const card = page.getByRole('article', { name: 'Is a hot dog a sandwich?' })
    await expect.poll(() => card.locator('mark').allInnerTexts()).toContain('bun')
    await page.context().close()
  })

  test('[U215] on a phone the filters are folded until they are wanted', { timeout: patience }, async () => {
    const phone = { viewport: { width: 390, height: 844 } }
    const page = await stage.open('/sessions', phone)
    await page.getByRole('article').first().waitFor()
    expect(await page.getByLabel('Protocol').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Protocol').selectOption('poll')
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
    const wide = await stage.open('/sessions')
    await wide.getByLabel('Protocol').waitFor()
    const followed = await stage.open('/sessions?protocol=poll', phone)
    await followed.getByLabel('Protocol').waitFor()
    for (const one of [page, wide, followed]) await one.context().close()
  })

  test('[U66] axe finds nothing at all in the archive with a search', { timeout: patience }, async () => {
    const page = await stage.open('/sessions?words=bun', { viewport: { width: 390, height: 844 } })
    await page.getByRole('article').first().waitFor()
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(node => node.html.slice(0, 120))])).toEqual([])
    await page.context().close()
  })
})
