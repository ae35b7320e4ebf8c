/** Sessions that pages must survive: texts that try to act as markup, and a table of fifty. */
import type { Happening, SessionEvent } from '../../src/core/event.ts'
import { documentOf } from '../../src/exports/json.ts'
import { logOf } from '../sample-session.ts'

export const hostileTexts = [
  '<script>window.ran = true</script><img src="https://example.com/pixel.png" onerror="window.ran = true">',
  '[press me](javascript:window.ran=true) and ![seen](https://example.com/pixel.png) and <svg onload="window.ran=true">',
  `${'A'.repeat(3_000)} ${'https://example.com/'.repeat(100)}`,
  'هذا نص من اليمين إلى اليسار، وفيه علامات \u202e معكوسة',
  '鏡は左右を入れ替えるのではなく、前後を入れ替える。'.repeat(20),
  `| a | b |\n|---|---|\n| ${'x'.repeat(400)} | <iframe src="https://example.com"></iframe> |\n\n\`\`\`html\n<style>body{display:none}</style>${'y'.repeat(500)}\n\`\`\``,
]

const opened = (id: string, seats: readonly string[], rounds: number, text: string): Happening => ({
  type: 'session-opened',
  id,
  question: {
    text,
    format: 'choice',
    options: ['Yes', 'No', 'Perhaps', 'Never'],
    scale: 'linear',
    attachments: [],
  },
  seats: seats.map((name, index) => ({
    id: `s${index}`,
    alias: `${index + 1}`,
    name,
    model: `lab/n${index}`,
  })),
  moderator: null,
  protocol: 'roundtable',
  rounds,
  names: 'hidden',
  language: 'en',
  seed: '1',
  deadline: 60,
})

/** Every event between two rounds, from any protocol. */
const between: readonly Happening[] = [
  {
    type: 'digest-written',
    round: 0,
    by: 'moderator',
    digest: {
      positions: hostileTexts.map((text, index) => ({
        position: text,
        arguments: [{ seat: `s${index}`, quote: text }],
      })),
      figures: { kind: 'shares', shares: hostileTexts.map(text => ({ position: text, share: 0.2 })) },
    },
  },
  { type: 'challenge-made', round: 0, objection: hostileTexts[2]! },
  ...hostileTexts.map(
    (text, turn): Happening => ({
      ...{ type: 'statement-made', round: 0, turn, seat: `s${turn}` },
      said:
        turn === 5
          ? { error: { kind: 'server-error', message: text } }
          : { argument: `Turn ${turn}. ${text}`, question: text },
    }),
  ),
  ...[0, 1].map(
    (order): Happening => ({
      ...{ type: 'ruling-given', round: 0, order, camp: null, words: hostileTexts[order]! },
    }),
  ),
  {
    type: 'moderator-failed',
    round: 0,
    task: 'group',
    error: { kind: 'server-error', message: hostileTexts[2]! },
  },
]

/** Hostile in every text that doesn't come from the owner. */
export const hostileLog = (): SessionEvent[] =>
  logOf([
    opened(
      'hostile',
      hostileTexts.map((text, index) => `${index} ${text.slice(0, 90)}`),
      1,
      hostileTexts[0]!,
    ),
    ...[0, 1].flatMap((round): Happening[] => [
      { type: 'round-opened', round, sealed: round === 0 },
      ...hostileTexts.map((text, index): Happening => {
        if (index === 5 && round === 1) {
          return {
            type: 'seat-silent',
            round,
            seat: 's5',
            error: { kind: 'server-error', message: hostileTexts[0]! },
          }
        }
        const choice = (index + round) % 2 === 0 ? 'Yes' : 'No'
        return {
          type: 'answer-given',
          round,
          seat: `s${index}`,
          answer: {
            headline: round === 0 ? text : `${text} again`,
            reasoning: hostileTexts.join('\n\n'),
            confidence: 0.7,
            choice,
            language: 'en',
            wouldChangeMind: text,
            reading: text,
            ...(round === 1 && {
              decision: index === 4 ? ('conceded' as const) : ('change' as const),
              reason: 'other' as const,
              credit: { seat: `s${(index + 1) % 5}`, quote: text, verified: index % 2 === 0 },
              points: [true, false].map(verified => ({
                ...{ seat: `s${(index + 1) % 5}`, quote: text, verified, why: text },
                judgement: 'does not hold' as const,
              })),
            }),
          },
        }
      }),
      ...(round === 0 ? between : []),
    ]),
    {
      type: 'report-written',
      by: 'moderator',
      rejected: [hostileTexts[2]!],
      report: {
        answer: hostileTexts[1]!,
        summary: hostileTexts.join('\n\n'),
        counterpoint: hostileTexts[2]!,
      },
    },
    { type: 'session-finished', outcome: 'verdict' },
  ])

const options = ['Yes', 'No', 'Perhaps', 'Never']

/** Fifty seats that converge over four open rounds, and one that is silent. */
export const largeLog = (seats = 50, rounds = 4): SessionEvent[] => {
  const places = Array.from({ length: seats }, (_, index) => index % options.length)
  const names = places.map((_, index) => `Model number ${index + 1}`)
  return logOf([
    opened('large', names, rounds, 'Should a table of fifty talk at all?'),
    ...Array.from({ length: rounds + 1 }, (_, round) => round).flatMap((round): Happening[] => [
      { type: 'round-opened', round, sealed: round === 0 },
      ...names.map((_, index): Happening => {
        if (round > 0 && (index * 7 + round * 3) % 5 === 0) places[index] = (places[index]! + 1) % 2
        if (index === 13) {
          return {
            type: 'seat-silent',
            round,
            seat: 's13',
            error: { kind: 'timeout', message: 'no token within 60 s' },
          }
        }
        const choice = options[places[index]!]!
        return {
          type: 'answer-given',
          round,
          seat: `s${index}`,
          answer: {
            headline: `${choice}, as it looks from place ${index + 1}.`,
            reasoning: 'It matters how many voices are heard, and **how far apart** they begin. '.repeat(8),
            confidence: 0.5 + ((index * 13 + round * 7) % 50) / 100,
            choice,
            language: 'en',
          },
          usage: { inputTokens: 900, outputTokens: 200, costUsd: 0.001 },
          timing: { firstToken: 300, total: 4_000, attempts: 1 },
        }
      }),
    ]),
    {
      type: 'report-written',
      by: 'code',
      report: {
        answer: 'Leading, without a majority: No.',
        summary: 'The table talked, and stayed divided.',
      },
    },
    { type: 'session-finished', outcome: 'verdict' },
  ])
}

/** A log as a file that can be imported. */
export const fileOf = (log: readonly SessionEvent[]): string => JSON.stringify(documentOf(log))
