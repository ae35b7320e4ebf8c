/** Below a headline: how the seat reads the question, its own word on its answer, and what it says of others' points. */
import { moveOf } from '../../core/camps/moves.ts'
import type { Round, Session } from '../../core/log/state.ts'
import type { Answer, Point } from '../../core/question/answer.ts'
import { type Citation, isUnsupported } from '../../core/question/citation.ts'
import { citationHead, citationMark, citationSign } from '../../core/wording/citation-words.ts'
import { creditWords } from '../../core/wording/move-words.ts'
import { ownWord, reasonWords, unlikeItsWord } from '../../core/wording/own-word.ts'
import { pointsLine, pointsTitle, quoteWords, readingLabel } from '../../core/wording/point-words.ts'
import { cut, oneLine } from '../terminal/cells.ts'
import { hanging, type Look, paragraph } from '../terminal/look.ts'

const nameIn = (session: Session, seat: string): string =>
  oneLine(session.seats.find(one => one.id === seat)?.name ?? seat)

const mark = (verified: boolean): string => `${verified ? '✓' : '✗'}\u00a0`

/** Why a seat moved: its reason, the quote it credits, and whether that was found. */
const causes = (session: Session, { reason, credit }: Answer): string[] => [
  ...(reason ? [reasonWords[reason]] : []),
  ...(credit
    ? [
        `“${oneLine(credit.quote)}” — ${nameIn(session, credit.seat)}, ${mark(credit.verified)}${creditWords(credit.verified)}`,
      ]
    : []),
]

/** Of a change of mind: if nobody is credited, that is said. */
export const causeWords = (session: Session, answer: Answer): string =>
  [...causes(session, answer), ...(answer.credit ? [] : ['credits nobody'])].join('; ')

/** The cause of a change of mind is told with the change. */
const ownWordLines = (session: Session, round: Round, seat: string, answer: Answer, look: Look): string[] => {
  const said = ownWord(answer)
  if (!said) return []
  const move = moveOf(session, round, seat)
  const toldBelow = move === 'switched' && !session.imported
  const cause = toldBelow ? '' : cut(causes(session, answer).join('; '), 400)
  const unlike = session.imported ? undefined : unlikeItsWord(answer, move)
  return [
    ...hanging('says', `it ${said}${cause && `: ${cause}`}`, 4, look, look.paint.faint),
    ...(unlike ? hanging('but', unlike, 4, look, look.paint.notable) : []),
  ]
}

const pointLines = (session: Session, { seat, quote, verified, judgement, why }: Point, look: Look) => {
  const words = `${nameIn(session, seat)}: “${oneLine(quote)}” ${mark(verified)}${quoteWords(verified)}`
  return [
    ...hanging('·', words, 6, look, look.paint.faint),
    ...hanging('→', [judgement, oneLine(why)].filter(Boolean).join(': '), 8, look, look.paint.faint),
  ]
}

/** All points with their words if the whole answer is asked for, otherwise who was judged how. */
const pointsLines = (session: Session, points: readonly Point[], full: boolean, look: Look): string[] => {
  if (points.length === 0) return []
  if (!full)
    return hanging(
      'points',
      pointsLine(points, seat => nameIn(session, seat)),
      4,
      look,
      look.paint.faint,
    )
  return [
    ...paragraph(`${pointsTitle}:`, 4, look, look.paint.faint),
    ...points.flatMap(point => pointLines(session, point, look)),
  ]
}

/** All citations with their words if the whole answer is asked for; otherwise where they are, and those not found. */
const citationLines = (
  { question }: Session,
  citations: readonly Citation[],
  full: boolean,
  look: Look,
): string[] => {
  const head = (one: Citation): string =>
    `${citationSign(one)}\u00a0${oneLine(citationHead(one, question.attachments))}`
  const shown = full ? citations : citations.filter(({ verified }) => !verified)
  const standing = citations.filter(({ verified }) => verified)
  return [
    ...(full || standing.length === 0
      ? []
      : hanging(
          'cites',
          `${standing.map(one => oneLine(citationMark(one))).join(' ')} ✓`,
          4,
          look,
          look.paint.faint,
        )),
    ...shown.flatMap(one =>
      hanging(
        'cites',
        `${head(one)}: “${cut(oneLine(one.quote), 400)}”`,
        4,
        look,
        isUnsupported(one) ? look.paint.notable : look.paint.faint,
      ),
    ),
  ]
}

export const answerLines = (
  session: Session,
  round: Round,
  seat: string,
  answer: Answer,
  look: Look & { readonly full?: boolean },
): string[] => [
  ...(answer.reading
    ? hanging(`${readingLabel.toLowerCase()}:`, cut(oneLine(answer.reading), 400), 4, look, look.paint.faint)
    : []),
  ...pointsLines(session, answer.points ?? [], look.full ?? false, look),
  ...citationLines(session, answer.citations ?? [], look.full ?? false, look),
  ...ownWordLines(session, round, seat, answer, look),
]
