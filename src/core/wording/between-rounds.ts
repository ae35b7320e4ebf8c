/** What happens between rounds, in words: figures of the group, stakes, advocates, a judge, the digest. */
import { groupingOf } from '../camps/camps.ts'
import { rulingText, statementText } from '../group/examination.ts'
import type { Figures } from '../group/figures.ts'
import { type Round, type Session, seatOf } from '../log/state.ts'
import { figuresText, stakeText } from './figures-text.ts'
import { failureName } from './handed-in.ts'

export interface BetweenRounds {
  readonly who: string
  readonly words: string
}

type RoundParts = Pick<Round, 'digest' | 'statements' | 'rulings' | 'said'>

/** What seats and camps are called, and which unit numbers have. */
export interface Names {
  readonly unit?: string
  seat(id: string): string
  camp(id: string): string
}

/** The session's own names for them, after a round. */
export const namesIn = (session: Session, round: Round): Names => ({
  ...(session.question.unit && { unit: session.question.unit }),
  seat: id => seatOf(session, id).name,
  camp: id => groupingOf(session, round).camps.find(camp => camp.id === id)?.label ?? id,
})

const figureTexts = (figures: Figures | undefined, { unit, seat }: Names): BetweenRounds[] => {
  if (!figures) return []
  const stakes = figures.kind === 'prices' ? figures.stakes : []
  return [
    ...stakes.map(stake => ({ who: seat(stake.seat), words: stakeText(stake) })),
    { who: 'The group', words: figuresText({ unit }, figures) },
  ]
}

const statementTexts = ({ statements = [] }: RoundParts, { seat }: Names): BetweenRounds[] =>
  statements.map(statement => ({
    who: `${statement.by?.name ?? seat(statement.seat)}, advocate, turn ${statement.turn + 1}`,
    words: statementText(statement),
  }))

const rulingTexts = (round: RoundParts, { camp }: Names): BetweenRounds[] => {
  const each = (round.rulings ?? []).flatMap((ruling, order): BetweenRounds[] => {
    if (!ruling) return []
    const who = `Judge, order ${order + 1} of 2`
    if (!('words' in ruling)) return [{ who, words: `failed, ${failureName(ruling)}: ${ruling.message}` }]
    const side = ruling.camp === null ? 'neither side' : `“${camp(ruling.camp)}”`
    return [{ who, words: `for ${side}: ${ruling.words}` }]
  })
  const outcome = rulingText(round, camp)
  return outcome ? [...each, { who: 'Judge', words: outcome }] : each
}

const askerTexts = ({ said = [] }: RoundParts, { seat }: Names): BetweenRounds[] =>
  said.map(({ words, to }) => ({ who: to === undefined ? 'The asker' : `The asker, to ${seat(to)}`, words }))

/** The positions and arguments, as they are summed up for the next round. */
export const digestParts = ({ digest }: RoundParts, { seat }: Names): BetweenRounds[] =>
  (digest?.positions ?? []).map(({ position, arguments: quotes }) => ({
    who: position,
    words: quotes.map(quote => `“${quote.quote}” (${seat(quote.seat)})`).join('\n\n'),
  }))

export const betweenRoundsOf = (round: RoundParts, names: Names): BetweenRounds[] => [
  ...figureTexts(round.digest?.figures, names),
  ...statementTexts(round, names),
  ...rulingTexts(round, names),
  ...askerTexts(round, names),
]
