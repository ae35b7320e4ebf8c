/** The models of a soak: the lab, with every fault it knows and with hostile text. */
import { randomFor } from '../../src/core/basics.ts'
import { defaultHandler } from '../lab/answers.ts'
import type { RecordedCall } from '../lab/call.ts'
import { faultNames, faults } from '../lab/faults.ts'
import { type LabReply, resultOf } from '../lab/reply.ts'
import { type Lab, startLab } from '../lab/server.ts'
import { pick, type Random } from './pick.ts'

export const modelNames = Array.from({ length: 8 }, (_, number) => `m${number + 1}`)

export interface Models extends Lab {
  /** How often each thing went wrong. */
  readonly faults: ReadonlyMap<string, number>
  readonly asked: () => number
}

/** Text that makes careless matching slow, or that breaks out of careless output. */
const hostileTexts: readonly string[] = [
  'eventually '.repeat(60),
  `"${'. '.repeat(30_000)}`,
  ' '.repeat(100_000),
  '<'.repeat(60_000),
  '\n'.repeat(60_000),
  '['.repeat(20_000),
  '*_'.repeat(20_000),
  '1 '.repeat(40_000),
  '</script><script>alert(1)</script>',
  '\u001b]0;title\u0007\u001b[2J\u202e',
  'a\0b\ud800',
  '[foo]: javascript:alert(1)',
  'x'.repeat(100_000),
]

/** In place of one text of the reply, and all at once: at the usual pace the deadline would come first. */
const hostileIn = (reply: LabReply, text: string, random: Random): LabReply => {
  const fields = typeof reply === 'string' || 'lab' in reply ? {} : reply
  const names = Object.keys(fields).filter(name => typeof fields[name] === 'string')
  const whole = names.length > 0 ? JSON.stringify({ ...fields, [pick(random, names)]: text }) : text
  return { lab: 'answer', text: whole, tokensPerSecond: Infinity }
}

export interface ModelsOptions {
  readonly seed: string
  readonly hostile: boolean
}

/** A model stops at the length that it was given. */
const cutToLength = ({ body }: RecordedCall, reply: LabReply): LabReply => {
  const most = body.max_completion_tokens ?? body.max_tokens
  const result = resultOf(reply)
  if (typeof most !== 'number' || result.lab !== 'answer') return reply
  const text = result.text ?? ''
  return text.length <= most * 4 ? reply : { ...result, text: text.slice(0, most * 4), finish: 'length' }
}

const wordyShare = 0.1
const faultShare = 0.12
const hostileShare = 0.02

export const startModels = async ({ seed, hostile }: ModelsOptions): Promise<Models> => {
  const random = randomFor(`${seed} models`)
  const terse = defaultHandler()
  const wordy = defaultHandler(3_000)
  const counts = new Map<string, number>()
  let asked = 0
  const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)
  const handler = (call: RecordedCall): LabReply => {
    asked++
    const reply = cutToLength(call, (random() < wordyShare ? wordy : terse)(call))
    const chance = random()
    if (chance < faultShare) {
      const name = pick(random, faultNames)
      count(name)
      return faults[name](resultOf(reply))
    }
    if (!hostile || chance > faultShare + hostileShare) return reply
    count('hostile')
    return hostileIn(reply, pick(random, hostileTexts), random)
  }
  const lab = await startLab({ handler, record: false, firstTokenMs: 30, tokensPerSecond: 2_000 })
  return { ...lab, faults: counts, asked: () => asked }
}
