/** What a seat is asked after it has read the group's statistics. */

import { givenIn } from '../../core/camps/camp.ts'
import type { Figures } from '../../core/group/figures.ts'
import { fewestForQuartiles, outliersIn } from '../../core/group/statistics.ts'
import { type Round, roundAt, type Session } from '../../core/log/state.ts'
import { tallyOf } from '../../core/verdict/tally.ts'
import { figuresText } from '../../core/wording/figures-text.ts'
import { maskFor } from '../../core/wording/mask.ts'
import { listed } from '../../core/wording/numbers.ts'
import { numberText } from '../../core/wording/values.ts'
import { sharesIn, sideLines, whatLettersAre } from '../argument-per-side.ts'
import { figuresPrompt } from '../open-round-prompt.ts'
import type { Prompt } from '../protocol.ts'

/** Medians hide how many give the same answer. */
const sameIn = (session: Session, round: Round): { same: string } => {
  const { agree, answered } = tallyOf(session, round)
  return { same: `${agree} of ${answered} give the same answer` }
}

/** Few numbers say more than their middle half. */
const groupText = (session: Session, round: Round, figures: Figures): string => {
  const numbers = givenIn(session, round).flatMap(({ answer }) => answer.number ?? [])
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
