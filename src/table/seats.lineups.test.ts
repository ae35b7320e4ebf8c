import { describe, expect, test } from 'vitest'
import { floor } from '../builtin/provider.ts'
import { UsageError } from '../core/basics.ts'
import { type Catalogue, catalogue } from '../models/catalogue.ts'
import { makers } from '../models/makers.ts'
import { type ReachOptions, reachOf } from './reach.ts'
import { everyLineup, lineupNamed, moderatorBeside, usualSeats, usualTable } from './seats.ts'

const known = catalogue()

/** A reach with the keys of these makers. */
const only = (ids: readonly string[], more: ReachOptions = {}) => {
  const env = ids.flatMap(id => {
    const { keys, baseURLVariable } = makers.find(maker => maker.id === id)!
    return [[keys[0] ?? baseURLVariable, keys[0] ? 'key' : 'http://127.0.0.1:9']]
  })
  return reachOf({ env: Object.fromEntries(env), ...more })
}
const ollama = { id: 'ollama', baseURL: 'http://127.0.0.1:9/v1', models: { big: {}, small: {} } } as const
const makerOf = (id: string): string => known.find(id)!.model.maker

describe('line-ups', () => {
  test('[R25] seat what is connected, and tell what would fill the other seats', () => {
    const { seats, notes } = lineupNamed('frontier', only(['anthropic', 'xai']))
    expect(seats.map(makerOf)).toEqual(['anthropic', 'xai'])
    expect(notes).toHaveLength(1)
    expect(notes[0]).toMatch(/^7 seats are empty\. \w+_API_KEY.* alone would fill them\.$/)
  })

  test('[R25] one with nobody to seat says what it needs', () => {
    expect(() => lineupNamed('fast', only([]))).toThrow(UsageError)
    expect(() => lineupNamed('fast', only([]))).toThrow(/nobody to seat\. \d seats are empty\. \w+_API_KEY/)
  })

  test('[T7] one that is not there is told with those that are', () => {
    const reach = only([], { usual: { lineups: { duo: ['lab/a'] } } })
    for (const name of ['trio', 'constructor'])
      expect(() => lineupNamed(name, reach)).toThrow(
        `There is no line-up "${name}"; there are duo, frontier, open-weights, fast, local, subscriptions, house.`,
      )
  })

  test('[A3] the local line-up seats a server that was found', () => {
    expect(lineupNamed('local', only([], { found: [ollama] })).seats).toEqual(['ollama/big', 'ollama/small'])
  })

  test('[A5] a line-up says all that it brings, and the built-in model brings its moderator and rounds', () => {
    const reach = only(['anthropic'], { usual: { lineups: { duo: ['lab/a'] } } })
    const all = everyLineup({ duo: ['lab/b'] }, reach, { ready: floor })
    expect(all.map(({ name, origin }) => [name, origin])).toEqual([
      ['duo', 'saved'],
      ...['frontier', 'open-weights', 'fast', 'local', 'subscriptions', 'house'].map(name => [
        name,
        'built-in',
      ]),
    ])
    expect(all.at(-1)).toMatchObject({ moderator: `house/${floor.id}`, rounds: 1 })
    for (const lineup of all.slice(0, -1)) expect(Object.keys(lineup)).not.toContain('moderator')
    expect(everyLineup({}, reach, { absent: 'Tiny' }).at(-1)).toMatchObject({ seats: [], name: 'house' })
  })
})

describe('the usual table', () => {
  test('[R25] is one strong model of each maker that can be reached, up to six', () => {
    const seats = usualSeats(only(['openrouter']))!
    expect(seats).toHaveLength(6)
    expect(new Set(seats.map(makerOf)).size).toBe(6)
    expect(usualSeats(only(['deepseek', 'google']))!.map(makerOf)).toEqual(['google', 'deepseek'])
    expect(usualSeats(only([]))).toBeUndefined()
  })

  test('[R25] is what is served on this machine if no maker is connected', () => {
    const model = { ...known.models[0]!, id: 'ollama/own', provider: 'ollama', model: 'own', local: true }
    const own = (): Catalogue => known.with([model])
    expect(usualSeats(only(['ollama'], { catalogue: own }))).toEqual(['ollama/own'])
  })

  test('[D20] is a server that was found, also beside an endpoint, and the built-in model at last', () => {
    const endpoints = [{ id: 'lab', baseURL: 'http://127.0.0.1:9/v1' }]
    expect(usualSeats(only([], { found: [ollama] }))).toEqual(['ollama/big', 'ollama/small'])
    expect(usualSeats(only([], { found: [ollama], endpoints }))).toEqual(['ollama/big', 'ollama/small'])
    expect(usualSeats(only([], { endpoints }))).toBeUndefined()
    expect(usualSeats(only(['anthropic'], { found: [ollama] }))!.map(makerOf)).toEqual(['anthropic'])
    expect(usualTable(only([]), { ready: floor }).seats).toHaveLength(3)
    expect(usualTable(only([]), { absent: 'Tiny' })).toEqual({ seats: [] })
    expect(usualTable(only([], { endpoints }), { ready: floor })).toEqual({ seats: [] })
  })

  test('[D20] a configured server keeps its name from one that was found', () => {
    const { found, providers } = only(['ollama'], { found: [ollama] })
    expect([found, providers.filter(({ id }) => id === 'ollama').length]).toEqual([[], 1])
  })
})

describe('the moderator', () => {
  const reach = only(['openrouter'])

  test('[R26] is strong, and of a maker that is not on the panel if there is one', () => {
    const panel = usualSeats(reach)!
    expect(panel.map(makerOf)).not.toContain(makerOf(moderatorBeside(panel, reach)!))
  })

  test('[R26] is never on the panel, whatever way the panel reaches the model', () => {
    const anthropic = only(['anthropic'])
    const strongest = usualSeats(anthropic)![0]!
    expect(moderatorBeside(['anthropic/claude-haiku-4-5'], anthropic)).toBe(strongest)
    expect(moderatorBeside([strongest], anthropic)).toBeUndefined()
    const elsewhere = known.routes(known.find(strongest)!.model).find(route => route.kind === 'openrouter')!
    expect(moderatorBeside([elsewhere.model.id], anthropic)).toBeUndefined()
  })

  test('[R26] is nobody if nobody can be reached', () => {
    expect(moderatorBeside(['lab/m0'], only([]))).toBeUndefined()
  })
})
