/** What an imported transcript claims beside what its own texts say, row by row. */
import type { ChangeWord } from '../log/event.ts'
import type { TranscriptCheck } from '../verdict/transcript-check.ts'
import type { Verdict } from '../verdict/verdict.ts'
import { moveWords } from './move-words.ts'

const says: Record<ChangeWord, string> = {
  held: `says it ${moveWords.held}`,
  refined: `says it ${moveWords.refined}`,
  switched: `says it ${moveWords.switched}`,
  'not told': 'does not say',
}

export interface TranscriptClaim {
  readonly what: string
  readonly claimed: string
  readonly computed: string
  readonly quote: string
  /** Whether claim and text agree; null if that is unknown. */
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
      claimed: seat.claimed ? moveWords.switched : 'no change',
      computed: seat.says === null ? 'no quote that proves it' : says[seat.says],
      quote: seat.says === null ? '' : seat.quote,
      holds: seat.holds,
    })),
  ]
}

export const holdsText = (holds: boolean | null): string => {
  if (holds === null) return 'unknown'
  return holds ? 'yes' : 'no'
}
