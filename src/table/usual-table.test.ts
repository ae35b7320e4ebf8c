import { describe, expect, test } from 'vitest'
import { UsageError } from '../core/errors.ts'
import { catalogue } from '../providers/catalogue/index.ts'
import { lineupNamed, moderatorFor, usualTable } from './usual-table.ts'

const known = catalogue()
const only =
  (...ids: string[]) =>
  (provider: string): boolean =>
    ids.includes(provider)

const needs = (provider: string): string => provider.toUpperCase()

const makerOf = (id: string): string => known.find(id)!.model.maker

describe('line-ups', () => {
  test('[R25] seat what is connected, and tell what would fill the other seats', () => {
    const { seats, notes } = lineupNamed('frontier', known, only('anthropic', 'xai'), needs)
    expect(seats.map(makerOf)).toEqual(['anthropic', 'xai'])
    expect(notes.join('\n')).toMatch(/An empty seat: .+ of OpenAI needs OPENAI, OPENROUTER or VERCEL/)
  })

  test('[R25] one with nobody to seat says what it needs; one that is not there, which there are', () => {
    expect(() => lineupNamed('fast', known, only(), needs)).toThrow(UsageError)
    expect(() => lineupNamed('fast', known, only(), needs)).toThrow(
      /nobody to seat\. .+ of OpenAI needs OPENAI/,
    )
    expect(() => lineupNamed('slow', known, only('openai'), needs)).toThrow(
      'There is no line-up "slow"; there are frontier, open-weights, fast, local.',
    )
  })
})

describe('the usual table', () => {
  test('[R25] is one strong model of each maker that can be reached, up to six', () => {
    const { seats } = usualTable(known, only('openrouter'))!
    expect(seats).toHaveLength(6)
    expect(new Set(seats.map(makerOf)).size).toBe(6)
    expect(usualTable(known, only('deepseek', 'google'))!.seats.map(makerOf)).toEqual(['google', 'deepseek'])
    expect(usualTable(known, only())).toBeUndefined()
  })

  test('[R25] is what is served on this machine where no maker is connected', () => {
    const model = { ...known.models[0]!, id: 'ollama/own', provider: 'ollama', model: 'own', local: true }
    expect(usualTable(known.with([model]), only('ollama'))!.seats).toEqual(['ollama/own'])
  })
})

describe('the moderator', () => {
  test('[R26] is strong, and of a maker that is not on the panel where there is one', () => {
    const panel = usualTable(known, only('openrouter'))!.seats
    const moderator = moderatorFor(panel, known, only('openrouter'))!
    expect(panel.map(makerOf)).not.toContain(makerOf(moderator))
  })

  test('[R26] is never on the panel, whatever way the panel reaches the model', () => {
    const strongest = usualTable(known, only('anthropic'))!.seats[0]!
    expect(moderatorFor(['anthropic/claude-haiku-4-5'], known, only('anthropic'))).toBe(strongest)
    expect(moderatorFor([strongest], known, only('anthropic'))).toBeUndefined()
    const elsewhere = known.routes(known.find(strongest)!.model).find(route => route.way === 'openrouter')!
    expect(moderatorFor([elsewhere.model.id], known, only('anthropic'))).toBeUndefined()
  })

  test('[R26] is nobody where nobody can be reached', () => {
    expect(moderatorFor(['lab/m0'], known, only())).toBeUndefined()
  })
})
