/** The same request gives the same table, whichever way it comes in. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRoundtable } from '../../src/library/index.ts'
import { terminals } from '../command-line.ts'
import { type Lab, startLab } from '../lab/server.ts'
import { transcript } from '../sample-transcript.ts'
import { faces, type Reply } from './face.ts'
import { startOllama } from './ollama-stand-in.ts'

const question = 'Should a small team start early?'
const yesOrNo = { question, options: ['Yes', 'No'] }

let lab: Lab
beforeAll(async () => {
  lab = await startLab()
})
afterAll(() => lab.stop())

const endpoints = () => ({ ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}` })
const nobody = 'lmstudio=9,llamacpp=9'

/** Fails with the words of a refusal. */
const opened = (reply: Reply) => ('opened' in reply ? reply.opened : expect.fail(reply.refused))
const modelsOf = (reply: Reply): string[] => opened(reply).seats.map(({ model }) => model)

describe.each(Object.entries(faces))('%s', { timeout: 120_000 }, (_, face) => {
  // One face for all of it: most of the time goes into starting one.
  test('[A1] [A2] [A7] rounds, line-ups and formats are settled alike', async () => {
    const config = { rounds: 2, seats: ['lab/a', 'lab/b'] }
    const { ask, saveLineup } = await face({ config, env: endpoints() })

    // Configured rounds that a protocol doesn't take are left out.
    expect(opened(await ask({ ...yesOrNo, protocol: 'poll', moderator: null }))).toMatchObject({
      protocol: 'poll',
      rounds: 0,
    })
    expect(opened(await ask({ ...yesOrNo, protocol: 'roundtable', moderator: null }))).toMatchObject({
      protocol: 'roundtable',
      rounds: 2,
    })

    // A line-up that was saved on a page is known.
    await saveLineup('duo', ['lab/a', { model: 'lab/b', brief: 'Doubt.' }])
    const reply = await ask({ ...yesOrNo, lineup: 'duo', protocol: 'poll', moderator: null })
    expect(modelsOf(reply)).toEqual(['lab/a', 'lab/b'])
    expect(opened(reply).seats[1]).toMatchObject({ brief: 'Doubt.' })

    // Options make a choice, a unit or a tolerance makes a number, and a length makes a text.
    const quick = { protocol: 'poll', moderator: null }
    expect(opened(await ask({ ...yesOrNo, ...quick })).question.format).toBe('choice')
    expect(opened(await ask({ question: 'How far?', unit: 'km', ...quick })).question.format).toBe('number')
    expect(opened(await ask({ question: 'How far?', tolerance: '10%', ...quick })).question).toMatchObject({
      format: 'number',
      tolerance: '10%',
    })
    const letter = { question: 'Write a letter.', length: 120, camps: 'intent' as const }
    expect(opened(await ask({ ...letter, ...quick })).question).toMatchObject({
      format: 'text',
      length: 120,
      camps: 'intent',
    })
  })

  test('[A3] without a key, a server found on this machine takes the seats, also beside an endpoint', async () => {
    const port = await startOllama(lab.baseURL, ['m1', 'm2'])
    const { ask } = await face({ env: { ...endpoints(), ROUNDTABLE_LOCAL: `ollama=${port},${nobody}` } })
    const reply = await ask({ ...yesOrNo, protocol: 'poll', moderator: null })
    expect(modelsOf(reply)).toEqual(['ollama/m1', 'ollama/m2'])
  })

  test('[A6] a fork keeps briefs, temperatures and rounds, and what is said anew takes their place', async () => {
    const seats = [
      { model: 'lab/a', brief: 'Doubt.', temperature: 0.3 },
      { model: 'lab/b', name: 'Bea' },
    ]
    const config = { seats, rounds: 1, protocol: 'roundtable' }
    const { ask, fork } = await face({ config, env: endpoints() })
    const first = await ask({ ...yesOrNo, moderator: null })
    const { id } = 'id' in first ? first : expect.fail(first.refused)
    const same = opened(await fork(id, { names: 'shown' }))
    expect(same).toMatchObject({ names: 'shown', rounds: 1, seats })
    const another = opened(await fork(id, { seats: ['lab/a', 'lab/c'] }))
    expect(another.seats[0]).toMatchObject(seats[0]!)
    expect(another.seats[1]).toMatchObject({ model: 'lab/c', name: 'c' })
    expect(another.rounds).toBe(1)
    expect(opened(await fork(id, { protocol: 'poll' })).rounds).toBe(0)
  })
})

test('[A7] the library takes options without a format for a choice, too', async () => {
  const { ask } = createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL }], env: {} })
  const seats = ['lab/a', 'lab/b']
  expect((await ask({ ...yesOrNo, seats, protocol: 'poll' }).result).format).toBe('choice')
  expect((await ask({ question: 'How far?', unit: 'km', seats, protocol: 'poll' }).result).format).toBe(
    'number',
  )
})

test('[A4] check finds whoever ask finds', { timeout: 120_000 }, async () => {
  const port = await startOllama(lab.baseURL, ['m1'])
  const { run, folder } = terminals({ ROUNDTABLE_LOCAL: `ollama=${port},${nobody}` })
  writeFileSync(join(folder, 'debate.txt'), transcript)
  expect((await run('import', 'debate.txt')).err).toBe('')
  const { code, err } = await run('check', 'last', '--moderator', 'ollama/m1')
  expect([code, err]).toEqual([0, ''])
})
