import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Shell } from '../terminal/shell.ts'
import { mcpHosts } from './hosts.ts'
import { install as installAt } from './install.ts'

const stage = () => {
  const home = mkdtempSync(join(tmpdir(), 'roundtable-install-'))
  let out = ''
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      out += chunk
      done()
    },
  })
  const shell = { cwd: home, stdout } as unknown as Shell
  const place = { home, cwd: home, platform: process.platform }
  const install = (client: string | undefined, write: boolean): void => installAt(client, write, shell, place)
  return { home, place, install, out: () => out }
}

test('[MCP13] without a client, the configuration of every client is printed, and nothing is written', () => {
  const { install, out } = stage()
  install(undefined, false)
  for (const { id } of mcpHosts) expect(out()).toContain(`(${id})`)
  expect(() => install(undefined, true)).toThrow('which client')
  expect(() => install('emacs', false)).toThrow('cursor')
})

test('[MCP13] a file is shown first, written on request beside what was there, and kept as it was', () => {
  const { install, home, out } = stage()
  const file = join(home, '.mcp.json')
  const before = JSON.stringify({ theme: 'dark', mcpServers: { other: { command: 'x' } } })
  writeFileSync(file, before)
  install('claude-code', false)
  expect(out()).toContain('"roundtable"')
  expect(readFileSync(file, 'utf8')).toBe(before)
  install('claude-code', true)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    theme: 'dark',
    mcpServers: { other: { command: 'x' }, roundtable: { args: [expect.stringContaining('main.'), 'mcp'] } },
  })
  expect(readFileSync(`${file}.before-roundtable`, 'utf8')).toBe(before)
})

test.each(mcpHosts.map(({ id }) => id))(
  '[MCP13] %s: a new file has the entry, in a form that can be read',
  id => {
    const { install, place } = stage()
    install(id, true)
    const file = mcpHosts.find(host => host.id === id)!.file(place)
    const text = readFileSync(file, 'utf8')
    if (id === 'codex')
      expect(text).toMatch(/^\[mcp_servers\.roundtable\]\ncommand = ".+"\nargs = \[".+","mcp"\]\n$/)
    else expect(JSON.stringify(JSON.parse(text))).toContain('"roundtable":{')
  },
)

test('[MCP13] a file with comments, or with a section of that name, is left alone', () => {
  const { install, home } = stage()
  writeFileSync(join(home, '.mcp.json'), '{ // mine\n}')
  expect(() => install('claude-code', true)).toThrow('by hand')
  install('codex', true)
  expect(() => install('codex', true)).toThrow('already')
})
