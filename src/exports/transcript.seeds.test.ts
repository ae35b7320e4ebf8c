import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { context } from '../../test/contracts/exports-contract.ts'
import { importText } from './index.ts'
import { documentOf } from './json.ts'
import { transcript } from './transcript.ts'

const folder = join(import.meta.dirname, '../../../shared/seeds')
const sessions = [
  { file: '000_c15eb24855e2caa3.txt', compact: false, changed: ['GLM 4.7', 'Grok 4.20 Reasoning'] },
  { file: '001_303d850c6ae6ff68.txt', compact: true, changed: ['DeepSeek V4 Pro'] },
]

describe.skipIf(!existsSync(folder)).each(sessions)(
  'the reference session $file (skipped where ../shared/seeds is absent)',
  ({ file, compact, changed }) => {
    const text = existsSync(folder) ? readFileSync(join(folder, file), 'utf8') : ''

    it('[X1] is imported and exported back to the same text', () => {
      const again = transcript().write(importText(text, context), { compact })
      expect(again).toBe(text.replace('Loading session...\n\n', ''))
    })

    it('[X2] shows six seats, their moves and the summary', () => {
      const document = documentOf(importText(text, context))
      expect(document.seats).toHaveLength(6)
      expect(document.verdict).toMatchObject({ level: 'unanimous', line: 'All 6 models agreed' })
      const moved = document.rounds[0]?.answers.filter(answer => answer.move === 'switched')
      expect(moved?.map(({ seat }) => document.seats.find(({ id }) => id === seat)?.name)).toEqual(changed)
      expect(document.report?.summary).toMatch(/^The AI Roundtable /)
    })
  },
)
