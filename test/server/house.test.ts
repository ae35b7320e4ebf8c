/** Downloads the built-in model through a real server, from a hub on loopback. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { houseSchema, lineupsSchema } from '../../src/api/table.ts'
import type { HubFaults } from '../house/hub-server.ts'
import { openSmallHouse } from '../house/small-house.ts'
import { startSetup } from './setup.ts'

const patience = { timeout: 20_000 }

const withSmallHouse = async (faults: HubFaults) => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-house-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const house = await openSmallHouse(folder, faults)
  onTestFinished(() => house.stop())
  const setup = await startSetup({
    runs: false,
    house: house.fetching,
    providers: [house.provider],
    config: { endpoints: [] },
  })
  return { house, setup }
}

test('[H60] with consent it is downloaded, with its progress in bytes, and takes the seats', async () => {
  const seen = Promise.withResolvers<void>()
  const { house, setup } = await withSmallHouse({ pace: { bytes: 100_000, next: () => seen.promise } })
  const state = async () => houseSchema.parse(await (await setup.call('/api/house')).json())
  const seats = async () => {
    const { lineups } = lineupsSchema.parse(await (await setup.call('/api/lineups')).json())
    return lineups.find(({ name }) => name === 'house')?.seats
  }
  expect(await seats()).toEqual([])
  const begun = await setup.call('/api/house/fetch', { json: { consent: true } })
  expect([begun.status, houseSchema.parse(await begun.json())]).toMatchObject([202, { state: 'fetching' }])
  await vi.waitFor(async () => expect((await state()).fetched).toBeGreaterThan(0), patience)
  seen.resolve()
  await vi.waitFor(
    async () => expect(await state()).toMatchObject({ state: 'whole', problem: null }),
    patience,
  )
  expect(await seats()).toHaveLength(3)
  expect(house.hub.asked).toHaveLength(2)
})

test('[H61] a download that fails says why and what to do, and continues where it stopped', async () => {
  const faults: { pace?: HubFaults['pace'] } = {}
  const { house, setup } = await withSmallHouse(faults)
  faults.pace = { bytes: 200_000, next: house.breakOff }
  const state = async () => houseSchema.parse(await (await setup.call('/api/house')).json())
  const fetched = async () => {
    await setup.call('/api/house/fetch', { json: { consent: true } })
    return vi.waitFor(async () => {
      const now = await state()
      expect(now.state).not.toBe('fetching')
      return now
    }, patience)
  }
  expect(await fetched()).toMatchObject({
    state: 'absent',
    problem: expect.stringMatching(
      /couldn't be downloaded: .*127.0.0.1.* The part that has arrived is kept: try again/,
    ),
  })
  delete faults.pace
  expect(await fetched()).toMatchObject({ state: 'whole', problem: null })
  expect(house.hub.asked.at(-1)).toMatch(/ bytes=[1-9]\d*-$/)
  const none = await setup.call('/api/house/fetch', { json: { consent: true, model: 'house/none' } })
  expect([none.status, await none.text()]).toEqual([
    422,
    expect.stringContaining('Choose one of those that are offered'),
  ])
})
