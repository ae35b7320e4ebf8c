/** The challenger: before the table settles early, it looks for what everybody overlooked. */
import { z } from 'zod'
import type { Command } from '../../core/log/command.ts'
import { answerIn, roundAt } from '../../core/log/state.ts'
import { shapeOf } from '../../core/question/form.ts'
import { countStatementsIn } from '../../core/verdict/count-statements.ts'
import { peerText } from '../answer-texts.ts'
import type { ModelStep } from '../model-step.ts'
import { challengedCamp } from '../objection.ts'
import { fenced, inLanguage, questionPart } from '../prompt-parts.ts'
import { moderatorSystem } from './system.ts'

type Challenge = Command & { type: 'challenge' }

export const triedWords = 'What you tried against this position, and how it stood up, in at most 80 words.'

export const objectionFields = {
  tried: z.string().describe(triedWords),
  objection: z
    .string()
    .nullable()
    .describe(
      'The objection in whole sentences, at most 80 words; null if you found none that can be checked.',
    ),
  check: z.string().nullable().describe('How anybody could check it; null if there is no objection.'),
}

const replySchema = z.object(objectionFields)

const shape = shapeOf('challenge', replySchema)

/** Enough answers of the leading camp to object to. All of them would grow with the table. */
const mostExamples = 3

/** Models that find nothing write null, but also "None" or "No objection." */
const said = (value: string | null | undefined): string | undefined =>
  value && !/^(?:none|null|n\/a|no (?:checkable )?objections?)?\.?$/i.test(value.trim())
    ? value.trim()
    : undefined

/** What counts as an objection, in the same words wherever one is asked for. */
export const whatObjectionIs = [
  'Is there an error in it, or something it overlooks, that anybody could',
  'check: a wrong fact, a calculation, a conclusion that does not follow, a counterexample, a condition of the',
  'question that it misses? Matters of taste do not count. Say what it is in words that can stand alone: those who',
  'read it see the position, and not these answers.',
].join('\n')

/** The objection of a reply with its check, null if there is none, or what is wrong with it. */
export const objectionFrom = (raw: unknown): { objection: string | null } | { problem: string } => {
  // What it tried isn't kept. A reading leaves it out if there is nothing to object to.
  const reply = replySchema.pick({ objection: true, check: true }).partial().safeParse(raw)
  if (!reply.success) return { problem: 'objection is missing' }
  const [objection, check] = [said(reply.data.objection), said(reply.data.check)]
  const [count] = countStatementsIn(objection ?? '')
  if (count) return { problem: `it tells the seats a count: "${count.said}"` }
  return { objection: objection && check ? `${objection} (To check: ${check})` : null }
}

export const challenge: ModelStep<Challenge> = {
  prompt(session, { round }) {
    const current = roundAt(session, round)!
    const answers = (challengedCamp(session, current)?.seats ?? []).slice(0, mostExamples).flatMap(seat => {
      const answer = answerIn(current, seat)
      return answer ? [peerText(session, seat, answer)] : []
    })
    return {
      system: moderatorSystem.replace('moderate a round table', 'challenge a round table'),
      user: [
        questionPart(session),
        fenced(session, `challenge ${round}`, answers),
        [
          `These are answers of those who hold the leading position, three at most. ${whatObjectionIs}`,
          inLanguage(session),
        ].join('\n'),
      ],
      shape,
    }
  },
  read(raw, _session, { round }) {
    const found = objectionFrom(raw)
    return 'problem' in found ? found : { type: 'challenge-made', round, ...found }
  },
}
