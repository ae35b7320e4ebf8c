/** Many pictures on one, so that they can be looked at together. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Browser } from 'playwright-core'

const width = 2_400

const pictureOf = (file: string): string =>
  `<figure><img src="data:image/png;base64,${readFileSync(file).toString('base64')}">` +
  `<figcaption>${basename(file, '.png')}</figcaption></figure>`

export const sheetOf = async (browser: Browser, pictures: readonly string[], file: string): Promise<void> => {
  const page = await browser.newPage({ viewport: { width, height: 800 } })
  await page.setContent(
    `<style>body { margin: 8px; display: flex; flex-wrap: wrap; gap: 8px; background: #888; font: 14px sans-serif }
     figure { margin: 0 } img { zoom: 0.5; display: block; max-height: 2800px }</style>${pictures.map(pictureOf).join('')}`,
  )
  await page.screenshot({ path: file, fullPage: true })
  await page.close()
}
