/** Where the built pages are, and their fonts for pages that the server writes itself. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Beside this module in the build, in `dist` when the source runs directly. */
export const builtPages = (): string => {
  const here = fileURLToPath(new URL('../web', import.meta.url))
  return existsSync(join(here, 'assets')) ? here : fileURLToPath(new URL('../../dist/web', import.meta.url))
}

const families = { Inter: 'inter-latin-wght-normal', 'Source Serif 4': 'source-serif-4-latin-wght-normal' }

/** The fonts of the pages as CSS; nothing if the pages aren't built. */
export const pageFonts = (folder = builtPages()): string => {
  const assets = join(folder, 'assets')
  const files = existsSync(assets) ? readdirSync(assets) : []
  return Object.entries(families)
    .map(([family, name]) => {
      const file = files.find(one => one.startsWith(`${name}-`) && one.endsWith('.woff2'))
      return file
        ? `@font-face { font-family: '${family}'; font-weight: 200 900; font-display: swap; src: url(/assets/${file}) format('woff2') }\n`
        : ''
    })
    .join('')
}
