import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { floor, type Weights } from '../builtin/provider.ts'
import { UsageError } from '../core/basics.ts'
import { trackRecordOf } from '../count/track-record.ts'
import type { AskInput } from './ask.ts'
import { loadConfig } from './config.ts'
import { openReach } from './open-reach.ts'
import { searchLocal } from './reach.ts'
import { type Asker, resolveAsk } from './resolve.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roundtable-resolve-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

/** Ollama, with these models. */
const serving = async (...models: string[]): Promise<string> => {
  const server = createServer((request, response) => {
    const listed = { models: models.map(name => ({ name, size: 5e9 })) }
    response.end(JSON.stringify(request.url === '/api/tags' ? listed : {}))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `ollama=${(server.address() as AddressInfo).port},lmstudio=9,llamacpp=9`
}

const asked: (Weights | undefined)[] = []
const engineAsked: string[] = []
const agreeing: Asker = {
  files: '/models',
  lineups: async () => ({}),
  letters: async () => [],
  log: async () => [],
  record: async () => trackRecordOf([]),
  async builtIn(wanted) {
    asked.push(wanted)
    return wanted ?? floor
  },
  engine: async () => void engineAsked.push('engine'),
}
beforeEach(() => {
  asked.length = 0
  engineAsked.length = 0
})

const resolved = async (input: Partial<AskInput>, env: Record<string, string>, asker = agreeing) => {
  const local = { ROUNDTABLE_LOCAL: 'no', ROUNDTABLE_DATA: folder, ROUNDTABLE_CACHE: folder, ...env }
  const config = loadConfig({ env: local, cwd: folder, home: folder })
  const ask = { question: 'Why?', ...input }
  const reach = await openReach(config, { cwd: folder, clock: Date.now, ask })
  const { opened, notes } = await resolveAsk(ask, 'x', reach, asker)
  return { ...opened, notes, models: opened.seats.map(({ model }) => model) }
}

test('[D20] with nobody configured, servers of this machine sit at the table', async () => {
  const { models } = await resolved({}, { ROUNDTABLE_LOCAL: await serving('qwen3:8b', 'gemma3:4b') })
  expect(models).toEqual(['ollama/qwen3:8b', 'ollama/gemma3:4b'])
})

test('[D20] where to look is the person’s choice', async () => {
  expect(await searchLocal({ env: { ROUNDTABLE_LOCAL: 'no' } })).toEqual([])
  await expect(searchLocal({ env: { ROUNDTABLE_LOCAL: 'olama=1' } })).rejects.toThrow(
    /ports such as ollama=11500/,
  )
})

test('[D20] with no server either, the built-in model does, with its moderator and one round', async () => {
  const { models, moderator, rounds } = await resolved({}, {})
  const model = `house/${floor.id}`
  expect([models, moderator, rounds]).toEqual([[model, model, model], model, 1])
  expect(asked).toEqual([undefined])
})

test('[A8] the built-in table is a line-up by its name, and takes a protocol without open rounds', async () => {
  const { models, rounds } = await resolved({ lineup: 'house', protocol: 'poll' }, {})
  expect([models.length, rounds]).toEqual([3, 0])
})

test('[D8] nothing is downloaded without consent', async () => {
  const refusing: Asker = {
    ...agreeing,
    builtIn: async () => Promise.reject(new UsageError('not yet', 'no-consent')),
  }
  await expect(resolved({}, {}, refusing)).rejects.toMatchObject({ kind: 'no-consent' })
  await expect(resolved({ seats: [`house/${floor.id}`] }, {}, refusing)).rejects.toThrow('not yet')
})

test('[D20] whoever is named comes first, and files are named by their whole path', async () => {
  const env = { ROUNDTABLE_LOCAL: await serving('qwen3:8b') }
  const { models } = await resolved({ seats: ['house:tiny.gguf', 'ollama/qwen3:8b'] }, env)
  expect(models).toEqual(['house//models/tiny.gguf', 'ollama/qwen3:8b'])
  expect(asked).toEqual([])
})

test('[H52] files of the machine are not named by requests from elsewhere', async () => {
  const { files: _files, ...elsewhere } = agreeing
  for (const seat of ['house:/etc/passwd', 'house//etc/passwd', 'House:x.gguf'])
    await expect(resolved({ seats: [seat] }, {}, elsewhere)).rejects.toThrow(/isn't a built-in model here/)
})

test('[A2] saved line-ups are asked for only if one is named', async () => {
  const saving = (lineups: Asker['lineups']): Asker => ({ ...agreeing, lineups })
  const none = saving(() => Promise.reject(new Error('the archive was opened')))
  const env = { ROUNDTABLE_ENDPOINTS: 'lab=http://127.0.0.1:9/v1' }
  expect((await resolved({ seats: ['lab/a'] }, env, none)).models).toEqual(['lab/a'])
  const one = saving(async () => ({ duo: ['lab/a', 'lab/b'] }))
  expect((await resolved({ lineup: 'duo' }, env, one)).models).toEqual(['lab/a', 'lab/b'])
})
