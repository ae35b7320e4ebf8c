/**
 * What sessions take, in calls and in tokens of prompts and forms: `npm run perf:prompts`. No model is asked: scripted
 * seats write answers of about 200 words, and a quarter of them switch in every round, so that two open rounds are held.
 */
import { protocols } from '../src/protocols/index.ts'
import type { Protocol } from '../src/protocols/protocol.ts'
import { tokensIn } from '../src/run/reply.ts'
import { questionOf, type Said, table } from '../test/contracts/core-testing.ts'
import { play } from '../test/contracts/protocols-testing.ts'

const sizes = [4, 6, 12, 50]
const rounds = 2

const questions = {
  choice: questionOf({ format: 'choice', options: ['Rail', 'Road'] }),
  open: questionOf(),
}

const paragraph = (seat: string, topic: string): string =>
  `On ${topic}, seat ${seat.slice(1)} reckons with 12.5 a day, which makes 4,562 a year and 91,250 over twenty years. ` +
  'The alternative costs less at first, but has to be renewed twice in that time, and each renewal closes the way for a ' +
  'season. Traffic has grown by a fifth in ten years, and nothing suggests that it will grow more slowly from now on.'

const said = (seat: string, round: number): Said => {
  const number = Number(seat.slice(1))
  const choice = (number + (number % 4 === 0 ? round : 0)) % 2 ? 'Rail' : 'Road'
  const reasoning = ['cost', 'time', 'traffic'].map(topic => paragraph(seat, topic)).join('\n\n')
  return {
    choice,
    headline: `${choice} is the better choice in the long run, says seat ${number}.`,
    reasoning,
  }
}

const sizeOf = (protocol: Protocol, seats: number, format: keyof typeof questions) => {
  const setting = { seats, question: questions[format], rounds: Math.min(rounds, protocol.rounds.most) }
  const { prompts } = play(protocol, table({ ...setting, protocol: protocol.id }), { said })
  const read = prompts.map(({ command, prompt }) => ({
    isSeat: command.type === 'ask-seat' || command.type === 'make-statement',
    tokens: tokensIn([prompt.system, ...prompt.user, JSON.stringify(prompt.shape.json)].join('\n')),
  }))
  const sum = (isSeat: boolean) => {
    const own = read.filter(one => one.isSeat === isSeat)
    return { calls: own.length, tokens: own.reduce((total, { tokens }) => total + tokens, 0) }
  }
  return { seats: sum(true), moderator: sum(false) }
}

const row = (cells: readonly (string | number)[]): string =>
  `${String(cells[0]).padEnd(26)}${cells
    .slice(1)
    .map(cell => String(cell).padStart(11))
    .join('')}`

console.log(row(['protocol, format', 'seats', 'calls', 'moderator', 'tokens', 'moderator', 'per seat']))
for (const format of ['choice', 'open'] as const)
  for (const protocol of protocols.filter(one => (one.formats ?? [format]).includes(format)))
    for (const seats of sizes) {
      const { seats: asked, moderator } = sizeOf(protocol, seats, format)
      const tokens = asked.tokens + moderator.tokens
      console.log(
        row([
          `${protocol.id}, ${format}`,
          seats,
          asked.calls + moderator.calls,
          moderator.calls,
          tokens,
          moderator.tokens,
          Math.round(tokens / seats),
        ]),
      )
    }
