/** The report: the moderator words what code counted, and is turned down where it contradicts the counts. */
import { z } from 'zod'
import type { Command } from '../../core/command.ts'
import { maskFor, seatLabel, withNames } from '../../core/mask.ts'
import { shapeOf } from '../../core/reply.ts'
import { contradictions } from '../../core/report-check.ts'
import { answerIn, latestRound, roundAt, type Session, seatOf } from '../../core/state.ts'
import { verdictOf } from '../../core/verdict.ts'
import { cut, fenced, inLanguage, questionPart } from '../brief.ts'
import { type ModeratorStep, moderatorSystem } from './step.ts'

type WriteReport = Command & { type: 'write-report' }

const replySchema = z.object({
  answer: z.string().describe("The table's answer in one sentence, without counts."),
  summary: z.string().describe('Who moved whom, and what decided it, in at most 120 words.'),
  counterpoint: z
    .string()
    .nullable()
    .describe('The strongest dissent in one or two sentences; null if nobody dissents.'),
})

const shape = shapeOf('report', replySchema)

/** A large table is told by its camps; this many answers of each are enough to word it. */
const mostPerCamp = 6

const facts = (session: Session): string[] => {
  const verdict = verdictOf(session)
  const mask = maskFor(session)
  const label = (seat: string): string => seatLabel(seatOf(session, seat))
  const tally = verdict.flags.includes('herding') ? verdict.sealed : verdict.final
  const round = tally ? roundAt(session, tally.round) : latestRound(session)
  const camps = (tally?.camps ?? []).map(camp =>
    JSON.stringify({
      position: mask(camp.headline),
      leading: camp.id === tally?.leading,
      seats: camp.seats.map(label),
      answers: camp.seats.slice(0, mostPerCamp).map(seat => {
        const answer = answerIn(round, seat)
        return {
          seat: label(seat),
          headline: mask(answer?.headline ?? ''),
          reasoning: cut(mask(answer?.reasoning ?? ''), 800),
        }
      }),
    }),
  )
  const flips = verdict.ledger.map(flip => {
    const said = answerIn(roundAt(session, flip.round), flip.seat)
    return JSON.stringify({
      moved: label(flip.seat),
      to: mask(said?.headline ?? ''),
      reason: flip.reason,
      ...(flip.credit?.verified && { because: label(flip.credit.seat), words: mask(flip.credit.quote) }),
    })
  })
  return [...camps, ...flips]
}

export const report: ModeratorStep<WriteReport> = {
  prompt(session) {
    const verdict = verdictOf(session)
    return {
      system: moderatorSystem,
      user: [
        questionPart(session.question),
        `What code counted, which you must not contradict: ${maskFor(session)(verdict.line)}.`,
        fenced(session, 'report', facts(session)),
        [
          'Write the report. Call participants "Seat A", "Seat B" and so on. Leave counting to code: give no numbers of',
          'seats. Name who changed their mind and whose words did it, only where it is listed above.',
          verdict.dissent.length > 0
            ? 'There is dissent: give its strongest point as the counterpoint.'
            : 'Nobody dissents from the leading position: set counterpoint to null.',
          inLanguage(session),
        ].join('\n'),
      ],
      shape,
    }
  },
  read(raw, session) {
    const reply = replySchema.partial({ counterpoint: true }).safeParse(raw)
    if (!reply.success) return { problem: 'answer or summary is missing' }
    const { answer, summary, counterpoint } = reply.data
    if (answer.trim() === '' || summary.trim() === '') return { problem: 'answer or summary is empty' }
    const verdict = verdictOf(session)
    const wrong = contradictions([answer, summary, counterpoint ?? ''].join('\n'), verdict)
    if (wrong.length > 0) return { problem: `contradicts the counts: ${wrong.join('; ')}` }
    const keeps = counterpoint?.trim() && (verdict.leading === null || verdict.dissent.length > 0)
    return {
      type: 'report-written',
      by: 'moderator',
      report: {
        answer: withNames(session, answer.trim()),
        summary: withNames(session, summary.trim()),
        ...(keeps && { counterpoint: withNames(session, counterpoint!.trim()) }),
      },
    }
  },
}
