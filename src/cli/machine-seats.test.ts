import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { FoundServer } from '../providers/local.ts'
import { loadConfig } from '../table/config.ts'
import { searchLocal } from '../table/local-servers.ts'
import type { AskInput } from '../table/opening.ts'
import { reachOf } from '../table/reach.ts'
import { machineFor } from './machine-seats.ts'
import { run } from './program.ts'
import type { Shell } from './terminal/shell.ts'

const output = () => Object.assign(new PassThrough(), { isTTY: false })
const ollama: FoundServer = {
  ...{ id: 'ollama', baseURL: 'http://127.0.0.1:11434/v1' },
  models: { 'qwen3:8b': {}, 'gemma3:4b': {} },
}

const machine = (input: Partial<AskInput>, env: Record<string, string>, servers: FoundServer[] = []) => {
  const shell: Shell = {
    ...{ stdin: new PassThrough(), stdout: output(), stderr: output(), cwd: '/models', clock: Date.now },
    env: { ROUNDTABLE_CACHE: '/nowhere', ...env },
    onInterrupt: () => () => undefined,
    quit: () => undefined,
  }
  const config = loadConfig({ ...shell, home: '/nowhere' })
  const reach = reachOf({ endpoints: config.endpoints, env: config.env })
  return machineFor({ question: 'Why?', ...input }, config, reach, shell, { find: async () => servers })
}

test('[D20] with nobody configured, servers of this machine sit at the table', async () => {
  const { input, endpoints } = await machine({}, {}, [ollama])
  expect(input.seats).toEqual(['ollama/qwen3:8b', 'ollama/gemma3:4b'])
  expect(endpoints).toEqual([ollama])
})

test('[D20] where to look is the person’s choice', async () => {
  expect(await searchLocal({ env: { ROUNDTABLE_LOCAL: 'no' } })).toEqual([])
  await expect(searchLocal({ env: { ROUNDTABLE_LOCAL: 'olama=1' } })).rejects.toThrow(
    /ports such as ollama=11500/,
  )
})

test('[D20] `models` lists the models of a server that was found', async () => {
  const server = createServer((request, response) => {
    const list = {
      '/api/tags': { models: [{ name: 'qwen3:8b' }] },
      '/v1/models': { data: [{ id: 'qwen3:8b' }] },
    }
    response.end(JSON.stringify(list[request.url as keyof typeof list] ?? {}))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const folder = mkdtempSync(join(tmpdir(), 'local-'))
  const stdout = output()
  const shell: Shell = {
    ...{ stdin: new PassThrough(), stdout, stderr: output(), cwd: folder, clock: Date.now },
    env: {
      ROUNDTABLE_DATA: folder,
      XDG_CONFIG_HOME: folder,
      ROUNDTABLE_LOCAL: `ollama=${port},lmstudio=9,llamacpp=9`,
    },
    onInterrupt: () => () => undefined,
    quit: () => undefined,
  }
  expect(await run(['models', 'qwen3:8b', '--json'], shell)).toBe(0)
  expect(JSON.parse(String(stdout.read()))).toMatchObject([{ id: 'ollama/qwen3:8b', configured: true }])
  server.close()
  rmSync(folder, { recursive: true })
})

test('[D20] with no server either, the house does, once its weights may be fetched', async () => {
  await expect(machine({}, {})).rejects.toThrow(/--yes or ROUNDTABLE_HOUSE=yes/)
})

test('[D20] whoever is configured or named comes first', async () => {
  const { input, endpoints } = await machine({}, { ROUNDTABLE_ENDPOINTS: 'lab=http://127.0.0.1:9/v1' }, [
    ollama,
  ])
  expect([input.seats, endpoints]).toEqual([undefined, []])
  const named = await machine({ seats: ['house:tiny.gguf', 'ollama/qwen3:8b'] }, {}, [ollama])
  expect(named.input.seats).toEqual(['house//models/tiny.gguf', 'ollama/qwen3:8b'])
  expect(named.endpoints).toEqual([ollama])
})
