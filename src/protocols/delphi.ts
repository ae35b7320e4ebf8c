/** What a seat is asked after it has read the group's statistics. */
import { listed } from '../core/basics.ts'
import { maskFor } from '../core/mask.ts'
import type { Figures } from '../core/opening.ts'
import { numberText } from '../core/reply.ts'
import { type Round, roundAt, type Session } from '../core/session.ts'
import { newestIn } from '../count/camps.ts'
import { fewestForQuartiles, outliersIn, shiftBetween, statisticsOf } from '../count/group.ts'
import { countedIn, figuresText, tallyOf } from '../count/tally.ts'
import { figuresPrompt, sealedPrompt } from './prompt.ts'
import type { Prompt, Protocol } from './protocol.ts'
import { argumentsOf, sharesIn, sideLines, tokensPerRead, whatLettersAre } from './statements.ts'
import { expectFigures, untilStable } from './steps.ts'

/** Medians hide how many give the same answer. */
const sameIn = (session: Session, round: Round): { same: string } => {
  const tally = tallyOf(session, round)
  return { same: `${tally.agree} of ${countedIn(tally)} give the same answer` }
}

/** Few numbers say more than their middle half. */
const groupText = (session: Session, round: Round, figures: Figures): string => {
  const numbers = newestIn(session, round).flatMap(({ answer }) => answer.number ?? [])
  if (figures.kind !== 'quartiles' || numbers.length >= fewestForQuartiles)
    return figuresText(session.question, figures)
  const { unit } = session.question
  const sorted = numbers.toSorted((one, other) => one - other)
  return `The answers: ${listed(sorted.map(number => numberText(number, unit)))}`
}

export const feedbackPrompt = (session: Session, seat: string, round: number): Prompt => {
  const last = roundAt(session, round - 1)
  const figures = last?.digest?.figures
  const whole =
    figures && figures.kind !== 'shares'
      ? [
          JSON.stringify({
            group: maskFor(session)(last ? groupText(session, last, figures) : ''),
            ...(last && sameIn(session, last)),
          }),
        ]
      : []
  const positions = sideLines(session, last, seat, sharesIn(session, last))
  const far = last ? outliersIn(session, last).includes(seat) : false
  return figuresPrompt(session, seat, round, { whole, positions }, [
    'Between the marks stands what the group answered as a whole, you among them, and for each side an argument from another',
    'seat, if there is one.',
    ...whatLettersAre(session),
    ...(far
      ? [
          'Your answer lies far from the group. That makes it neither wrong nor right: set out in your reasoning what',
          'you know or assume that the others do not, so that they can check it.',
        ]
      : []),
  ])
}

// delphi: Anonymous rounds: seats read the group's statistics and one argument for each side, until answers are stable.

/** The part of the group that may still move when it counts as stable. */
const stableShift = 0.05

const isStable = (session: Session, round: Round): boolean => {
  const before = roundAt(session, round.index - 1)
  return before !== undefined && shiftBetween(session, before, round) <= stableShift
}

export const delphi = (): Protocol => ({
  id: 'delphi',
  label: 'Delphi',
  summary: 'Seats see statistics about the group instead of each other, until its answers are stable.',
  rounds: { usual: 2, most: 4 },
  formats: ['open', 'choice', 'ranking', 'number'],
  stopsEarly: true,
  tellsFigures: true,
  next: session => untilStable(session, isStable),
  prompt: (session, seat, round) =>
    round === 0 ? sealedPrompt(session, seat) : feedbackPrompt(session, seat, round),
  digest(session, round) {
    const figures = statisticsOf(session, round)
    return { positions: argumentsOf(session, round), ...(figures && { figures }) }
  },
  expect: load => expectFigures(load, tokensPerRead(load.answer)),
})
