import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from './config.ts'

const changes = 40

/** A process that saves one endpoint after the other as soon as it is told to begin. */
const saver = async (data: string, name: string) => {
  const program = `
    import { once } from 'node:events'
    import { settingsEditor } from ${JSON.stringify(join(import.meta.dirname, 'config.ts'))}
    const editor = settingsEditor(process.argv[1])
    process.stdout.write('ready')
    await once(process.stdin, 'data')
    process.stdin.destroy()
    for (let index = 0; index < ${changes}; index++)
      await editor.saveEndpoint(process.argv[2] + index, 'http://127.0.0.1:9/v1', undefined)
  `
  const words = ['--input-type=module', '--eval', program, data, name]
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
  return {
    begin: async (): Promise<unknown> => {
      child.stdin.write('begin')
      return once(child, 'exit')
    },
  }
}

test('[T175] processes that save settings at the same time lose no change of each other', async () => {
  const data = mkdtempSync(join(tmpdir(), 'roundtable-settings-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  const savers = await Promise.all(['one', 'other'].map(name => saver(data, name)))
  await Promise.all(savers.map(({ begin }) => begin()))
  expect(readSettings(data).endpoints).toHaveLength(2 * changes)
})
