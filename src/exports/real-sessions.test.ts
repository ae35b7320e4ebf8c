import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { context } from '../../test/contracts/exports-contract.ts'
import { importText } from './index.ts'
import { documentOf, type SessionDocument } from './json.ts'

const folder = join(import.meta.dirname, '../../../shared/data/real-sessions')
const files = existsSync(folder) ? readdirSync(folder).filter(file => /^session-\d+\.json$/.test(file)) : []

const campsOf = ({ rounds }: SessionDocument) => rounds.map(({ camps, contested }) => ({ camps, contested }))
const movesOf = ({ rounds }: SessionDocument) => rounds.map(({ answers }) => answers.map(({ move }) => move))

/** In the line, medians are rounded and labels quoted now; all else is as it was. */
const verdictOf = ({ verdict: { line, ...verdict } }: SessionDocument) => ({
  ...verdict,
  line: line.replace(/; median .*/, '').replaceAll(/[“”]/g, ''),
})

describe.skipIf(files.length === 0)(
  'sessions of earlier versions (skipped where ../shared/data/real-sessions is absent)',
  () => {
    it.each(files)('[C24] %s has the camps, moves and verdict that it had', file => {
      const text = readFileSync(join(folder, file), 'utf8')
      const before = JSON.parse(text) as SessionDocument
      const now = JSON.parse(JSON.stringify(documentOf(importText(text, context)))) as SessionDocument
      expect(campsOf(now)).toEqual(campsOf(before))
      expect(movesOf(now)).toEqual(movesOf(before))
      expect(verdictOf(now)).toEqual(verdictOf(before))
      expect(now.influence).toEqual({ ...before.influence, granted: [] })
    })
  },
)
