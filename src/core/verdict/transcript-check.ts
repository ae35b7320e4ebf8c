/** Compares what an imported transcript claims with what can be computed from its own texts. */
import { groupingOf, isGrouped } from '../camps/camps.ts'
import type { ChangeWord } from '../log/event.ts'
import { latestRound, type Session } from '../log/state.ts'
import { verdictLine } from '../wording/verdict-line.ts'
import { type Level, tallyOf } from './tally.ts'

export interface CheckedSeat {
  readonly seat: string
  /** The transcript marks the seat as changed. */
  readonly claimed: boolean
  /** What its text says. Null if the quoted proof isn't in the text, or the moderator couldn't read it. */
  readonly says: ChangeWord | null
  readonly quote: string
  /** Whether the mark and the text agree. Null if the text doesn't say. */
  readonly holds: boolean | null
}

export interface TranscriptCheck {
  readonly moderator: string
  readonly claimed: { readonly line: string }
  /** Null if nobody grouped the headlines: different words alone say nothing. */
  readonly computed: { readonly line: string; readonly level: Level | null; readonly agree: number } | null
  readonly contested: boolean
  readonly seats: readonly CheckedSeat[]
}

const checkedSeat = (session: Session, seat: string): CheckedSeat[] => {
  const change = session.changes?.[seat]
  if (!change) return []
  const claimed = session.imported?.changed.includes(seat) ?? false
  const stands = 'says' in change && (change.verified || change.says === 'not told')
  const says = stands ? change.says : null
  const told = says !== null && says !== 'not told'
  const quote = 'quote' in change ? change.quote : ''
  return [{ seat, claimed, says, quote, holds: told ? claimed === (says === 'switched') : null }]
}

/** Null if nobody has checked the session, or it isn't a transcript. */
export const transcriptCheckOf = (session: Session): TranscriptCheck | null => {
  const round = latestRound(session)
  if (!session.imported || !session.changes || session.moderator === null || !round) return null
  const grouping = groupingOf(session, round)
  const tally = tallyOf(session, round)
  const { level, agree } = tally
  const isCounted = isGrouped(grouping) && grouping.by !== 'headline'
  return {
    moderator: session.moderator,
    claimed: { line: session.imported.line },
    computed: isCounted ? { line: verdictLine(session, tally, null), level, agree } : null,
    contested: grouping.contested,
    seats: session.seats.flatMap(({ id }) => checkedSeat(session, id)),
  }
}
