/** A session with a budget of its own, and kill -9 of real processes in the middle of its calls: the lab keeps the bill. */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { randomFor } from '../../src/core/basics.ts'
import { fold, usageOf } from '../../src/core/fold.ts'
import { createRoundtable } from '../../src/library/index.ts'
import { fileStore } from '../../src/store/store.ts'
import { defaultHandler } from '../lab/answers.ts'
import type { RecordedCall } from '../lab/call.ts'
import { tokensOf } from '../lab/frames.ts'
import { promptTokens } from '../lab/sending.ts'
import { startLab } from '../lab/server.ts'

const source = (path: string): string => new URL(`../../src/${path}`, import.meta.url).href

/** Runs the session to its end, unless it is killed. */
const runner = (baseURL: string, folder: string, id: string): string => `
  const [{ createRoundtable }, { fileStore }] = await Promise.all([import('${source('library/index.ts')}'), import('${source('store/store.ts')}')])
  const store = fileStore(${JSON.stringify(folder)})
  const table = createRoundtable({ endpoints: [{ id: 'lab', baseURL: '${baseURL}' }], store })
  await table.carryOn(await store.read('${id}'), { publish() {}, interjected: () => () => {} })
`

const isRepair = ({ body }: RecordedCall): boolean =>
  body.messages.some(({ content }) => content.includes('Your last reply could not be used'))

const usual = defaultHandler()

/** The first reply of the second seat can't be read, in every round. */
const replyTo = (call: RecordedCall) =>
  call.body.model.endsWith('m2') && !isRepair(call) ? { text: 'Well.' } : usual(call)

test('[R372] [R373] after 31 times kill -9 a session knows of every token on the bill, and the bill is below its cap', {
  timeout: 900_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roundtable-budget-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  let bill = 0
  const lab = await startLab({
    tokensPerSecond: 2_000,
    firstTokenMs: 40,
    async handler(call) {
      const reply = await replyTo(call)
      const text =
        typeof reply === 'string' ? reply : ((reply as { text?: string }).text ?? JSON.stringify(reply))
      // All of it is billed, also if nobody hears the end.
      bill += promptTokens(call.body.messages) + tokensOf(text).length
      return text
    },
  })
  onTestFinished(() => lab.stop())
  const store = fileStore(folder)
  const table = createRoundtable({ endpoints: [{ id: 'lab', baseURL: lab.baseURL }], store })
  const random = randomFor('budget')

  const runToEnd = async (tokens: number, kills: number) => {
    bill = 0
    const first = await table.open({
      question: 'Should a small team start early?',
      ...{ protocol: 'roundtable', format: 'choice' as const, options: ['Yes', 'No'], rounds: 2 },
      ...{ seats: ['lab/m1', 'lab/m2', 'lab/m3', 'lab/m4'], moderator: 'lab/moderator', budget: { tokens } },
    })
    await store.append(first.id, [first])
    let killed = 0
    for (;;) {
      const before = lab.calls.length
      const code = runner(lab.baseURL, folder, first.id)
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const over = new Promise<number | null>(resolve => child.once('exit', resolve))
      const wanted = 1 + Math.floor(random() * 4)
      while (killed < kills && child.exitCode === null && lab.calls.length - before < wanted) await sleep(2)
      if (killed < kills && child.exitCode === null) {
        await sleep(random() * 60)
        child.kill('SIGKILL')
      }
      const exit = await over
      if (exit === null) killed++
      else expect(exit).toBe(0)
      const session = fold(await store.read(first.id))
      if (session.outcome) {
        const { inputTokens, outputTokens } = usageOf(session)
        return { killed, bill, told: inputTokens + outputTokens, outcome: session.outcome }
      }
    }
  }

  const quiet = await runToEnd(1_000_000, 0)
  expect(quiet).toMatchObject({ told: quiet.bill, outcome: 'verdict' })
  let kills = 0
  for (const tokens of [20_000, 40_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000]) {
    if (kills >= 31) break
    const { killed, bill: billed, told } = await runToEnd(tokens, 31 - kills)
    kills += killed
    expect(billed).toBeLessThanOrEqual(tokens)
    expect(told).toBeLessThanOrEqual(tokens)
    expect(told).toBeGreaterThanOrEqual(billed)
    console.log(`${tokens} tokens, ${killed} kills: billed ${billed}, told ${told}`)
  }
  expect(kills).toBe(31)
})
