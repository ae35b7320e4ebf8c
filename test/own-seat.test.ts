/** The person at the terminal holds a seat, and says a word to a session that runs. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fold } from '../src/core/fold.ts'
import { durationFrom } from '../src/terminal/terminal.ts'
import { terminals } from './command-line.ts'
import { cleanEnvironment } from './environment/clean.ts'
import { keepArchive } from './keep-archive.ts'
import { startLab } from './lab/server.ts'
import { hasTerminal, inTerminal } from './real-terminal.ts'

const peerWords = 'A small release shows what people need'
const answers = {
  ...{ reading: null, points: [], confidence: 0.8, decision: 'kept', reason: null, because: [] },
  ...{ reasoning: `${peerWords}.`, headline: 'Yes, start.', choice: 'Yes' },
}
const lab = async (gate: Promise<void> = Promise.resolve()) => {
  const handler = async () => {
    await gate
    return answers
  }
  const started = await startLab({ handler })
  onTestFinished(() => started.stop())
  return started
}
const down = '\x1b[B'
const up = '\x1b[A'

test.skipIf(!hasTerminal)(
  '[T200] [EV101] the person is asked in the terminal: sealed first, then to keep or change, and sees nothing before; they cite and keep what they cited',
  { timeout: 240_000 },
  async () => {
    const { baseURL } = await lab()
    const { folder, run } = terminals()
    writeFileSync(join(folder, 'plan.txt'), 'The plan says March.')
    const words = `ask 'Start early?' --attach plan.txt --options Yes,No --seats lab/a,lab/b,me --moderator none --protocol roundtable --rounds 1`
    const typed = [
      [/Your choice/, `${down}\r`],
      [/Your answer in one sentence/, 'No, wait.\r'],
      [/Your reasons/, 'Mine.\r'],
      // Too few words: the same question stays, and is answered again.
      [/Exact words of an exhibit/, 'March\r\b\b\b\b\bthe plan says march\r'],
      [/At which place/, '\r'],
      [/More exact words/, 'The plan says May.\r'],
      [/More exact words[\s\S]*At which place/, 'line 9\r'],
      [/More exact words[\s\S]*More exact words/, '\r'],
      [/How sure/, '\r'],
      [/Your last answer/, `${down}\r`],
      [/Words of another seat/, `${peerWords}\r`],
      [/Whose words/, 'A\r'],
      [/What do you say to them/, '\r'],
      [/They …/, '\r'],
      [/They …[\s\S]*Your choice/, `${up}\r`],
      [/They …[\s\S]*Your answer in one sentence/, '\r'],
      [/They …[\s\S]*Your reasons/, '\r'],
      [/Your last citations/, '\r'],
      [/Your last citations[\s\S]*More exact words/, '\r'],
      [/They …[\s\S]*How sure/, '\r'],
    ] as const
    const env = {
      ...cleanEnvironment(folder),
      ROUNDTABLE_ENDPOINTS: `lab=${baseURL}`,
      ROUNDTABLE_DATA: join(folder, 'data'),
    }
    const { code, shown } = await inTerminal(words, typed, { cwd: folder, env })
    expect(code).toBe(0)
    expect(shown.indexOf(peerWords)).toBeGreaterThan(shown.indexOf('How sure'))
    expect(shown).toContain('All 3 seats agreed; people 1 of 1, models 2 of 2')
    expect(shown).toContain('changed its mind')
    expect(shown).toContain('The plan says March.')
    const { out } = await run('export', 'last', '--format', 'json')
    expect(out).toContain(Buffer.from('The plan says March.').toString('base64'))
    const { citations, verdict } = JSON.parse(out) as { citations: object[]; verdict: { flags: string[] } }
    expect(citations).toEqual([{ seat: 's3', cited: 4, standing: 2 }])
    expect(verdict.flags).toContain('unsupported sources')
  },
)

test('[T201] say adds a word to a session that runs, for all seats or for one', {
  timeout: 120_000,
}, async () => {
  const gate = Promise.withResolvers<void>()
  const { baseURL } = await lab(gate.promise)
  const { start, run, folder } = terminals({ ROUNDTABLE_ENDPOINTS: `lab=${baseURL}` })
  const archive = await keepArchive(join(folder, 'data'))
  const asked = start([
    ...['ask', 'Start early?', '--options', 'Yes,No', '--seats', 'lab/a,lab/b', '--moderator', 'none'],
    ...['--protocol', 'roundtable', '--rounds', '1'],
  ])
  await asked.wrote(/Sealed|sealed/)
  expect((await run('say', 'last', 'The budget is 4,711 euros.')).out).toContain('said')
  expect((await run('say', 'last', 'Only for you.', '--to', 'B')).code).toBe(0)
  expect((await run('say', 'last', 'x', '--to', 'Z')).err).toContain('There is no seat "Z"')
  gate.resolve()
  const { code, out } = await asked.done
  expect(code).toBe(0)
  expect(out).toContain('The asker says: The budget is 4,711 euros.')
  const id = (await archive.list())[0]!.id
  const session = fold(await archive.read(id))
  // Both agree, and still read what was said.
  expect(session.roundsSoFar).toHaveLength(2)
  expect((await run('say', 'last', 'Too late.')).err).toContain('The session is over')
})

test('[T202] times are written as people write them, and other people need a server', {
  timeout: 60_000,
}, async () => {
  const seconds = durationFrom('--person-deadline', 2_000_000)
  expect(['90', '90s', '30m', '24h', '3 d'].map(seconds)).toEqual([90, 90, 1_800, 86_400, 259_200])
  for (const wrong of ['', 'soon', '0h', '-1h', '99d']) expect(() => seconds(wrong)).toThrow('30m, 24h or 3d')
  const { run } = terminals({ ROUNDTABLE_ENDPOINTS: 'lab=http://127.0.0.1:9' })
  const refused = await run('ask', 'Start?', '--seats', 'lab/a,person:Ada', '--moderator', 'none')
  expect(refused).toMatchObject({ code: 2 })
  expect(refused.err).toContain('Ada would answer through a link, and no server is running')
  const piped = await run('ask', 'Start?', '--seats', 'lab/a,me', '--moderator', 'none')
  expect(piped.err).toContain('needs a terminal')
})
