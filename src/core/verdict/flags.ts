/** Flags: what a reader should know before trusting a verdict. Each rule is one function. */
import { givenIn } from '../camps/camp.ts'
import { groupingOf } from '../camps/camps.ts'
import type { Flip } from '../camps/moves.ts'
import { rulingOf } from '../group/examination.ts'
import { favouriteOf } from '../group/market.ts'
import { answerIn, type Round, roundAt, type Session } from '../log/state.ts'
import { usageOf } from '../log/usage.ts'
import { canBeRight } from '../question/kind.ts'
import { citationCountsOf } from './citation-counts.ts'
import { peopleDecided } from './people.ts'
import { type Tally, tallyOf } from './tally.ts'

/** Each flag with the plain words that explain it. */
export const flags = {
  herding:
    'Most changes of mind went to the leading camp and cite nothing that checks out. The last vote still decides: compare it with the sealed one.',
  'minority overrun':
    'Every seat of one position in the sealed vote left it for the leading one, and none of them cites words that check out.',
  'surprisingly popular':
    'In the sealed round an answer that does not lead got clearly more votes than the seats had expected: the few who gave it may know better.',
  'length bias':
    'The answers that won others over were at least twice as long as the rest: their length may have won, not their reasons.',
  'contested grouping':
    'The moderator grouped the headlines twice and differently, a membership could not be checked, or two camps were found to say the same.',
  ungrouped: 'No moderator grouped the headlines, so only equal headlines count as agreement.',
  'low confidence':
    'Read the answers yourself: the leading seats were less than 50% sure in the sealed round, or only a small model compared the headlines.',
  'judge dissents':
    'A judge without a seat read both cases in both orders and ruled for a position that does not lead.',
  'judge swayed by order':
    'The judge ruled differently when it read the sides in the other order, so its ruling does not count.',
  'market dissents': 'The option with the highest price is not the one that most seats chose.',
  'people decided':
    'The seats of people decided which answer leads: the models alone would have put another one first, or none.',
  'unsupported sources':
    'An answer cites words that are not in the exhibit or source it names, or that could not be looked up. Each such citation is marked.',
  'unseen pictures':
    'Pictures are attached, and the models of some seats cannot see them. Those seats were told so.',
  excerpts:
    'What is attached is too long for a model at the table, so all seats read the same excerpts of it. Citations are looked up in the whole.',
  'without sources': 'The web search failed or found nothing. The answers rest on what the models know.',
  'not all searched': 'The makers of some seats have no known search tool. These answered without searching.',
  'language drift': 'A seat did not answer in the language of the question, even when asked again.',
  'moderator on panel': "The moderator's model also holds a seat.",
  'report by code':
    'No moderator wrote the report, or what it wrote did not agree with the counts. The text only repeats the counts.',
  'budget reached': 'The budget was too small for all calls of the session.',
  'over budget':
    'A provider used more tokens than it was allowed, so the session used more than its budget. Nothing was called after that.',
  interrupted: 'The session was stopped before it was done.',
  failed: 'The session could not be finished: its log says why.',
  'demo-grade': 'Very small models hold seats. They show how a table works: do not rely on their answers.',
  'scripted seats': 'Replies of scripted seats were written in advance, not by a model.',
} as const
export type Flag = keyof typeof flags

/** What the verdict has counted before it gets its flags. */
export interface Counted {
  readonly sealed: Tally | null
  readonly final: Tally | null
  readonly ledger: readonly Flip[]
  readonly herding: boolean
  /** In the vote that counts. */
  readonly leading: string | null
  /** The rule `surprisingly-popular` chooses an answer that doesn't lead. */
  readonly surprise: boolean
}

/** The challenger objected to the camp that this seat then left: that is a reason to move, and not herding. */
const wasChallenged = (session: Session, flip: Flip): boolean => {
  const before = roundAt(session, flip.round - 1)
  return Boolean(before?.objection) && tallyOf(session, before!).leading === flip.from
}

/** Joined the leading camp for no reason that anybody can check. */
const followed = (session: Session, flip: Flip, leading: string): boolean =>
  flip.to === leading && !flip.credit?.verified && !wasChallenged(session, flip)

/** One seat that follows is no herd. */
const fewestFollowers = 2

/** Several seats, and more than half of the flips, went to the leading camp and cite nothing that checks out. */
export const isHerding = (session: Session, ledger: readonly Flip[], leading: string | null): boolean => {
  if (leading === null) return false
  const followers = ledger.filter(flip => followed(session, flip, leading))
  return (
    new Set(followers.map(({ seat }) => seat)).size >= fewestFollowers && followers.length * 2 > ledger.length
  )
}

/** All seats of a sealed camp joined one that was larger than theirs and leads now, and none gave a reason that checks out. */
const isOverrun = (session: Session, { sealed, final, ledger }: Counted): boolean => {
  const leading = final?.leading
  if (!sealed || !final || !leading) return false
  const won = final.camps.find(camp => camp.id === leading)?.seats ?? []
  const joined = sealed.camps.find(camp => camp.id === leading)?.seats.length ?? 0
  const minorities = sealed.camps.filter(
    ({ id, seats }) => id !== leading && id !== sealed.leading && seats.length < joined,
  )
  return minorities.some(({ id, seats }) => {
    const left = ledger.filter(flip => flip.from === id && seats.includes(flip.seat))
    return (
      left.length > 0 &&
      seats.every(seat => won.includes(seat)) &&
      left.every(flip => followed(session, flip, leading))
    )
  })
}

const middle = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

const lengthsOf = (round: Round, seats: readonly string[]): number[] =>
  seats.flatMap(seat => {
    const answer = answerIn(round, seat)
    return answer ? [answer.headline.length + answer.reasoning.length] : []
  })

/** How much longer the winning answers must be before it is worth a flag. */
const muchLonger = 2

/** Seats joined the leading camp, whose answers in the round before were at least twice as long as the others. */
const isLengthBias = (session: Session, { final, ledger }: Counted): boolean => {
  const joined = ledger.filter(flip => flip.to !== null && flip.to === final?.leading)
  return joined.some(({ round, to }) => {
    const before = roundAt(session, round - 1)
    if (!before) return false
    const { camps } = groupingOf(session, before)
    const seatsWhere = (inside: boolean): string[] =>
      camps.filter(camp => (camp.id === to) === inside).flatMap(camp => [...camp.seats])
    const [own, others] = [lengthsOf(before, seatsWhere(true)), lengthsOf(before, seatsWhere(false))]
    return own.length > 0 && others.length > 0 && middle(own) >= muchLonger * middle(others)
  })
}

/** In the sealed round the leading camp gave its answer less than even odds. Later confidence only rises. */
const isUnsure = (session: Session, { sealed, final }: Counted): boolean => {
  const round = sealed ? roundAt(session, sealed.round) : undefined
  const camp = sealed?.camps.find(one => one.id === final?.leading)
  const sure = (camp?.seats ?? []).flatMap(seat => answerIn(round, seat)?.confidence ?? [])
  return sure.length > 0 && sure.reduce((sum, one) => sum + one, 0) / sure.length < 0.5
}

const hasDrifted = (session: Session): boolean =>
  session.roundsSoFar.some(round => givenIn(session, round).some(({ answer }) => answer.drifted))

const isOverBudget = (session: Session): boolean => {
  const { usd = Infinity, tokens = Infinity } = session.budget ?? {}
  const { inputTokens, outputTokens, costUsd } = usageOf(session)
  return inputTokens + outputTokens > tokens || (costUsd ?? 0) > usd
}

/** The last ruling that was made in both orders. */
const rulingIn = (session: Session) => session.roundsSoFar.flatMap(round => rulingOf(round) ?? []).at(-1)

export const flagsOf = (session: Session, counted: Counted): Flag[] => {
  // A round that ended early was grouped by nobody, and isn't counted either.
  const last = counted.final?.round ?? 0
  const groupings = session.roundsSoFar
    .filter(({ index }) => index <= last)
    .map(round => groupingOf(session, round))
  const { leading } = counted
  const [ruling, favourite] = [rulingIn(session), favouriteOf(session)]
  const found: Record<Flag, boolean> = {
    herding: counted.herding,
    'minority overrun': isOverrun(session, counted),
    'surprisingly popular': counted.surprise,
    'length bias': isLengthBias(session, counted),
    'contested grouping': groupings.some(grouping => grouping.contested),
    ungrouped: !session.imported && groupings.some(grouping => grouping.by === 'headline'),
    'low confidence':
      groupings.some(grouping => grouping.weak) || (canBeRight(session) && isUnsure(session, counted)),
    'judge dissents': Boolean(ruling?.camp) && leading !== null && ruling?.camp !== leading,
    'judge swayed by order': ruling?.consistent === false,
    'market dissents': favourite !== null && leading !== null && favourite !== leading,
    'people decided': peopleDecided(session, counted.final),
    'unsupported sources': citationCountsOf(session).some(({ cited, standing }) => standing < cited),
    'unseen pictures': session.seats.some(({ sees }) => sees === false),
    excerpts: session.excerpts !== undefined,
    'without sources':
      session.search === 'shared' && session.roundsSoFar.length > 0 && !session.sources?.length,
    'not all searched': session.roundsSoFar.some(round =>
      givenIn(session, round).some(({ answer }) => answer.unsearched),
    ),
    'language drift': hasDrifted(session),
    'moderator on panel': session.seats.some(seat => seat.model === session.moderator),
    'report by code': session.reportBy === 'code',
    'budget reached': session.stopped?.reason === 'budget',
    'over budget': isOverBudget(session),
    interrupted: session.stopped?.reason === 'interrupted',
    failed: session.stopped?.reason === 'failed',
    'demo-grade': session.seats.some(seat => seat.small),
    'scripted seats': session.seats.some(seat => seat.scripted),
  }
  return (Object.keys(found) as Flag[]).filter(flag => found[flag])
}
