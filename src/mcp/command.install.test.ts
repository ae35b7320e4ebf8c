import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Shell } from '../terminal/terminal.ts'
import { install as installAt, mcpHosts } from './command.ts'

const stage = () => {
  const home = mkdtempSync(join(tmpdir(), 'roundtable-install-'))
  let out = ''
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      out += chunk
      done()
    },
  })
  const shell = { cwd: home, stdout, stdin: {}, stderr: {} } as unknown as Shell
  const place = { home, cwd: home, platform: process.platform }
  const install = (client: string | undefined, write = false, yes = write): Promise<void> =>
    installAt(client, { write, yes }, shell, place)
  return { home, place, install, out: () => out }
}

test('[MCP13] without a client, the configuration of every client is printed, and nothing is written', async () => {
  const { install, out } = stage()
  await install(undefined)
  for (const { id } of mcpHosts) expect(out()).toContain(`(${id})`)
  await expect(install(undefined, true)).rejects.toThrow('which client')
  await expect(install('emacs')).rejects.toThrow('cursor')
})

test('[MCP13] the change is shown first, written on request beside what was there, and the file is kept as it was', async () => {
  const { install, home, out } = stage()
  const file = join(home, '.mcp.json')
  const other = { command: 'x', env: { KEY: 'secret-of-another-server' } }
  const before = JSON.stringify({ theme: 'dark', mcpServers: { other } })
  writeFileSync(file, before)
  await install('claude-code')
  expect(out()).toContain('+     "roundtable": {')
  expect(out()).not.toContain('secret')
  await expect(install('claude-code', true, false)).rejects.toThrow('Nothing was written')
  expect(readFileSync(file, 'utf8')).toBe(before)
  await install('claude-code', true)
  const entry = { args: [expect.stringContaining('main.'), 'mcp'] }
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    theme: 'dark',
    mcpServers: { other, roundtable: entry },
  })
  expect(readFileSync(`${file}.before-roundtable`, 'utf8')).toBe(before)
  await install('claude-code', true)
  expect(out()).toContain('has this entry already')
  const changed = readFileSync(file, 'utf8').replace('main.', 'old.')
  writeFileSync(file, changed)
  await install('claude-code', true)
  expect(out()).toMatch(/^- .*old\.ts/m)
  expect(readFileSync(`${file}.before-roundtable`, 'utf8')).toBe(before)
  expect(readFileSync(`${file}.before-roundtable-2`, 'utf8')).toBe(changed)
})

test.each(mcpHosts.map(({ id }) => id))(
  '[MCP13] %s: a new file has the entry, in a form that can be read',
  async id => {
    const { install, place } = stage()
    await install(id, true)
    const file = mcpHosts.find(host => host.id === id)!.file(place)
    const text = readFileSync(file, 'utf8')
    if (id === 'codex')
      expect(text).toMatch(/^\[mcp_servers\.roundtable\]\ncommand = ".+"\nargs = \[".+","mcp"\]\n$/)
    else expect(JSON.stringify(JSON.parse(text))).toContain('"roundtable":{')
  },
)

test('[MCP13] a file of opencode 2 keeps the form of that version', async () => {
  const { install, home } = stage()
  const file = join(home, '.config', 'opencode', 'opencode.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '{"mcp": {"servers": {"other": {"type": "local", "command": ["x"]}}}}')
  await install('opencode', true)
  const { mcp } = JSON.parse(readFileSync(file, 'utf8'))
  expect(Object.keys(mcp)).toEqual(['servers'])
  expect(Object.keys(mcp.servers)).toEqual(['other', 'roundtable'])
  expect(mcp.servers.roundtable).not.toHaveProperty('enabled')
})

test('[MCP13] a file with comments, or with another section of that name, is left alone', async () => {
  const { install, home } = stage()
  writeFileSync(join(home, '.mcp.json'), '{ // mine\n}')
  await expect(install('claude-code', true)).rejects.toThrow(/\.mcp\.json: .*by hand:\n\n.*"roundtable"/s)
  mkdirSync(join(home, '.codex'))
  writeFileSync(join(home, '.codex', 'config.toml'), '[mcp_servers.roundtable]\ncommand = "x"\n')
  await expect(install('codex', true)).rejects.toThrow('already')
})
