/** What an imported transcript claims beside what its own texts say, row by row. */
import type { ChangeWord } from '../log/event.ts'
import type { TranscriptCheck } from '../verdict/transcript-check.ts'
import type { Verdict } from '../verdict/verdict.ts'

const says: Record<ChangeWord, string> = {
  held: 'says that it held its position',
  refined: 'says that it refined its position',
  switched: 'says that it changed its mind',
  'not told': 'does not say',
}

export interface TranscriptClaim {
  readonly what: string
  readonly claimed: string
  readonly computed: string
  readonly quote: string
  /** Whether claim and text agree; null where that cannot be told. */
  readonly holds: boolean | null
}

interface Checked {
  readonly check?: Omit<TranscriptCheck, 'moderator'> | null
  readonly verdict: Pick<Verdict, 'level' | 'agree'>
  readonly seats: readonly { readonly id: string; readonly name: string }[]
}

/** What a transcript claims beside what its own texts say; the agreement first, then every seat. */
export const transcriptClaims = ({ check, verdict, seats }: Checked): TranscriptClaim[] => {
  if (!check) return []
  const name = (seat: string): string => seats.find(({ id }) => id === seat)?.name ?? seat
  const { computed } = check
  const same = computed && computed.level === verdict.level && computed.agree === verdict.agree
  return [
    {
      what: 'Agreement',
      claimed: check.claimed.line,
      computed: computed ? `${computed.line}${check.contested ? ' (contested)' : ''}` : 'not grouped',
      quote: '',
      holds: same,
    },
    ...check.seats.map(seat => ({
      what: name(seat.seat),
      claimed: seat.claimed ? 'changed mind' : 'no change',
      computed: seat.says === null ? 'no words that prove anything' : says[seat.says],
      quote: seat.says === null ? '' : seat.quote,
      holds: seat.holds,
    })),
  ]
}

export const holdsText = (holds: boolean | null): string => {
  if (holds === null) return 'not told'
  return holds ? 'yes' : 'no'
}
