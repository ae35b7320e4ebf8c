import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { openAgents } from '../../src/agents/table.ts'
import { findLocalServers, localServers } from '../../src/models/local.ts'
import { makers } from '../../src/models/makers.ts'
import { loadConfig } from '../../src/table/config.ts'
import { weightsFolder } from '../../src/table/reach.ts'
import { cleanEnvironment } from './clean.ts'

const ofMakers = makers.flatMap(({ keys, baseURLVariable }) => [...keys, baseURLVariable ?? ''])
const ours = ['ENDPOINTS', 'MODERATOR', 'DATA', 'TOKEN', 'HOUSE', 'CACHE'].map(name => `ROUNDTABLE_${name}`)
const others = [
  ...['DATABASE_URL', 'PGHOST', 'PGPASSWORD', 'PORT', 'HF_ENDPOINT', 'FORCE_COLOR', 'LC_ALL', 'NODE_OPTIONS'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'NODE_USE_ENV_PROXY'],
  ...['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'ROUNDTABLE_MY_LAB_KEY'],
]
const fromMachine = [...ofMakers, ...ours, ...others].filter(name => name !== '')

const leaked = (env: Readonly<Record<string, string | undefined>>): string[] =>
  fromMachine.filter(name => env[name] !== undefined)

describe('[Z1] tests see nothing of the machine they run on', () => {
  test('no key, address, proxy or setting is left of a full environment', () => {
    const full = Object.fromEntries(fromMachine.map(name => [name, 'of this machine']))
    expect(ofMakers.length).toBeGreaterThan(makers.length)
    expect(leaked(cleanEnvironment('/home/of/test', full))).toEqual([])
    expect(cleanEnvironment('/home/of/test', { ...full, PATH: '/bin' })).toMatchObject({ PATH: '/bin' })
  })

  test('this process and the processes that it starts have a clean environment', () => {
    const { stdout } = spawnSync(process.execPath, ['-p', 'JSON.stringify(process.env)'], {
      encoding: 'utf8',
    })
    for (const env of [process.env, JSON.parse(stdout)]) {
      expect(leaked(env)).toEqual([])
      expect(env).toMatchObject({ HOME: homedir(), ROUNDTABLE_LOCAL: 'no', TZ: 'UTC' })
    }
  })

  test('home, data, configuration and cache are in a temporary folder', () => {
    expect(homedir().startsWith(tmpdir())).toBe(true)
    const { data, files, endpoints } = loadConfig({ env: {}, cwd: homedir() })
    expect(data.startsWith(homedir())).toBe(true)
    expect({ files, endpoints }).toEqual({ files: [], endpoints: [] })
    expect(weightsFolder({}).startsWith(homedir())).toBe(true)
  })

  test('a model server on its usual port is not called', async () => {
    for (const { port } of localServers)
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow(`Tests don't call port ${port}`)
    expect(await findLocalServers()).toEqual([])
  })

  test('an agent that is installed on this machine is not looked for', async () => {
    expect(process.env.PATH).not.toBe('')
    for (const env of [process.env, {}]) expect((await openAgents({ env })).installed()).toEqual([])
  })

  test('no test builds an environment for a process by hand', () => {
    const files = globSync(['src/**/*.test.ts', 'test/**/*.ts'])
    const reading = files.filter(
      file => !file.startsWith('test/environment/') && readFileSync(file, 'utf8').includes('process.env'),
    )
    expect(files.length).toBeGreaterThan(100)
    expect(reading).toEqual([])
  })
})
