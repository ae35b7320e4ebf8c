import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { keyEnding } from '../core/ask.ts'
import { type Environment, endpointsFrom } from '../models/endpoints.ts'
import { loadConfig, settingsEditor, settingsPath } from './config.ts'
import { tryOut } from './doctor.ts'
import { reachOf } from './reach.ts'

let home = ''
let data = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'roundtable-settings-'))
  data = join(home, 'data')
  mkdirSync(join(home, 'work'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
})

const key = 'sk-entered-on-the-page-7f3a'

const configured = (env: Environment = {}) =>
  loadConfig({ env: { ROUNDTABLE_DATA: data, ...env }, cwd: join(home, 'work'), home })

const connectedWith = (env: Environment = {}): string[] => {
  const config = configured(env)
  return reachOf({ env: config.env, makers: config.providers }).connections.map(({ maker }) => maker.id)
}

test('[T138] saved settings are in one file that only its owner can read, whatever its mode was before', async () => {
  const editor = settingsEditor(data)
  await editor.saveKey('openai', key, null)
  expect(statSync(settingsPath(data)).mode & 0o777).toBe(0o600)
  chmodSync(settingsPath(data), 0o644)
  await editor.saveDefaults({ deadline: 60 })
  expect(statSync(settingsPath(data)).mode & 0o777).toBe(0o600)
  expect(statSync(data).mode & 0o777).toBe(0o700)
  expect(configured().files).toEqual([settingsPath(data)])
})

test('[T139] a saved key connects its maker, unless a variable does', async () => {
  await settingsEditor(data).saveKey('openai', key, null)
  expect(connectedWith()).toEqual(['openai'])
  const config = configured({ OPENAI_API_KEY: 'of-the-shell' })
  const [connection] = reachOf({ env: config.env, makers: config.providers }).connections
  expect([connection?.keyEnv, connection?.keyEnding]).toEqual(['OPENAI_API_KEY', undefined])
})

test('[T140] a saved key is not sent to an address that it was not entered for', async () => {
  await settingsEditor(data).saveKey('openai', key, null)
  expect(connectedWith({ OPENAI_BASE_URL: 'https://elsewhere.example/v1' })).toEqual([])
  writeFileSync(join(home, 'work', '.env'), 'OPENAI_BASE_URL=https://stranger.example/v1\n')
  expect(connectedWith()).toEqual([])
  writeFileSync(
    join(home, 'work', 'roundtable.config.json'),
    JSON.stringify({ providers: { openai: { baseURL: 'https://stranger.example/v1' } } }),
  )
  writeFileSync(join(home, 'work', '.env'), '')
  expect(connectedWith()).toEqual([])
})

test('[T140] a saved endpoint gets its own key alone, and loses it with its address', async () => {
  const editor = settingsEditor(data)
  const endpoints = () => {
    const { env, endpoints: all } = configured({ ROUNDTABLE_LAB_KEY: 'of-the-shell' })
    const [lab] = all
    return [lab?.baseURL, lab?.key, endpointsFrom(all, env)[0]?.key]
  }
  await editor.saveEndpoint('lab', 'http://127.0.0.1:9/v1/', undefined)
  expect(endpoints()).toEqual(['http://127.0.0.1:9/v1', undefined, undefined])
  await editor.saveEndpoint('lab', 'http://127.0.0.1:9/v1', key)
  await editor.saveEndpoint('lab', 'http://127.0.0.1:9/v1', undefined)
  expect(endpoints()).toEqual(['http://127.0.0.1:9/v1', key, key])
  await editor.saveEndpoint('lab', 'http://127.0.0.1:10/v1', undefined)
  expect(endpoints()).toEqual(['http://127.0.0.1:10/v1', undefined, undefined])
  const named = configured({ ROUNDTABLE_ENDPOINTS: 'lab=http://127.0.0.1:11/v1' })
  expect(named.endpoints).toMatchObject([{ baseURL: 'http://127.0.0.1:11/v1' }])
})

test('[T141] the environment and the configuration file come before saved defaults, and say so', async () => {
  await settingsEditor(data).saveDefaults({
    moderator: 'lab/saved',
    deadline: 60,
    budget: 0.5,
    seats: ['lab/a'],
  })
  expect(configured()).toMatchObject({ moderator: 'lab/saved', deadline: 60, budget: 0.5, fixed: [] })
  const config = configured({ ROUNDTABLE_MODERATOR: 'lab/env' })
  expect(config).toMatchObject({ moderator: 'lab/env', deadline: 60, fixed: ['moderator'] })
})

test('[T142] what can’t be used is refused in words that repeat neither key nor address', async () => {
  const editor = settingsEditor(data)
  const secret = 'http://user:sk-in-the-wrong-place@host.example/v1'
  for (const address of [
    secret,
    'sk-in-the-wrong-place',
    'file:///etc/passwd',
    'http://a.example/?key=sk-in',
  ])
    await expect(editor.saveEndpoint('lab', address, undefined)).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('sk-in') }),
    )
  for (const id of ['openai', 'house', 'a/b', ''])
    await expect(editor.saveEndpoint(id, 'http://127.0.0.1:9/v1', undefined)).rejects.toThrow()
  await expect(editor.saveKey('ollama', key, null)).rejects.toThrow(/no provider "ollama" that takes a key/)
  await expect(editor.saveKey('openai', 'two\r\nlines: yes', null)).rejects.toThrow()
  mkdirSync(data, { recursive: true })
  writeFileSync(settingsPath(data), `{"keys": {"openai": "${key}" `)
  expect(() => configured()).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('sk-entered') }),
  )
})

test('[T143] of a key only its end is shown, and nothing of a short one', async () => {
  expect([keyEnding(key), keyEnding('short')]).toEqual(['…7f3a', '…'])
  await settingsEditor(data).saveEndpoint('lab', 'http://127.0.0.1:9/v1', key)
  const config = configured()
  const finding = await tryOut(config, reachOf({ env: {}, endpoints: config.endpoints }), 'lab', () => 0)
  expect([finding?.state, finding?.key]).toEqual(['bad', '…7f3a'])
  expect(JSON.stringify(finding)).not.toContain(key)
  expect(readFileSync(settingsPath(data), 'utf8')).toContain(key)
})
