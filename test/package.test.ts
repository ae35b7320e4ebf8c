/** The package as people get it: packed, installed into an empty folder, and used there without the checkout. */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { writePackage } from '../scripts/package.ts'
import { startCommand } from './command.ts'
import { cleanEnvironment } from './environment/clean.ts'
import { environmentOfNpm } from './environment/npm.ts'
import { startLab } from './lab/server.ts'

const mostMegabytes = 130

const folder = mkdtempSync(join(tmpdir(), 'roundtable-installed-'))
const installed = join(folder, 'node_modules')
const main = join(installed, 'roundtable', 'dist', 'main', 'main.js')
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))

beforeAll(async () => {
  const file = await writePackage(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  // The registry of tests is closed; this is the one test that needs a real one.
  const { npm_config_registry: _closed, ...clean } = cleanEnvironment(folder)
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel', 'error']
  execFileSync('npm', ['install', file, ...quiet], {
    cwd: folder,
    env: { ...clean, ...environmentOfNpm() },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}, 300_000)

/** A folder of a person who has nothing configured. */
const newHome = (): string => {
  const home = mkdtempSync(join(folder, 'home-'))
  mkdirSync(join(home, 'data'))
  return home
}
const dataOf = (home: string) => ({ ROUNDTABLE_DATA: join(home, 'data') })
const roundtable = (...words: string[]) => {
  const home = newHome()
  return startCommand(words, home, dataOf(home), main)
}

test('[Z320] the package takes at most 130 MB, and nothing in it runs at its installation', () => {
  const files = globSync('**/*', { cwd: installed }).map(name => statSync(join(installed, name)))
  const bytes = files.reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0)
  expect(bytes / 1e6).toBeLessThan(mostMegabytes)
  const manifests = globSync('{*,@*/*}/package.json', { cwd: installed })
  expect(manifests.length).toBeGreaterThan(20)
  const atInstallation = manifests.filter(name => {
    const { scripts = {} } = JSON.parse(readFileSync(join(installed, name), 'utf8'))
    return scripts.preinstall ?? scripts.install ?? scripts.postinstall
  })
  expect(atInstallation).toEqual([])
  expect(manifests.filter(name => name.includes('llama'))).toEqual([])
})

test('[Z320] the packages that are bundled come with their licences', () => {
  const text = readFileSync(join(installed, 'roundtable', 'dist', 'vendor', 'LICENSES.txt'), 'utf8')
  for (const name of ['drizzle-orm', '@ai-sdk/openai', '@ai-sdk/provider-utils']) expect(text).toContain(name)
})

test('[Z321] the installed command says its version and shows the tour', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const [said, toured] = await Promise.all([roundtable('--version').done, roundtable('tour', '--json').done])
  expect(said).toMatchObject({ code: 0, out: `${version}\n`, err: '' })
  expect(toured.code).toBe(0)
  expect(JSON.parse(toured.out)).toMatchObject({ verdict: expect.anything() })
}, 120_000)

const withLab = async () => {
  const lab = await startLab({})
  onTestFinished(() => lab.stop())
  const home = newHome()
  return { home, env: { ...dataOf(home), ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}` } }
}
const seats = ['--seats', 'lab/a,lab/b,lab/c']

test('[Z321] the installed command asks models of a server', async () => {
  const { home, env } = await withLab()
  const words = ['ask', 'Is it late?', '--options', 'Yes,No', ...seats, '--protocol', 'poll', '--json']
  const { code, out, err } = await startCommand(words, home, env, main).done
  expect([code, err]).toEqual([0, expect.anything()])
  expect(JSON.parse(out)).toMatchObject({ verdict: expect.anything() })
}, 120_000)

test('[Z321] the installed command serves its pages and its API', async () => {
  const { home, env } = await withLab()
  const server = startCommand(['serve', '--port', '0'], home, env, main)
  onTestFinished(async () => {
    server.child.kill('SIGTERM')
    await server.done
  })
  const address = await server.wrote(/Roundtable is at (\S+)/)
  const index = await (await fetch(address)).text()
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(index)?.[1]
  expect((await fetch(`${address}${script}`)).status).toBe(200)
  const models = await (await fetch(`${address}/api/models?search=claude`)).json()
  expect(models).toMatchObject({})
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
}, 120_000)

test('[Z321] the installed command speaks MCP with a real client', async () => {
  const { home, env } = await withLab()
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(
    new StdioClientTransport({
      ...{ command: process.execPath, args: [main, 'mcp'], cwd: home, stderr: 'ignore' },
      env: { ...cleanEnvironment(home), ...env },
    }),
  )
  onTestFinished(() => client.close())
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toContain('ask_table')
}, 120_000)

const librarySource = `
import { createRoundtable, type SessionDocument, type SessionEvent } from 'roundtable'

const table = createRoundtable({ endpoints: [{ id: 'lab', baseURL: process.argv[2] ?? '' }] })
const { events, result } = table.ask({ question: 'Is it late?', options: ['Yes', 'No'], seats: ['lab/a', 'lab/b'], protocol: 'poll' })
const seen: SessionEvent['type'][] = []
for await (const event of events) if ('position' in event) seen.push(event.type)
const { verdict }: SessionDocument = await result
console.log(JSON.stringify({ first: seen[0], line: verdict?.line }))
`

test('[Z322] the library is imported from an ES module, and a strict TypeScript project compiles with it', async () => {
  const lab = await startLab({})
  onTestFinished(() => lab.stop())
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'index.ts'), librarySource)
  const compilerOptions = {
    ...{ strict: true, module: 'nodenext', target: 'es2024', skipLibCheck: false, rootDir: '.' },
    ...{ types: ['node'], typeRoots: [resolve('node_modules/@types')] },
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const tsc = (...words: string[]) =>
    spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), ...words], {
      cwd: project,
      encoding: 'utf8',
    })
  expect(tsc('--noEmit')).toMatchObject({ stdout: '', status: 0 })
  expect(tsc()).toMatchObject({ status: 0 })
  const run = startCommand([lab.baseURL], project, {}, join(project, 'index.js'))
  expect(await run.done).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse((await run.done).out)).toMatchObject({ first: 'session-opened' })
}, 120_000)

const versionOf = (node: string): string =>
  spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.trim()

/** Old Nodes in the path, such as the one of the system. */
const oldNodes = (path: string): string[] =>
  path
    .split(delimiter)
    .map(one => join(one, 'node'))
    .filter(
      node => statSync(node, { throwIfNoEntry: false })?.isFile() && /^(1\d|20)\./.test(versionOf(node)),
    )

test('[Z323] on a Node that is too old, one line says which one is needed', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(engines.node).toBe('>=22.12')
  const pretended = join(folder, 'old.mjs')
  writeFileSync(pretended, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })")
  const env = cleanEnvironment(folder)
  const runs = [
    spawnSync(process.execPath, ['--import', pretended, main, '--version'], { encoding: 'utf8', env }),
    ...oldNodes(env.PATH ?? '').map(node => spawnSync(node, [main, '--version'], { encoding: 'utf8', env })),
  ]
  for (const { status, stdout, stderr } of runs) {
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^roundtable: this needs Node 22\.12 or later, but runs on Node \d+\.\S+\. .*\n$/)
  }
})
