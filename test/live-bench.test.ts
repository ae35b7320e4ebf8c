/** The live bench through the command line, against a lab whose seats are right where the test says so. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { devOf, questionsFrom } from '../src/bench/live.ts'
import { run } from '../src/main/program.ts'
import { cleanEnvironment } from './environment/clean.ts'
import type { RecordedCall } from './lab/call.ts'
import type { LabOptions } from './lab/options.ts'
import { type Lab, startLab } from './lab/server.ts'

const cases = Array.from({ length: 12 }, (_, index) => `case-${String(index).padStart(2, '0')}`)
const file = cases
  .map(id =>
    JSON.stringify({ id, question: `Where is the mark of ${id}?`, options: ['Left', 'Right'], gold: 'Left' }),
  )
  .join('\n')

/** Three questions pick the best seat; the other nine are numbered 0 to 8 in their order. */
const dev = devOf(questionsFrom(file), undefined, '1')
const scored = cases.filter(id => !dev.has(id))

/** Which of the nine a seat has right, sealed and after reading the others. Only m0 knows the three others. */
const sealed: Readonly<Record<string, readonly number[]>> = {
  m0: [0, 1, 2, 3, 4, 5],
  m1: [0, 1, 2, 6],
  m2: [0, 1, 2, 3],
}
const open: typeof sealed = {
  m0: [0, 1, 2, 4, 5],
  m1: [0, 1, 2, 4, 5, 6],
  m2: [0, 1, 2, 3, 4],
}

const textOf = ({ body }: RecordedCall): string => body.messages.map(message => message.content).join('\n')
const caseOf = (call: RecordedCall): string => /case-\d\d/.exec(textOf(call))![0]
const isOpen = (call: RecordedCall): boolean => textOf(call).includes('Your last answer was')
const reasoning = (choice: string): string => `The mark stands on the ${choice} side, look at it closely.`

/** A change of mind quotes the seat that said so before: otherwise it would be herding. */
const reply = (call: RecordedCall) => {
  const { model } = call.body
  const isRight = (which: typeof sealed, seat: string): boolean =>
    dev.has(caseOf(call)) ? seat === 'm0' : which[seat]!.includes(scored.indexOf(caseOf(call)))
  const before = isRight(sealed, model)
  const now = isOpen(call) ? isRight(open, model) : before
  const choice = now ? 'Left' : 'Right'
  const answer = { headline: `It is ${choice}.`, choice, reasoning: reasoning(choice), confidence: 0.9 }
  if (!isOpen(call) || now === before) return { ...answer, decision: 'keep' }
  const peer = Object.keys(sealed).findIndex(seat => isRight(sealed, seat) === now)
  return { ...answer, decision: 'change', reason: 'error found', peer: 'ABC'[peer], quote: answer.reasoning }
}

let lab: Lab
let folder = ''
const begin = async (options: LabOptions = {}): Promise<void> => {
  lab = await startLab({ handler: reply, ...options })
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roundtable-live-'))
  writeFileSync(join(folder, 'cases.jsonl'), file)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})
afterEach(() => lab?.stop())

const environment = () => ({
  ROUNDTABLE_ENDPOINTS: `lab=${lab.baseURL}`,
  ROUNDTABLE_DATA: join(folder, 'data'),
  ROUNDTABLE_LOCAL: 'no',
  XDG_CONFIG_HOME: folder,
})

let interrupt = (): void => {}

const roundtable = async (...words: readonly string[]) => {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  const onInterrupt = (listener: () => void) => {
    interrupt = listener
    return () => {}
  }
  const surroundings = { cwd: folder, clock: Date.now, onInterrupt, quit() {} }
  const code = await run(words, { ...streams, ...surroundings, env: environment() })
  return { code, out: String(streams.stdout.read() ?? ''), err: String(streams.stderr.read() ?? '') }
}

const table = ['--seats', 'lab/m0,lab/m1,lab/m2', '--moderator', 'none', '--protocols', 'poll,roundtable']
const words = ['bench', 'live', 'cases.jsonl', ...table]
const live = (...more: readonly string[]) => roundtable(...words, ...more)
const chats = (): RecordedCall[] => lab.calls.filter(call => call.path.endsWith('/chat/completions'))

interface Way {
  readonly name: string
  readonly accuracy: number
  readonly tokens: number
  readonly samples?: number
  readonly flips?: unknown
  readonly against: readonly { readonly with: string }[]
}

const wayIn = (out: string, name: string): Way =>
  JSON.parse(out).ways.find((way: { readonly name: string }) => way.name === name)

test('[B49] every way is measured against the sealed majority and equal tokens of the best seat', async () => {
  await begin()
  const { code, out } = await live('--json')
  expect(code).toBe(0)
  const found = JSON.parse(out)
  expect(found).toMatchObject({
    questions: 9,
    dev: 3,
    ended: 'complete',
    left: 0,
    best: { name: 'm0', right: 3, of: 3 },
  })
  expect(found.alone.map((one: { accuracy: number }) => Math.round(one.accuracy * 9))).toEqual([6, 4, 4])
  expect(found.anySeatRight).toBeCloseTo(7 / 9, 9)
  expect(wayIn(out, 'best seat').accuracy).toBeCloseTo(6 / 9, 9)
  expect(wayIn(out, 'sealed majority').accuracy).toBeCloseTo(4 / 9, 9)
  const debate = wayIn(out, 'roundtable')
  expect(debate).toMatchObject({
    accuracy: expect.closeTo(5 / 9, 9),
    flips: { wrongToRight: 3, rightToWrong: 1, ratio: 3 },
    against: [
      { with: 'sealed majority', difference: expect.closeTo(1 / 9, 9), won: 2, lost: 1, p: 1 },
      {
        with: 'self-consistency, tokens of roundtable',
        difference: expect.closeTo(-1 / 9, 9),
        won: 0,
        lost: 1,
        p: 1,
      },
    ],
  })
  const equal = wayIn(out, 'self-consistency, tokens of roundtable')
  expect(equal.accuracy).toBeCloseTo(6 / 9, 9)
  expect(equal.tokens).toBeLessThanOrEqual(debate.tokens)
  expect(equal.tokens).toBeGreaterThan(debate.tokens * 0.85)
  expect(equal.samples).toBeGreaterThan(6)
})

/** The keys of the form that a call asks for. */
const keysOf = ({ body }: RecordedCall): string[] => {
  const { response_format: asked } = body as {
    response_format?: { json_schema?: { schema: { properties: object } } }
  }
  return Object.keys(asked?.json_schema?.schema.properties ?? {})
}
const isAnswerFirst = (call: RecordedCall): boolean => keysOf(call).indexOf('choice') === 0

test('[B60] --form both asks the same questions in both forms, and gives the paired difference', async () => {
  // Answer first, m0 guesses two more questions wrong.
  await begin({
    handler: call => {
      const said = reply(call)
      const guessed = call.body.model === 'm0' && [0, 4].includes(scored.indexOf(caseOf(call)))
      return isAnswerFirst(call) && guessed ? { ...said, choice: 'Right' } : said
    },
  })
  const one = JSON.parse((await live('--json')).out)
  expect(one.form).toBe('reasoning-first')
  expect(chats().some(isAnswerFirst)).toBe(false)
  const before = chats().length
  const both = await live('--json', '--form', 'both')
  expect(both.code).toBe(0)
  expect(chats().slice(before).every(isAnswerFirst)).toBe(true)
  const { forms, compared } = JSON.parse(both.out)
  expect(forms.map(({ form }: { form: string }) => form)).toEqual(['reasoning-first', 'answer-first'])
  expect(forms[0].ways).toEqual(one.ways)
  expect(compared[0]).toMatchObject({
    method: 'Each seat, sealed',
    questions: 9,
    difference: expect.closeTo(2 / 27, 9),
  })
  expect(compared[1]).toMatchObject({
    method: 'Best seat, once',
    reasoningFirst: expect.closeTo(6 / 9, 9),
    answerFirst: expect.closeTo(4 / 9, 9),
    difference: expect.closeTo(2 / 9, 9),
    won: 2,
    lost: 0,
  })
  const [from, to] = compared[1].interval
  expect(from).toBeLessThan(2 / 9)
  expect(to).toBeGreaterThan(2 / 9)
  const shown = await live('--form', 'both')
  expect(shown.out).toMatch(/reasoning first;[\s\S]*answer first;[\s\S]*Reasoning +Answer +Points/)
  expect(Math.max(...shown.out.split('\n').map(line => line.length))).toBeLessThanOrEqual(80)
})

test('[B60] --form answer-first runs in that form alone; another word is refused', async () => {
  await begin()
  const { code, out } = await live('--json', '--form', 'answer-first')
  expect(code).toBe(0)
  expect(JSON.parse(out).form).toBe('answer-first')
  expect(chats().every(isAnswerFirst)).toBe(true)
  const before = chats().length
  const wrong = await live('--form', 'headline-first')
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('use one of reasoning-first')])
  expect((await live('--form', 'both', '--out', 'page.html')).code).toBe(2)
  expect(chats().length).toBe(before)
})

test('[B50] sealed answers are paid for once, and a second start pays for nothing', async () => {
  await begin()
  const first = await live('--json')
  const asked = chats().filter(call => call.body.model !== 'm0' && !isOpen(call))
  expect(asked).toHaveLength(12 * 2)
  const before = chats().length
  const second = await live('--json')
  expect(chats().length).toBe(before)
  expect(second).toEqual(first)
})

test('[B51] a cap is over all starts of a run; with a larger one it goes on and comes to the same', async () => {
  await begin()
  const whole = JSON.parse((await live('--json', '--run', 'whole')).out)
  const capped = await live('--json', '--budget', '9000tokens', '--run', 'capped')
  expect(capped.code).toBe(4)
  expect(capped.err).toContain('Run the same command again with a larger --budget to resume from capped')
  const part = JSON.parse(capped.out)
  expect(part).toMatchObject({ ended: 'budget' })
  expect(part.spent.tokens).toBeLessThanOrEqual(9_000)
  const again = await live('--json', '--budget', '9000tokens', '--run', 'capped')
  expect(again.code).toBe(4)
  expect(JSON.parse(again.out).spent.tokens).toBeLessThanOrEqual(9_000)
  const rest = await live('--json', '--budget', '900000tokens', '--run', 'capped')
  expect(rest.code).toBe(0)
  expect(JSON.parse(rest.out)).toEqual(whole)
})

/** What stands in the logs of a folder: `model case round`. */
const answered = (path: string): string[] =>
  readdirSync(path).flatMap(name => {
    const events = readFileSync(join(path, name), 'utf8')
      .split('\n')
      .slice(0, -1)
      .flatMap(line => JSON.parse(line).events)
    const [opened] = events
    // Killed between making the file and writing to it.
    if (!opened) return []
    const modelOf = new Map(opened.seats.map((seat: { id: string; model: string }) => [seat.id, seat.model]))
    if (opened.seats.length > 3) return []
    return events
      .filter(event => event.type === 'answer-given' && (event.round > 0 || opened.protocol === 'poll'))
      .map(
        event =>
          `${modelOf.get(event.seat)} ${/case-\d\d/.exec(opened.question.text)![0]} ${event.round > 0}`,
      )
  })

test('[B51] after kill -9 nothing that was answered is asked again', async () => {
  await begin({ firstTokenMs: 30 })
  const main = new URL('../src/main/main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [main, ...words, '--run', 'killed', '--parallel', '2'], {
    cwd: folder,
    env: { ...cleanEnvironment(folder), ...environment() },
    timeout: 25_000,
  })
  const path = join(folder, 'killed')
  while (!existsSync(path) || readdirSync(path).length < 15) {
    if (child.exitCode !== null) throw new Error('The bench ended before it could be killed.')
    await sleep(20)
  }
  child.kill('SIGKILL')
  await once(child, 'exit')
  const kept = answered(path)
  const before = chats().length
  const { code } = await live('--json', '--run', 'killed')
  expect(code).toBe(0)
  expect(kept.length).toBeGreaterThan(20)
  const again = chats()
    .slice(before)
    .filter(call => call.body.model !== 'm0' || isOpen(call))
    .map(call => `lab/${call.body.model} ${caseOf(call)} ${isOpen(call)}`)
  expect(again.filter(one => kept.includes(one))).toEqual([])
  expect(new Set(again).size).toBe(again.length)
})

test('[T65] Ctrl-C ends a bench with exit code 130, and the same command goes on', async () => {
  let answered = 0
  await begin({
    handler: call => {
      if (++answered === 45) interrupt()
      return reply(call)
    },
  })
  const ended = await live('--json', '--run', 'here')
  expect(ended.code).toBe(130)
  expect(ended.err).toContain('all answers so far are kept')
  expect(ended.err).toContain('Run the same command again to resume from here')
  const { code, out } = await live('--json', '--run', 'here')
  expect(code).toBe(0)
  expect(wayIn(out, 'roundtable').accuracy).toBeCloseTo(5 / 9, 9)
  const polls = chats().filter(call => call.body.model !== 'm0' && !isOpen(call))
  expect(polls).toHaveLength(12 * 2)
})

test('[B54] the figures are a table within 80 columns and a page with plots', async () => {
  await begin()
  const { out, err } = await live('--out', 'page.html')
  expect(out).toMatch(/9 questions scored, 3 seats, reasoning first; spent/)
  expect(out).toMatch(/roundtable +sealed majority +\+11\.1 \(.+\) +2:1 +1\.000/)
  expect(out).toMatch(/roundtable: 3 wrong→right, 1\s+right→wrong,\s+3\.00\s+to\s+1/)
  for (const line of out.split('\n')) expect(line.length).toBeLessThan(80)
  expect(err).toMatch(/Sessions 30\/30\nWritten to page\.html/)
  const page = readFileSync(join(folder, 'page.html'), 'utf8')
  expect(page).toContain('prefers-color-scheme: dark')
  expect(page).toContain('How often each method is right')
  expect(page).not.toMatch(/<script|https?:/)
})

test.each([
  [['tricks.txt'], /tricks\.txt can't be read: .*Included question sets: tricks/],
  [['cases.jsonl', '--protocols', 'chat'], /There is no protocol "chat"/],
  [['cases.jsonl', '--out', 'page.pdf'], /--out page\.pdf: .*\.html/],
  [['tricks', '--protocols', 'market'], /Question letter-count: The protocol market takes/],
  [['broken.jsonl'], /broken\.jsonl: Line 1: it isn't JSON/],
])('[T61] bench live %j is one plain line, before anybody is asked', async (args, message) => {
  await begin()
  writeFileSync(join(folder, 'broken.jsonl'), 'id,question')
  const { code, out, err } = await roundtable('bench', 'live', '--seats', 'lab/m0', ...args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(message)
  expect(chats()).toEqual([])
})

test('[T62] the trick questions are there by name', async () => {
  await begin({ handler: undefined })
  const { code, out } = await roundtable(
    'bench',
    'live',
    'tricks',
    '--seats',
    'lab/a,lab/b',
    '--protocols',
    'poll',
    '--json',
  )
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ questions: 30, dev: 10 })
})

test('[B230] `--carry` asks every question again after its first session, told and not told, and compares the two', async () => {
  const told = (call: RecordedCall): boolean => textOf(call).includes('what was asked before')
  // A table that is told of its first verdict repeats it; one that isn't told gets everything right.
  const isAgain = new Map<string, number>()
  await begin({
    handler(call) {
      const first = /"answer":"[^"]*(Left|Right)/.exec(textOf(call))?.[1]
      const key = `${caseOf(call)} ${call.body.model}`
      const times = (isAgain.get(key) ?? 0) + 1
      isAgain.set(key, times)
      const choice = told(call) ? (first ?? 'Right') : times > 1 ? 'Left' : reply(call).choice
      return { headline: `It is ${choice}.`, choice, reasoning: reasoning(choice), confidence: 0.9 }
    },
  })
  const { code, out } = await live('--carry', 'camps', '--json', '--parallel', '1')
  expect(code).toBe(0)
  const found = JSON.parse(out)
  expect(chats()).toHaveLength(12 * 3 * 3)
  expect(chats().filter(told)).toHaveLength(12 * 3)
  expect(found).toMatchObject({ carry: 'camps', questions: 12, ended: 'complete', left: 0, none: 1 })
  expect(found.carried).toBeCloseTo(found.first, 9)
  expect(found.compared.difference).toBeCloseTo(found.first - 1, 9)
  expect(found.afterWrong).toMatchObject({ none: 1, carried: 0 })
  expect(found.afterRight).toMatchObject({ none: 1, carried: 1 })
  // The second time everything is in the folder.
  const again = await live('--carry', 'camps', '--parallel', '1')
  expect(again.code).toBe(0)
  expect(again.out).toContain('After a wrong verdict')
  expect(chats()).toHaveLength(12 * 3 * 3)
})
