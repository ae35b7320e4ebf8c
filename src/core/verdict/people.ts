/** People and models counted apart, and whether the people decided which camp leads. */
import type { Session } from '../log/state.ts'
import { seatsIn } from '../log/state.ts'
import type { Tally } from './tally.ts'

export interface PartCount {
  /** Seats, silent ones included. */
  readonly of: number
  readonly answered: number
  /** Seats in the camp that leads at the whole table. Zero if none leads. */
  readonly agree: number
  /** The camp that would lead if nobody else had a seat. Null: none would. */
  readonly leading: string | null
}

export interface PeopleApart {
  readonly people: PartCount
  readonly models: PartCount
}

const leaderAmong = (tally: Tally, seats: ReadonlySet<string>): string | null => {
  const sizes = tally.camps
    .map(({ id, seats: all }) => ({ id, size: all.filter(seat => seats.has(seat)).length }))
    .sort((one, other) => other.size - one.size)
  const [first, second] = sizes
  return first && first.size > 0 && first.size !== second?.size ? first.id : null
}

/** Undefined if no person holds a seat. Texts aren't a vote, so nobody leads among them. */
export const peopleApart = (session: Session, tally: Tally | null): PeopleApart | undefined => {
  if (!tally || session.imported || !session.seats.some(({ person }) => person)) return undefined
  const table = seatsIn(session, tally.round)
  const missing = new Set([...tally.silent, ...tally.abstained])
  const leading = tally.camps.find(({ id }) => id === tally.leading)
  const part = (isPerson: boolean): PartCount => {
    const own = new Set(table.filter(({ person = false }) => person === isPerson).map(({ id }) => id))
    const handedIn = session.roundsSoFar.find(({ index }) => index === tally.round)?.handedIn ?? {}
    return {
      of: own.size,
      answered: [...own].filter(seat => !missing.has(seat) && handedIn[seat]?.status === 'given').length,
      agree: leading?.seats.filter(seat => own.has(seat)).length ?? 0,
      leading: tally.level === null ? null : leaderAmong(tally, own),
    }
  }
  return { people: part(true), models: part(false) }
}

/** A camp leads, and the models alone would have put another one first, or none. */
export const peopleDecided = (session: Session, tally: Tally | null): boolean => {
  const apart = peopleApart(session, tally)
  return apart !== undefined && tally?.leading != null && apart.models.leading !== tally.leading
}
