import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageFonts, plainPagePolicy } from './guards.ts'

test('[H241] pages that the server writes have the fonts of the built pages, and load no others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-fonts-'))
  expect(pageFonts(folder)).toBe('')
  mkdirSync(join(folder, 'assets'))
  for (const name of ['inter-latin-ext-wght-normal-A1.woff2', 'inter-latin-wght-normal-B2.woff2', 'index.js'])
    writeFileSync(join(folder, 'assets', name), '')
  expect(pageFonts(folder)).toMatch(
    /^@font-face \{ font-family: 'Inter';.* url\(\/assets\/inter-latin-wght-normal-B2\.woff2\)[^\n]*\n$/,
  )
  expect(plainPagePolicy('hash')).toContain("font-src 'self'")
  rmSync(folder, { recursive: true })
})
