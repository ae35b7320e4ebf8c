/** What the moderator reads to write a report: what code counted, whole answers, who moved, and what else there is. */
import type { Camp } from '../../core/camps/camp.ts'
import { groupingOf } from '../../core/camps/camps.ts'
import { rulingText } from '../../core/group/examination.ts'
import { answerIn, latestRound, type Round, roundAt, type Session, seatOf } from '../../core/log/state.ts'
import { type Answer, normalised } from '../../core/question/answer.ts'
import { grantsOf } from '../../core/verdict/report-moves.ts'
import { decidingTally, verdictOf } from '../../core/verdict/verdict.ts'
import { figuresText } from '../../core/wording/figures-text.ts'
import { maskFor, seatLabel } from '../../core/wording/mask.ts'
import { valueText } from '../../core/wording/values.ts'
import { askerLines } from '../asker-words.ts'
import { positionLine } from '../digest-lines.ts'
import { objectionLines } from '../objection.ts'
import { shortened } from '../prompt-parts.ts'
import { readingLines } from './reading-lines.ts'

/** Room for whole answers: about 9,000 tokens. A table of twelve fits; of a larger one each camp has its say in turn. */
const roomForAnswers = 36_000
/** Room for what advocates said. */
const roomForStatements = 16_000
/** No single text takes more of the room than this; a longer one ends with a whole sentence. */
const longestText = 12_000
/** Camps that are listed, and changes of mind that are told one by one. */
const mostCamps = 40
const mostMoves = 40

/** What the seat said of others' points: what it grants, and what it couldn't check. */
const pointsOf = (session: Session, answer: Answer) =>
  (answer.points ?? [])
    .filter(({ judgement, verified }) => verified && judgement !== 'does not hold')
    .map(({ seat, quote, judgement, why }) => ({
      of: seatLabel(seatOf(session, seat)),
      words: maskFor(session)(quote),
      judgement,
      why: maskFor(session)(why),
    }))

const answerEntry = (session: Session, seat: string, answer: Answer, sealed: Answer | undefined) => {
  const mask = (text: string): string => shortened(maskFor(session)(text), longestText)
  const { format } = session.question
  const points = pointsOf(session, answer)
  return {
    seat: seatLabel(seatOf(session, seat)),
    ...(answer.reading && { reads: mask(answer.reading) }),
    ...(format !== 'open' && format !== 'text' && { value: valueText(session.question, answer) }),
    ...(answer.low !== undefined && { from: answer.low }),
    ...(answer.high !== undefined && { to: answer.high }),
    headline: mask(answer.headline),
    ...(answer.text && { text: mask(answer.text) }),
    reasoning: mask(answer.reasoning),
    ...(points.length > 0 && { points }),
    ...(answer.wouldChangeMind && { wouldChangeMind: mask(answer.wouldChangeMind) }),
    ...(sealed &&
      normalised(sealed.headline) !== normalised(answer.headline) && { atFirst: mask(sealed.headline) }),
  }
}

/** One of each camp, then the second of each, and so on: a small camp is heard before a large one is heard twice. */
const inTurns = (camps: readonly Camp[]): string[] => {
  const longest = Math.max(0, ...camps.map(camp => camp.seats.length))
  return Array.from({ length: longest }, (_, turn) => camps.flatMap(camp => camp.seats[turn] ?? [])).flat()
}

/** As many whole answers as there is room for, by seat. */
const readAnswers = (
  session: Session,
  round: Round | undefined,
  camps: readonly Camp[],
): ReadonlyMap<string, object> => {
  const first = session.roundsSoFar.find(one => one.sealed && one.index !== round?.index)
  const entries = new Map<string, object>()
  let room = roomForAnswers
  for (const seat of inTurns(camps)) {
    const answer = answerIn(round, seat)
    if (!answer) continue
    const entry = answerEntry(session, seat, answer, answerIn(first, seat))
    room -= JSON.stringify(entry).length
    if (room < 0) break
    entries.set(seat, entry)
  }
  return entries
}

const campLines = (session: Session): string[] => {
  const tally = decidingTally(verdictOf(session))
  const round = tally ? roundAt(session, tally.round) : latestRound(session)
  const camps = tally?.camps ?? []
  const label = (seat: string): string => seatLabel(seatOf(session, seat))
  const answers = readAnswers(session, round, camps)
  const all = camps.every(camp => camp.seats.every(seat => answers.has(seat)))
  const digest = session.roundsSoFar.findLast(one => one.digest)?.digest
  return [
    ...camps.slice(0, mostCamps).map(camp => {
      const read = camp.seats.flatMap(seat => answers.get(seat) ?? [])
      return JSON.stringify({
        position: maskFor(session)(session.question.format === 'open' ? camp.headline : camp.label),
        leading: camp.id === tally?.leading,
        seats: camp.seats.map(label),
        ...(read.length < camp.seats.length && { leftOut: camp.seats.length - read.length }),
        answers: read,
      })
    }),
    // Not every answer fits: what the last digest made of all of them comes with those that do.
    ...(all || !digest ? [] : digest.positions.map(position => positionLine(session, position))),
  ]
}

const moveLines = (session: Session): string[] => {
  const mask = maskFor(session)
  const label = (seat: string): string => seatLabel(seatOf(session, seat))
  const { ledger } = verdictOf(session)
  const cause = ({ credit, reason }: Pick<(typeof ledger)[number], 'credit' | 'reason'>) => ({
    ...(reason && { reason }),
    ...(credit?.verified && { because: label(credit.seat), words: mask(credit.quote) }),
  })
  const flips = ledger.slice(0, mostMoves).map(flip =>
    JSON.stringify({
      moved: label(flip.seat),
      to: mask(answerIn(roundAt(session, flip.round), flip.seat)?.headline ?? ''),
      ...cause(flip),
    }),
  )
  const grants = grantsOf(session)
    .slice(0, mostMoves)
    .map(grant => JSON.stringify({ [grant.decision]: label(grant.seat), ...cause(grant) }))
  return [...flips, ...grants]
}

const statementLines = (session: Session): string[] => {
  const mask = maskFor(session)
  const lines = session.roundsSoFar.flatMap(round =>
    (round.statements ?? []).flatMap(statement => {
      if (statement.error) return []
      const { seat, argument, question } = statement
      const asked = question ? { question: mask(question) } : {}
      return [
        JSON.stringify({
          advocate: seatLabel(seatOf(session, seat)),
          argument: shortened(mask(argument), longestText),
          ...asked,
        }),
      ]
    }),
  )
  let room = roomForStatements
  return lines.filter(line => {
    room -= line.length
    return room >= 0
  })
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

/** One JSON object a line. The counted line may quote a seat, so it goes behind the fence like everything else. */
export const reportFacts = (session: Session): string[] => [
  ...(session.asLabelled ? [] : [JSON.stringify({ counted: maskFor(session)(verdictOf(session).line) })]),
  ...campLines(session),
  ...session.roundsSoFar.flatMap(round => objectionLines(session, round)),
  ...moveLines(session),
  ...statementLines(session),
  ...readingLines(session),
  ...beside(session),
  ...askerLines(session, Number.POSITIVE_INFINITY),
]
