/** What a round holds besides answers: figures of the group, stakes, advocates' turns, a judge's rulings. */
import { groupingOf } from '../core/camps.ts'
import { wordingOf } from '../core/errors.ts'
import { rulingText, statementText } from '../core/examination.ts'
import { figuresText, stakeText } from '../core/figures-text.ts'
import { type Round, roundAt, type Session, seatOf } from '../core/state.ts'
import { clean, cut, oneLine } from './cells.ts'
import { hanging, type Look } from './look.ts'

const campLabel = (session: Session, round: number, camp: string): string => {
  const current = roundAt(session, round)
  const found = current && groupingOf(session, current).camps.find(one => one.id === camp)
  return oneLine(found?.label ?? camp)
}

/** "for “Rail”: it answered what it was asked" */
export const rulingWords = (
  session: Session,
  round: number,
  { camp, words }: { readonly camp: string | null; readonly words: string },
): string =>
  `${camp === null ? 'for neither side' : `for “${campLabel(session, round, camp)}”`}: ${oneLine(words)}`

const statementLines = (session: Session, round: Round, look: Look): string[] =>
  (round.statements ?? []).flatMap(statement => {
    const name = oneLine(seatOf(session, statement.seat).name)
    return hanging(`${statement.turn + 1}. ${name}:`, clean(statementText(statement)), 1, look)
  })

const rulingLines = (session: Session, round: Round, look: Look): string[] => {
  const each = (round.rulings ?? []).flatMap((ruling, order) => {
    if (!ruling) return []
    const words =
      'words' in ruling
        ? rulingWords(session, round.index, ruling)
        : `failed (${wordingOf(ruling.kind).short}): ${oneLine(ruling.message)}`
    return hanging(`Judge, order ${order + 1} of 2:`, words, 1, look)
  })
  const outcome = rulingText(round, camp => campLabel(session, round.index, camp))
  return outcome ? [...each, ...hanging('Judge:', outcome, 1, look, look.paint.notable)] : each
}

const figureLines = (session: Session, round: Round, look: Look): string[] => {
  const figures = round.digest?.figures
  if (!figures) return []
  const stakes = figures.kind === 'prices' ? figures.stakes : []
  return [
    ...stakes.flatMap(stake =>
      hanging(
        `${oneLine(seatOf(session, stake.seat).name)}:`,
        oneLine(stakeText(stake)),
        1,
        look,
        look.paint.faint,
      ),
    ),
    ...hanging(
      'The group:',
      cut(oneLine(figuresText(session.question, figures)), 1_000),
      1,
      look,
      look.paint.notable,
    ),
  ]
}

export const exhibitLines = (session: Session, round: Round, look: Look): string[] => [
  ...figureLines(session, round, look),
  ...statementLines(session, round, look),
  ...rulingLines(session, round, look),
]
