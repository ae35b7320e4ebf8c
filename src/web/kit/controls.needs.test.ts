import { expect, test } from 'vitest'
import type { ModelReply } from '../../api/table.ts'
import { needOf } from './fields.tsx'

const model = (missing: readonly string[], house = false): ModelReply => ({
  ...{
    id: 'one',
    name: 'One',
    maker: 'lab',
    makerLabel: 'Lab',
    context: null,
    price: null,
    configured: false,
  },
  ...{ missing, local: false, house, openWeights: false },
})
const names = new Map([
  ['ANTHROPIC_API_KEY', 'Anthropic'],
  ['GEMINI_API_KEY', 'Google'],
  ['GOOGLE_API_KEY', 'Google'],
  ['OPENROUTER_API_KEY', 'OpenRouter'],
])

test('[U180] what a model needs is said with the names of the settings page, not with variables', () => {
  expect(needOf(model(['ANTHROPIC_API_KEY']), names)).toBe('needs a key for Anthropic')
  expect(needOf(model(['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'OPENROUTER_API_KEY']), names)).toBe(
    'needs a key for Google or OpenRouter',
  )
  expect(needOf(model(['a download (323 MB)'], true), names)).toBe('needs a download (323 MB)')
  expect(needOf(model([]), names)).toBe('no provider serves it')
})
