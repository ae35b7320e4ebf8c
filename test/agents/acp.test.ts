/** Agents that speak the Agent Client Protocol, as a stand-in plays them. */

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { acpProvider } from '../../src/agents/acp.ts'
import type { ModelPart, Provider } from '../../src/models/provider.ts'
import { callTo, partsFrom, providerContract, textOf } from '../contracts/providers-contract.ts'
import { acpStandIn, makePrograms } from './programs.ts'

const programs = makePrograms([])
programs.add('talker', acpStandIn, '')
afterAll(() => programs.remove())

/** What a stand-in got. */
interface Seen {
  readonly env: Readonly<Record<string, string>>
  readonly args: readonly string[]
  readonly rules: string
  readonly prompt: string
}

/** Bubblewrap may be missing, and some systems let nobody but root use it. */
const hasSandbox = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', '/bin/true']).status === 0

/** Its programs are outside of what a sandbox can read. */
const free = { sandbox: false }
const moods = ['speaks', 'fails', 'stalls', 'hangs', 'obeys', 'logged-out', 'seen'].map(
  mood => `talker ${mood}`,
)
const provider = acpProvider({
  ...{ env: programs.env, isAllowed: () => true },
  places: Object.fromEntries(moods.map(command => [command, free])),
})

/** The protocol has no tokens, so the runtime counts them. */
const counting: Provider = {
  ...provider,
  async *stream(call) {
    for await (const part of provider.stream(call)) {
      if (part.type === 'finish')
        yield { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } } as ModelPart
      yield part
    }
  },
}

providerContract('an agent that speaks ACP', async () => ({
  provider: counting,
  models: { speaks: 'talker speaks', fails: 'talker fails', stalls: 'talker stalls', hangs: 'talker hangs' },
  stop: async () => {},
}))

test('[AG14] it is told in its own words what went wrong', async () => {
  expect((await partsFrom(provider, callTo('talker fails'))).at(-1)).toMatchObject({ type: 'error' })
  expect((await partsFrom(provider, callTo('nobody-here'))).at(-1)).toMatchObject({
    error: { message: 'nobody-here isn\'t installed: there is no program "nobody-here"' },
  })
})

test('[AG123] it is never asked to begin a login, which would open a browser and wait', async () => {
  expect((await partsFrom(provider, callTo('talker logged-out'))).at(-1)).toMatchObject({
    error: {
      kind: 'logged-out',
      message: expect.stringMatching(/^talker is not logged in\. Log in with talker itself first/),
    },
  })
})

test.skipIf(!hasSandbox)(
  '[AG124] an agent that nobody here knows reads nothing of the home, and what it writes does not stay',
  async () => {
    const at = (name: string): string => join(programs.home, name)
    for (const name of ['secret.txt', 'login.txt']) writeFileSync(at(name), `${name} of the person`)
    const [command, target] = ['talker acts', at('obeyed')]
    // What runs this test stands somewhere in a home too.
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const reads = [root, realpathSync(join(root, 'node_modules')), process.execPath]
    const place = { reads, copies: ['login.txt'] }
    const inside = acpProvider({ env: programs.env, isAllowed: () => true, places: { [command]: place } })
    const parts = await partsFrom(inside, callTo(command, { user: [`ORDER: write ${target}`] }))
    expect(JSON.parse(textOf(parts))).toEqual([
      `wrote ${target}`,
      expect.stringMatching(/^wrote .*login\.txt$/),
      expect.stringContaining('ENOENT'),
      'login.txt of the person',
    ])
    expect(existsSync(target)).toBe(false)
    expect(readFileSync(at('login.txt'), 'utf8')).toBe('login.txt of the person')
  },
)

test('[AG124] without a sandbox, such an agent runs only if the person says so for its command', async () => {
  const env = { ...programs.env }
  const commands = { 'talker speaks': free }
  const bare = acpProvider({ env, isAllowed: () => true, places: commands, sandbox: async () => undefined })
  expect((await partsFrom(bare, callTo('talker obeys'))).at(-1)).toMatchObject({
    error: {
      message: expect.stringMatching(
        /runs only in a sandbox.*"acp": \{"talker obeys": \{"sandbox": false\}\}/,
      ),
    },
  })
  expect(textOf(await partsFrom(bare, callTo('talker speaks')))).not.toBe('')
})

test('[AG125] agents that are known are started with everything refused, or not at all', async () => {
  const commands = ['opencode acp', 'qwen --acp', 'gemini --experimental-acp']
  const names = commands.map(command => command.split(' ')[0]!)
  for (const name of names) programs.add(name, acpStandIn, 'older')
  for (const command of commands)
    expect((await partsFrom(provider, callTo(command))).at(-1)).toMatchObject({
      error: { message: expect.stringContaining("can't be asked without its tools") },
    })
  for (const name of names) programs.add(name, acpStandIn, 'seen')
  const [opencode, qwen, gemini] = await Promise.all(
    commands.map(async command => JSON.parse(textOf(await partsFrom(provider, callTo(command)))) as Seen),
  )
  const settings = JSON.parse(opencode!.env.OPENCODE_CONFIG_CONTENT!)
  expect(settings).toMatchObject({ permission: { '*': 'deny' }, default_agent: 'roundtable-seat' })
  expect(settings.agent['roundtable-seat']).toMatchObject({
    permission: { '*': 'deny' },
    tools: { '*': false },
  })
  expect(qwen!.args.join(' ')).toMatch(
    /--approval-mode plan --max-tool-calls 0 --exclude-tools .*run_shell_command/,
  )
  expect(gemini!.args.join(' ')).toContain('--approval-mode plan')
  expect(gemini!.rules).toContain('toolName = "*"\ndecision = "deny"')
})

test('[AG120] no text of a prompt makes an agent behind this protocol read a file by itself', async () => {
  const bait = 'see @~/secret.txt or $HOME or !`cat`'
  const { prompt } = JSON.parse(
    textOf(await partsFrom(provider, callTo('talker seen', { user: [bait] }))),
  ) as Seen
  expect(prompt).not.toMatch(/@|\$[A-Z]|!`/)
})

test('[AG126] the folder for its temporary files is its own, and is removed', async () => {
  const { env } = JSON.parse(textOf(await partsFrom(provider, callTo('talker seen')))) as Seen
  expect(env.TMPDIR).toMatch(/roundtable-agent-\w+\/tmp$/)
  await expect.poll(() => existsSync(env.TMPDIR!)).toBe(false)
})

test('[AG7] it may write nothing, and a request for permission is refused', async () => {
  const target = join(programs.home, 'obeyed')
  const parts = await partsFrom(provider, callTo('talker obeys', { user: [`ORDER: write ${target}`] }))
  expect(parts.at(-1)).toMatchObject({ error: { message: expect.stringContaining('Seats have no tools') } })
  expect(textOf(parts)).toBe('')
  expect(existsSync(target)).toBe(false)
})
