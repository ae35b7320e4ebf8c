/** The tour: a session with replies that were written in advance, run in the same way as every other. */

import { setTimeout as sleep } from 'node:timers/promises'
import { capitalised } from '../core/basics.ts'
import type { ModelCall } from '../models/provider.ts'
import { type ScriptedReply, scripted } from '../models/scripted.ts'
import type { AskInput } from '../table/ask.ts'
import type { RoundtableOptions } from './index.ts'

const swaps = 'A mirror swaps left and right.'
const turns = 'A mirror swaps front and back, not left and right.'

interface Lines {
  readonly sealed: Readonly<Record<string, unknown>> | 'broken'
  readonly open: Readonly<Record<string, unknown>>
  /** Milliseconds per word: every model has its own speed. */
  readonly pace: number
}

const voices: Record<string, Lines> = {
  amber: {
    pace: 55,
    sealed: {
      reading: null,
      reasoning:
        'Raise your right hand and the figure in the glass raises its left. Writing looks reversed. **Left and right trade places.**',
      headline: swaps,
      confidence: 0.85,
      wouldChangeMind:
        'A case where up and down behave differently from left and right for a geometric reason.',
    },
    open: {
      points: [
        {
          seat: 'B',
          quote: 'Point at the glass and your reflection points back at you',
          judgement: 'holds',
          why: 'I tried it: this is the only direction in which my reflection does the opposite.',
        },
        {
          seat: 'F',
          quote: 'In that frame its right hand is our left',
          judgement: 'does not hold',
          why: 'It names the sides of a person who is not there. The image itself keeps its sides.',
        },
      ],
      reasoning:
        'I took the point of view of the figure in the glass without noticing. Seen from where I stand, the hand on my right stays on my right. Only the direction through the glass is reversed.',
      decision: 'changed',
      reason: "a peer's point",
      point: 1,
      headline: turns,
      confidence: 0.9,
    },
  },
  birch: {
    pace: 40,
    sealed: {
      reading: null,
      reasoning:
        'Point to the left and your reflection points to the same side. Point up and it points up. Point at the glass and your reflection points back at you: that is the one direction that is reversed.',
      headline: turns,
      confidence: 0.93,
    },
    open: {
      points: [
        {
          seat: 'C',
          quote: 'Hold a page up to a mirror: the letters run the wrong way.',
          judgement: 'does not hold',
          why: 'Whoever holds it up has turned it around first. The turn does that, not the glass.',
        },
      ],
      reasoning:
        'Nothing in the other position names an axis along which the image is reversed except the one through the glass.',
      decision: 'kept',
      reason: null,
      point: null,
      headline: turns,
      confidence: 0.95,
    },
  },
  coral: {
    pace: 70,
    sealed: {
      reading: null,
      reasoning:
        'Hold a page up to a mirror: the letters run the wrong way. That is a swap of left and right.',
      headline: 'A mirror swaps left and right, which is why writing looks reversed.',
      confidence: 0.75,
    },
    open: {
      points: [
        {
          seat: 'D',
          quote: 'you turned the page around to face the glass, and that turn swapped its sides',
          judgement: 'holds',
          why: 'A transparent sheet shows it: if I do not turn it, nothing is reversed.',
        },
      ],
      reasoning:
        'The page settles it for me: I turned it around to face the glass. On a transparent sheet that I do not turn, the letters in the mirror run as they do in front of me.',
      decision: 'changed',
      reason: "a peer's point",
      point: 1,
      headline: turns,
      confidence: 0.88,
    },
  },
  dune: {
    pace: 48,
    sealed: {
      reading: null,
      reasoning:
        'Writing looks reversed because you turned the page around to face the glass, and that turn swapped its sides. Write on a window pane instead and nothing is reversed.',
      headline: 'No: front and back are swapped; left stays left.',
      confidence: 0.9,
    },
    open: {
      points: [
        {
          seat: 'F',
          quote: 'this is the frame that people mean by the question',
          judgement: 'cannot be checked',
          why: 'Nobody at this table has asked people what they mean.',
        },
      ],
      reasoning: 'The same as before, with the case of writing put into the answer itself.',
      decision: 'kept',
      reason: null,
      point: null,
      headline:
        'Front and back are swapped; left stays left, and words look reversed because we turn the page.',
      confidence: 0.92,
    },
  },
  ember: {
    pace: 45,
    sealed: 'broken',
    open: {
      reading: null,
      reasoning:
        'The image has the same left, right, top and bottom as I do; what lies near the glass comes first.',
      headline: turns,
      confidence: 0.8,
    },
  },
  fern: {
    pace: 60,
    sealed: {
      reading: '“Swap” as what we see in the glass, not as what the light does.',
      reasoning:
        'We meet the reflection like a person facing us. In that frame its right hand is our left, and this is the frame that people mean by the question.',
      headline: 'Yes, because we picture ourselves standing where the reflection stands.',
      confidence: 0.7,
    },
    open: {
      points: [
        {
          seat: 'B',
          quote: 'Point to the left and your reflection points to the same side.',
          judgement: 'holds',
          why: 'So much for the optics. It says nothing about how we see a face that looks at us.',
        },
      ],
      reasoning:
        'The optics are as the others say. The question asks what we see, and we see a person whose sides are exchanged.',
      decision: 'conceded',
      reason: "a peer's point",
      point: 1,
      headline: 'Yes, because we picture ourselves standing where the reflection stands.',
      confidence: 0.65,
    },
  },
}

const left = 'It swaps left and right'
const front = 'It swaps front and back'

/** The lines of JSON inside the fences of a prompt. */
const fencedLines = (call: ModelCall): Record<string, string>[] =>
  call.user.flatMap(part =>
    part.split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : [])),
  )

const labels = (call: ModelCall): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fencedLines(call)
      .filter(({ seat }) => seat !== undefined)
      .map(({ seat, headline = '' }) => [seat, /front and back/i.test(headline) ? front : left]),
  )

/** Nobody objects: no position is held by nearly all. */
const nothingAgainst = { against: null, tried: null, objection: null, check: null }

const moderator: Record<string, (call: ModelCall) => ScriptedReply> = {
  kind: () => ({ reasoning: 'Optics settles part of it, and words the rest.', kind: 'judgement' }),
  reading: call => ({ ...labels(call), ...nothingAgainst }),
  positions: labels,
  relation: () => ({ relation: 'same' }),
  challenge: () => ({ objection: null, check: null }),
  report: () => ({
    reasons: [
      {
        seat: 'B',
        quote: 'Point at the glass and your reflection points back at you',
        reason: 'Only the direction through the glass is reversed.',
      },
      {
        seat: 'D',
        quote: 'you turned the page around to face the glass',
        reason: 'A page held up to a mirror looks reversed because of the turn that brings it there.',
      },
    ],
    moved:
      'Seat B moved Seat A by naming the one direction that the glass reverses, and Seat D moved Seat C by explaining the page.',
    counterpoint: {
      seat: 'F',
      quote: 'We meet the reflection like a person facing us.',
      point:
        'People meet a reflection like somebody who faces them, and in that frame left and right are exchanged.',
    },
    open: 'Whether the question asks about optics, or about how people see themselves.',
    unverified: null,
    settle: 'A transparent sheet with writing, held up to the glass without turning it.',
    answer: 'A mirror swaps front and back; left and right stay where they are.',
  }),
}

const broken: ScriptedReply = {
  parts: [
    {
      type: 'error',
      error: { kind: 'overload', status: 503, message: 'scripted failure: the server is overloaded' },
    },
  ],
}

/** In the order of the form: what is written first is what watchers see first. */
const filledIn = (
  reply: Readonly<Record<string, unknown>>,
  form: object,
): Readonly<Record<string, unknown>> => {
  const keys = Object.keys(form).filter(key => key in reply)
  return { ...Object.fromEntries(keys.map(key => [key, reply[key]])), ...reply }
}

const script = (call: ModelCall): ScriptedReply => {
  const { name, json } = call.shape
  const task = moderator[name]
  if (task) return task(call)
  const lines = voices[call.model]
  // A seat that was silent has nothing to revise: only the digest in its prompt shows that this is an open round.
  const form = json.properties as object
  const open = 'decision' in form || fencedLines(call).length > 0
  if (!lines) return 'This seat has no script.'
  const reply = open ? lines.open : lines.sealed
  return reply === 'broken' ? broken : filledIn(reply, form)
}

/** With `hurried`, there are no pauses between words. */
export const tour = (hurried = false): { options: RoundtableOptions; input: AskInput } => {
  const pace = (call: ModelCall): number => voices[call.model]?.pace ?? 12
  const voice = scripted(
    script,
    hurried ? {} : { pace, sleep: (ms, signal) => sleep(ms, undefined, { signal }) },
  )
  const names = Object.keys(voices)
  return {
    options: { providers: [voice] },
    input: {
      question: 'Does a mirror swap left and right?',
      seats: names.map(name => ({
        model: `scripted/${name}`,
        name: capitalised(name),
      })),
      moderator: 'scripted/moderator',
      seed: 'tour',
    },
  }
}
