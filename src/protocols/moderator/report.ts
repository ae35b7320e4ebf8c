/** The report: the moderator puts into words what code counted. A report that contradicts the counts is turned down. */
import { z } from 'zod'
import { groupingOf } from '../../core/camps/camps.ts'
import { rulingText } from '../../core/group/examination.ts'
import type { Command } from '../../core/log/command.ts'
import { answerIn, latestRound, roundAt, type Session, seatOf } from '../../core/log/state.ts'
import { shapeOf } from '../../core/question/form.ts'
import { closedAnswer } from '../../core/verdict/report-answer.ts'
import { contradictions } from '../../core/verdict/report-check.ts'
import { placeholderLines, placeholderProblems, withCounts } from '../../core/verdict/report-placeholders.ts'
import { decidingTally, type Verdict, verdictOf } from '../../core/verdict/verdict.ts'
import { figuresText } from '../../core/wording/figures-text.ts'
import { maskFor, seatLabel, withNames } from '../../core/wording/mask.ts'
import type { ModelStep } from '../model-step.ts'
import { cut, fenced, inLanguage, questionPart } from '../prompt-parts.ts'
import { isText } from '../text-prompt.ts'
import { moderatorSystem } from './system.ts'
import { textReport } from './text-report.ts'

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

/** For a large table, this many answers of each camp, and of so many camps, are enough to write a report. */
const mostPerCamp = 6
const mostCamps = 12
/** More changes of mind than this aren't listed one by one. */
const mostFlips = 40

const facts = (session: Session): string[] => {
  const verdict = verdictOf(session)
  const mask = maskFor(session)
  const label = (seat: string): string => seatLabel(seatOf(session, seat))
  const tally = decidingTally(verdict)
  const round = tally ? roundAt(session, tally.round) : latestRound(session)
  const camps = (tally?.camps ?? []).map((camp, index) =>
    JSON.stringify({
      position: mask(camp.headline),
      leading: camp.id === tally?.leading,
      seats: camp.seats.map(label),
      answers: camp.seats.slice(0, index < mostCamps ? mostPerCamp : 0).map(seat => {
        const answer = answerIn(round, seat)
        return {
          seat: label(seat),
          headline: mask(answer?.headline ?? ''),
          reasoning: cut(mask(answer?.reasoning ?? ''), 800),
        }
      }),
    }),
  )
  const flips = verdict.ledger.slice(0, mostFlips).map(flip => {
    const said = answerIn(roundAt(session, flip.round), flip.seat)
    return JSON.stringify({
      moved: label(flip.seat),
      to: mask(said?.headline ?? ''),
      reason: flip.reason,
      ...(flip.credit?.verified && { because: label(flip.credit.seat), words: mask(flip.credit.quote) }),
    })
  })
  // The line may quote a seat, so it goes behind the fence like everything else.
  return [JSON.stringify({ counted: mask(verdict.line) }), ...camps, ...flips, ...beside(session)]
}

/** What there is besides the count: the latest figures of the group, and what a judge ruled. */
const beside = (session: Session): string[] => {
  const mask = maskFor(session)
  const figures = session.roundsSoFar.findLast(round => round.digest?.figures)?.digest?.figures
  const rulings = session.roundsSoFar.flatMap(round => {
    const labelOf = (id: string): string =>
      groupingOf(session, round).camps.find(camp => camp.id === id)?.label ?? id
    return rulingText(round, labelOf) ?? []
  })
  return [
    ...(figures ? [JSON.stringify({ group: mask(figuresText(session.question, figures)) })] : []),
    ...rulings.map(ruling => JSON.stringify({ judge: mask(ruling) })),
  ]
}

const dissentLine = ({ dissent, leading, answered }: Verdict): string => {
  if (dissent.length > 0) return 'There is dissent: give its strongest point as the counterpoint.'
  if (leading !== null || answered < 2)
    return 'Nobody dissents from the leading position: set counterpoint to null.'
  return 'No position leads: say so in the answer, and give the strongest point against it as the counterpoint.'
}

/** The answer to a choice begins with the option that leads: a sentence that doesn't is replaced by the option. */
const answerLine = ({ question }: Session, verdict: Verdict): string[] => {
  const leading = decidingTally(verdict)?.camps.find(({ id }) => id === verdict.leading)
  if (question.format !== 'choice' || !leading) return []
  return [
    `Begin the answer with ${JSON.stringify(leading.label)}, word for word, and name no other option in it.`,
  ]
}

/** Empty if there is nothing to fill in. */
const placeholderPart = (session: Session): string[] => {
  const lines = placeholderLines(session)
  if (lines.length === 0) return []
  return [
    'For counts and lists of seats write these placeholders with their braces, untranslated. Code fills them in:',
    ...lines,
  ]
}

export const report: ModelStep<WriteReport> = {
  prompt(session) {
    if (isText(session)) return textReport.prompt(session)
    const verdict = verdictOf(session)
    return {
      system: moderatorSystem,
      user: [
        questionPart(session),
        fenced(session, 'report', facts(session)),
        [
          'Write the report. What code counted stands above: never contradict it, and give no numbers of seats yourself.',
          ...placeholderPart(session),
          'Call participants "Seat A", "Seat B" and so on. Name who changed their mind and whose words did it, only',
          'where it is listed above.',
          ...answerLine(session, verdict),
          dissentLine(verdict),
          inLanguage(session),
        ].join('\n'),
      ],
      shape,
    }
  },
  read(raw, session) {
    if (isText(session)) return textReport.read(raw, session)
    const reply = replySchema.partial({ counterpoint: true }).safeParse(raw)
    if (!reply.success) return { problem: 'answer or summary is missing' }
    const { answer, summary, counterpoint } = reply.data
    if (answer.trim() === '' || summary.trim() === '') return { problem: 'answer or summary is empty' }
    const verdict = verdictOf(session)
    const text = [answer, summary, counterpoint ?? ''].join('\n')
    const unfilled = placeholderProblems(session, text)
    if (unfilled.length > 0) return { problem: unfilled.join('; ') }
    // The leading position is quoted from a seat, so numbers in it aren't the moderator's statements.
    const wrong = contradictions(withCounts(session, text, { leading: '…' }), verdict)
    if (wrong.length > 0) return { problem: `contradicts the counts: ${wrong.join('; ')}` }
    const finished = (part: string): string => withNames(session, withCounts(session, part.trim()))
    const keeps = counterpoint?.trim() && (verdict.leading === null || verdict.dissent.length > 0)
    return {
      type: 'report-written',
      by: 'moderator',
      report: {
        answer: closedAnswer(session, finished(answer)),
        summary: finished(summary),
        ...(keeps && { counterpoint: finished(counterpoint!) }),
      },
    }
  },
}
