import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { finished, lastBeforeKill } from '../../test/contracts/store-contract.ts'
import { embeddedArchive } from './embedded.ts'

const source = JSON.stringify(new URL('embedded.ts', import.meta.url).href)

test('[S8] what was acknowledged survives kill -9 at any moment, without a gap, and the log can be continued', async () => {
  const home = await mkdtemp(join(tmpdir(), 'roundtable-killed-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const module = `import { embeddedArchive } from ${source}
    const archive = await embeddedArchive(${JSON.stringify(home)})
    await archive.remove('killed')
    export default archive`
  for (const killAt of [0, 1 + Math.floor(Math.random() * 20), 60]) {
    const last = await lastBeforeKill(module, killAt)
    // The system may list a killed process for a moment longer.
    const archive = await embeddedArchive(home, { patience: 5_000 })
    const events = await archive.read('killed')
    expect(last).toBeGreaterThanOrEqual(killAt)
    expect(events.length).toBeGreaterThan(last)
    expect(events.map(event => event.position)).toEqual(events.map((_, index) => index))
    await archive.append('killed', [finished(events.length)])
    expect((await archive.list())[0]).toMatchObject({ id: 'killed', outcome: 'interrupted' })
    await archive.close()
  }
}, 120_000)
