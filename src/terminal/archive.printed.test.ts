import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { table } from '../../test/contracts/core-testing.ts'
import { exporterNamed } from '../exports/index.ts'
import type { Listed } from '../store/store.ts'
import { defineExport, writeSessions } from './archive.ts'
import type { Shell } from './terminal.ts'

const hostile = 'a\u001b]0;owned\u0007\u009b2Jb\u202ec'
const controls = /[^\P{Cc}\n]|\u202e/u
const ownColours = /\u001b\[\d*m/gu

const shellOn = (isTTY: boolean, cwd = '.'): Shell =>
  ({ stdout: Object.assign(new PassThrough(), { isTTY, columns: 80 }), cwd }) as unknown as Shell

const printedOn = ({ stdout }: Shell): string => (stdout as unknown as PassThrough).read().toString()

const listed = (isTTY: boolean, json: boolean): string => {
  const shell = shellOn(isTTY)
  const session = { id: 's1', openedAt: hostile, question: hostile, line: hostile } as Listed
  writeSessions({ sessions: [session], running: [] }, { json }, shell)
  return printedOn(shell)
}

const log = table({ seats: 2 }).round(0, [hostile, 'No.']).events

const exported = async (isTTY: boolean, format: string): Promise<string> => {
  const shell = shellOn(isTTY, mkdtempSync(join(tmpdir(), 'roundtable-')))
  writeFileSync(join(shell.cwd, 'session.json'), exporterNamed('json').write(log))
  const command = new Command().argument('<session>')
  defineExport(command, shell)
  await command.parseAsync(['session.json', '--format', format], { from: 'user' })
  return printedOn(shell)
}

test('[T115] no control character of a session reaches a terminal through a list', () => {
  expect(listed(true, false).replaceAll(ownColours, '')).not.toMatch(controls)
  expect(listed(true, true)).not.toMatch(controls)
  expect(listed(true, true)).toContain('bc')
})

test.each(['json', 'markdown', 'html', 'transcript'])(
  '[T115] no control character of a session reaches a terminal through an export: %s',
  async format => {
    expect(await exported(true, format)).not.toMatch(controls)
    expect(await exported(false, format)).toBe(exporterNamed(format).write(log))
  },
)

test('[T406] what a transcript claims is marked in a list, too', () => {
  const lines = ['lab/a', 'imported/GLM 4.7'].map(model => {
    const shell = shellOn(true)
    const session = { id: 's1', openedAt: '2026-01-02', question: 'Rail?', line: 'Both models agreed' }
    const row = { ...session, outcome: null, level: null, models: [model] }
    writeSessions({ sessions: [row], running: [] }, {}, shell)
    return printedOn(shell).replaceAll(ownColours, '')
  })
  expect(lines[0]).not.toContain('unchecked')
  expect(lines[1]).toContain('Imported, unchecked: Both models agreed')
})

test('[T115] a pipe gets a list as it is', () => {
  expect(JSON.parse(listed(false, true))[0].question).toBe(hostile)
})
