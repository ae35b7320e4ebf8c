/** Agents at the table: seated by name, by line-up, and by default after the person agreed once. */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { agents } from '../../src/agents/list.ts'
import { openAgents } from '../../src/agents/table.ts'
import { floor } from '../../src/builtin/provider.ts'
import { trackRecordOf } from '../../src/count/track-record.ts'
import { createRoundtable } from '../../src/library/index.ts'
import { loadConfig, settingsPath } from '../../src/table/config.ts'
import { openReach } from '../../src/table/open-reach.ts'
import { type Asker, resolveAsk } from '../../src/table/resolve.ts'
import { callTo, partsFrom } from '../contracts/providers-contract.ts'
import { acpStandIn, makePrograms, type Programs, standIn } from './programs.ts'

let programs: Programs
let folder = ''
beforeEach(() => {
  programs = makePrograms(['claude', 'codex'])
  folder = mkdtempSync(join(tmpdir(), 'roundtable-agents-'))
  onTestFinished(() => {
    programs.remove()
    rmSync(folder, { recursive: true, force: true })
  })
})

/** A person who answers the one question, or nobody who could. */
const asker = (answer?: boolean): Asker & { readonly questions: string[] } => {
  const questions: string[] = []
  return {
    questions,
    files: folder,
    lineups: async () => ({}),
    engine: async () => {},
    log: async () => [],
    record: async () => trackRecordOf([]),
    letters: async () => [],
    builtIn: async wanted => wanted ?? floor,
    async agents(ready) {
      questions.push(ready.map(({ label }) => label).join(' and '))
      return answer
    },
  }
}

const reachNow = async (more: Record<string, string> = {}, noAgentsBecause?: string) => {
  const own = { ROUNDTABLE_LOCAL: 'no', ROUNDTABLE_DATA: folder, ROUNDTABLE_CACHE: folder }
  const config = loadConfig({ env: { ...programs.env, ...own, ...more }, cwd: folder, home: folder })
  return openReach(config, { cwd: folder, clock: Date.now, noAgentsBecause })
}

const seated = async (input: object, by: Asker, more: Record<string, string> = {}) => {
  const { opened, notes, estimate } = await resolveAsk(
    { question: 'Why?', ...input },
    'x',
    await reachNow(more),
    by,
  )
  return { models: opened.seats.map(({ model }) => model), opened, notes, estimate }
}

const written = (path: string, content: object): void => {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, JSON.stringify(content))
}

test('[AG8] an agent is seated by its name, with a model or its own default', async () => {
  const { opened, estimate } = await seated(
    { seats: ['cli:codex', 'cli:claude/opus', 'cli:claude/new-one'] },
    asker(),
  )
  expect(opened.seats.map(({ name, model, maker }) => [name, model, maker])).toEqual([
    ['Codex', 'cli:codex/default', 'OpenAI'],
    ['Claude Code (opus)', 'cli:claude/opus', 'Anthropic'],
    ['new-one', 'cli:claude/new-one', undefined],
  ])
  expect(opened.deadline).toBe(300)
  expect(estimate).toMatchObject({ costUsd: { low: 0, high: 0 }, subscription: true })
})

test('[AG8] an agent that is not there is refused with the names of those that are', async () => {
  await expect(seated({ seats: ['cli:qwen'] }, asker())).rejects.toThrow(
    '"cli:qwen" can\'t be seated: there is no such agent on this machine. Installed here: cli:claude, cli:codex.',
  )
})

const bad = 'cli:codex/--openai-base-url=http://stranger/v1'
const waysIn: readonly (readonly [string, object, object])[] = [
  ['a seat', { seats: [bad] }, {}],
  ['a seat with a brief', { seats: [{ model: bad, brief: 'Be kind.' }] }, {}],
  ['a moderator', { seats: ['cli:codex'], moderator: bad }, {}],
  ['a line-up', { lineup: 'mine' }, { lineups: { mine: [bad] } }],
  ['the usual table', {}, { seats: [bad] }],
  ['the usual moderator', { seats: ['cli:codex'] }, { moderator: bad }],
]
test.each(waysIn)(
  '[AG122] a name of a model that could be an argument is refused: %s',
  async (_way, input, file) => {
    written(join(folder, '.config/roundtable/config.json'), file)
    await expect(seated(input, asker())).rejects.toThrow('is not the name of a model')
  },
)

test('[AG9] the line-up subscriptions seats every agent that is logged in', async () => {
  programs.logIn('codex')
  expect((await seated({ lineup: 'subscriptions' }, asker())).models).toEqual(['cli:codex/default'])
  expect((await seated({ lineup: 'subscriptions' }, asker())).notes.join(' ')).toContain(
    "Claude Code isn't logged in: run `claude auth login`.",
  )
  programs.logIn('claude')
  expect((await seated({ lineup: 'subscriptions' }, asker())).models).toEqual([
    'cli:claude/default',
    'cli:codex/default',
  ])
})

test('[AG10] without a key and a server, they are the default table after the person agreed once', async () => {
  programs.logIn('codex')
  const agreeing = asker(true)
  expect((await seated({}, agreeing)).models).toEqual(['cli:codex/default'])
  expect((await seated({}, agreeing)).models).toEqual(['cli:codex/default'])
  expect(agreeing.questions).toEqual(['Codex'])
  expect(JSON.parse(readFileSync(settingsPath(folder), 'utf8'))).toMatchObject({ agents: true })
})

test('[AG10] whoever says no, or cannot be asked, gets the built-in model', async () => {
  programs.logIn('codex')
  const away = asker(undefined)
  expect((await seated({}, away)).models[0]).toBe(`house/${floor.id}`)
  expect(existsSync(settingsPath(folder))).toBe(false)
  const declining = asker(false)
  expect((await seated({}, declining)).models[0]).toBe(`house/${floor.id}`)
  expect((await seated({}, declining)).models[0]).toBe(`house/${floor.id}`)
  expect(declining.questions).toEqual(['Codex'])
})

test('[AG10] nobody is asked about agents that are logged out, or beside a key', async () => {
  const nobody = asker(true)
  expect((await seated({}, nobody)).models[0]).toBe(`house/${floor.id}`)
  programs.logIn('codex')
  expect((await seated({}, nobody, { OPENAI_API_KEY: 'sk-x' })).models[0]).toMatch(/^openai\//)
  expect(nobody.questions).toEqual([])
})

test('[AG11] a server that others can use seats none, and says why', async () => {
  programs.logIn('codex')
  const reach = await reachNow({}, 'Others may use it.')
  const ask = (input: object) => resolveAsk({ question: 'Why?', ...input }, 'x', reach, asker(true))
  await expect(ask({ seats: ['cli:codex'] })).rejects.toThrow("can't be seated. Others may use it.")
  await expect(ask({ lineup: 'subscriptions' })).rejects.toThrow('Others may use it')
  expect(reach.providers.some(({ subscription }) => subscription)).toBe(false)
})

test('[AG12] nothing is looked for if the person says so', async () => {
  const reach = await reachNow({ ROUNDTABLE_AGENTS: 'no' })
  expect(reach.agents.installed()).toEqual([])
})

test('[AG12] a folder of PATH that depends on the working folder is not searched', async () => {
  const { installed } = await openAgents({ env: { PATH: `.:bin:${programs.path}/../bin`, HOME: folder } })
  expect(installed().map(({ path }) => path)).toEqual([
    join(programs.path, 'claude'),
    join(programs.path, 'codex'),
  ])
})

test('[AG13] an agent of one’s own comes from the configuration folder, and never from a working folder', async () => {
  const command = programs.add('my-agent', standIn, 'text')
  const mine = { id: 'mine', command, args: [], output: 'text', env: { unset: ['LANG'] } }
  written(join(folder, '.config/roundtable/config.json'), { agents: [mine] })
  const { opened } = await seated({ seats: ['cli:mine'] }, asker())
  expect(opened.seats[0]).toMatchObject({ name: 'mine', model: 'cli:mine/default' })
  const reach = await reachNow()
  const provider = reach.providers.find(({ id }) => id === 'cli:mine')!
  expect((await partsFrom(provider, callTo('default'))).at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  written(join(folder, 'roundtable.config.json'), { agents: [mine] })
  await expect(reachNow()).rejects.toThrow('programs can be named only in your own configuration folder')
})

test('[AG14] a command that speaks ACP is run only if the person typed or configured it', async () => {
  const command = programs.add('some-agent', acpStandIn, '')
  const seats = [`acp:${command} speaks`]
  const remote = asker()
  expect((await seated({ seats }, { ...remote, typed: seats })).models).toEqual([`acp/${command} speaks`])
  await expect(seated({ seats }, remote)).rejects.toThrow("isn't run: only commands that you type yourself")
  written(join(folder, 'roundtable.config.json'), { lineups: { theirs: seats } })
  await expect(seated({ lineup: 'theirs' }, asker())).rejects.toThrow('you have not agreed')
  const trusting = { ROUNDTABLE_TRUST: folder }
  await expect(seated({ lineup: 'theirs' }, asker(), trusting)).rejects.toThrow("isn't run")
  rmSync(join(folder, 'roundtable.config.json'))
  written(join(folder, '.config/roundtable/config.json'), { lineups: { mine: seats } })
  expect((await seated({ lineup: 'mine' }, remote)).models).toEqual([`acp/${command} speaks`])
  const reach = await reachNow()
  const acp = reach.providers.find(({ id }) => id === 'acp')!
  expect((await partsFrom(acp, callTo('/bin/echo hello'))).at(-1)).toMatchObject({
    type: 'error',
    error: { message: expect.stringContaining("isn't run") },
  })
})

test('[AG15] a session of agents reaches its verdict, and says that a subscription paid', async () => {
  const all = makePrograms()
  onTestFinished(() => all.remove())
  const table = createRoundtable({ agents: await openAgents({ env: all.env }), env: {} })
  const session = await table.ask({
    ...{ question: 'Should a small team start with a monolith?', rounds: 1 },
    ...{ seats: agents.map(({ id }) => `cli:${id}`), moderator: 'cli:claude', budget: 1 },
  }).result
  expect(session.outcome).toBe('verdict')
  expect(session.verdict).toMatchObject({ answered: agents.length })
  expect(session.usage).toMatchObject({ costUsd: 0, subscription: true })
  expect(table.estimate({ question: 'Why?', seats: ['cli:codex'], budget: 1 }).notes.join(' ')).toContain(
    'Give one in tokens too',
  )
}, 120_000)

test('[AG127] a wish for a tool costs a seat one more try, and not its answer', async () => {
  const all = makePrograms()
  onTestFinished(() => all.remove())
  const table = createRoundtable({ agents: await openAgents({ env: all.env }), env: {} })
  const ask = (model: string) =>
    table.ask({
      ...{ question: 'Should a small team start with a monolith?', options: ['Yes', 'No'], rounds: 0 },
      ...{ seats: agents.map(({ id }) => `cli:${id}/${model}`), moderator: null },
    }).result
  const { rounds } = await ask('tool-once')
  expect(rounds[0]?.answers.map(({ status }) => status)).toEqual(agents.map(() => 'given'))
  const always = await ask('tool')
  expect(JSON.stringify(always.rounds)).toContain('wanted to use a tool')
  expect(always.rounds[0]?.answers.every(({ status }) => status === 'silent')).toBe(true)
}, 120_000)
