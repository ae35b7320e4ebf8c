import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { shapeOf } from '../core/form.ts'
import { agentPrompt, wholePrompt } from './agents.ts'

const bait = fc.constantFrom(
  ...[
    '@~/.ssh/id_rsa',
    '@/etc/passwd',
    '$HOME',
    '\u0024{HOME}',
    '$(id)',
    '!`id`',
    '!{id}',
    '{file:/etc/passwd}',
  ],
  ...[
    '{ENV:HOME}',
    '\n/init',
    '\n \t/help',
    '\r!ls',
    '\u2028/x',
    '\u00a0',
    ' ',
    '"',
    '\\',
    'a',
    '🙂',
    '{',
    '}',
  ],
)
const text = fc.array(bait, { maxLength: 12 }).map(pieces => pieces.join(''))

/** What some agent takes for a file, a variable or a command. */
const expanded = /@|\$[A-Za-z_{(]|![`{(]|\{(?:file|env):|^\s*[/!]/im

test('[AG120] nothing that an agent would expand is left, and lines of JSON mean what they meant', () => {
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 4 }), text, (system, user, option) => {
      const lines = user.map(one => JSON.stringify({ seat: one }))
      const shape = shapeOf('answer', z.strictObject({ headline: z.enum([option, 'other']) }))
      const call = { model: 'm', system, user: [...user, ...lines], shape, maxOutputTokens: 1 }
      const prompt = wholePrompt(agentPrompt({ ...call, signal: new AbortController().signal }))
      expect(prompt).not.toMatch(expanded)
      const parsed = prompt.split('\n').filter(line => line.startsWith('{"seat":'))
      expect(parsed.map(line => JSON.parse(line))).toEqual(lines.map(line => JSON.parse(line)))
    }),
  )
})
