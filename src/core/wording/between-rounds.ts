/** What a round holds besides answers, in plain words: what the next one read, stakes, advocates, a judge. */
import { groupingOf } from '../camps/camps.ts'
import { wordingOf } from '../errors.ts'
import { rulingText, statementText } from '../group/examination.ts'
import type { Figures } from '../group/figures.ts'
import { type Round, type Session, seatOf } from '../log/state.ts'
import { figuresText, stakeText } from './figures-text.ts'

export interface BetweenRounds {
  readonly who: string
  readonly words: string
}

type Showing = Pick<Round, 'digest' | 'statements' | 'rulings'>

/** How seats and camps are called, and in what unit numbers are. */
export interface Names {
  readonly unit?: string
  seat(id: string): string
  camp(id: string): string
}

/** The names that a session itself has for them after a round. */
export const namesIn = (session: Session, round: Round): Names => ({
  ...(session.question.unit && { unit: session.question.unit }),
  seat: id => seatOf(session, id).name,
  camp: id => groupingOf(session, round).camps.find(camp => camp.id === id)?.label ?? id,
})

const figureExhibits = (figures: Figures | undefined, { unit, seat }: Names): BetweenRounds[] => {
  if (!figures) return []
  const stakes = figures.kind === 'prices' ? figures.stakes : []
  return [
    ...stakes.map(stake => ({ who: seat(stake.seat), words: stakeText(stake) })),
    { who: 'The group', words: figuresText({ unit }, figures) },
  ]
}

const statementExhibits = ({ statements = [] }: Showing, { seat }: Names): BetweenRounds[] =>
  statements.map(statement => ({
    who: `${statement.by?.name ?? seat(statement.seat)}, advocate, turn ${statement.turn + 1}`,
    words: statementText(statement),
  }))

const rulingExhibits = (round: Showing, { camp }: Names): BetweenRounds[] => {
  const each = (round.rulings ?? []).flatMap((ruling, order): BetweenRounds[] => {
    if (!ruling) return []
    const who = `Judge, order ${order + 1} of 2`
    if (!('words' in ruling))
      return [{ who, words: `failed (${wordingOf(ruling.kind).short}): ${ruling.message}` }]
    const side = ruling.camp === null ? 'neither side' : `“${camp(ruling.camp)}”`
    return [{ who, words: `for ${side}: ${ruling.words}` }]
  })
  const outcome = rulingText(round, camp)
  return outcome ? [...each, { who: 'Judge', words: outcome }] : each
}

/** The positions and arguments as they were summed up for the next round. */
export const digestParts = ({ digest }: Showing, { seat }: Names): BetweenRounds[] =>
  (digest?.positions ?? []).map(({ position, arguments: quotes }) => ({
    who: position,
    words: quotes.map(quote => `“${quote.quote}” (${seat(quote.seat)})`).join('\n\n'),
  }))

export const betweenRoundsOf = (round: Showing, names: Names): BetweenRounds[] => [
  ...figureExhibits(round.digest?.figures, names),
  ...statementExhibits(round, names),
  ...rulingExhibits(round, names),
]
