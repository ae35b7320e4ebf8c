/** In plain words: what other rules would have said, who moved whom, and what a transcript claims. */

import type { ChangeWord } from '../core/event.ts'
import { pullShare } from '../core/influence.ts'
import type { SessionDocument } from './document.ts'
import { nameOf, percent } from './wording.ts'

const ruleLabels: Readonly<Record<string, string>> = {
  majority: 'plain vote of the last round',
  'sealed-majority': 'plain vote of the sealed round',
  'final-majority': 'plain vote of the last round',
  trajectory: 'trajectory vote (sealed once, all open rounds once)',
  'sealed-confidence': 'votes weighed by sealed confidence',
  'log-odds': 'votes weighed by track record',
  'surprisingly-popular': 'surprisingly popular answer',
  schulze: 'Schulze order of the last round',
  'sealed-schulze': 'Schulze order of the sealed round',
  'final-schulze': 'Schulze order of the last round',
  borda: 'Borda count',
  median: 'median of the last round',
  'sealed-median': 'median of the sealed round',
  'final-median': 'median of the last round',
  geometric: 'geometric mean',
  trimmed: 'trimmed mean',
  'mean-log-odds': 'mean log-odds',
}

export const ruleLabel = (rule: string): string => ruleLabels[rule] ?? rule

export interface OtherText {
  readonly rule: string
  readonly answer: string
}

export const othersOf = ({ verdict }: Pick<SessionDocument, 'verdict'>): OtherText[] =>
  verdict.others.map(({ rule, answer }) => ({ rule: ruleLabel(rule), answer: answer ?? 'a tie' }))

export interface PullText {
  readonly who: string
  /** "2 of 5 (40%)" */
  readonly followed: string
  /** "1 by words that check out" */
  readonly credited: string
}

/** Seats that somebody followed. Where nobody did, there was no influence to speak of. */
export const pullsOf = (document: SessionDocument): PullText[] =>
  document.influence.pull
    .filter(({ adopters }) => adopters > 0)
    .map(({ seat, adopters, exposures, credited }) => ({
      who: nameOf(document, seat),
      followed: `${adopters} of ${exposures} (${percent(pullShare({ adopters, exposures }))})`,
      credited: `${credited}`,
    }))

const says: Record<ChangeWord, string> = {
  held: 'says that it held its position',
  refined: 'says that it refined its position',
  switched: 'says that it changed its mind',
  'not told': 'does not say',
}

export interface ClaimRow {
  readonly what: string
  readonly claimed: string
  readonly computed: string
  readonly quote: string
  /** Whether claim and text agree; null where that cannot be told. */
  readonly holds: boolean | null
}

/** What a transcript claims beside what its own texts say; the agreement first, then every seat. */
export const claimRows = (document: Pick<SessionDocument, 'check' | 'verdict' | 'seats'>): ClaimRow[] => {
  const { check, verdict } = document
  if (!check) return []
  const name = (seat: string): string => document.seats.find(({ id }) => id === seat)?.name ?? seat
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

export const resolvedText = (document: SessionDocument): string | undefined => {
  const { resolved, verdict, seats } = document
  if (!resolved) return undefined
  const camps = verdict.final?.camps.filter(camp => resolved.camps.includes(camp.id)) ?? []
  const right = camps.flatMap(camp => camp.seats).length
  return `Right was: ${resolved.answer} (${right} of ${seats.length} at the end, told ${resolved.at.slice(0, 10)})`
}
