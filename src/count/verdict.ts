/** The verdict: every number that the table shows, computed here and nowhere else. */
import { usageOf } from '../core/fold.ts'
import { canBeRight } from '../core/form.ts'
import { type Credit, decisionOf, type Format, isInPicture, type Reason } from '../core/question.ts'
import {
  answerIn,
  hasWords,
  isClosed,
  latestRound,
  type Round,
  roundAt,
  roundBefore,
  type Session,
  seatsIn,
} from '../core/session.ts'
import { givenIn } from './camps.ts'
import { favouriteOf, rulingOf } from './group.ts'
import { type Flip, flipsOf } from './moves.ts'
import { campIds, groupingOf, isGrouped } from './settle.ts'
import {
  compatibleWith,
  countedIn,
  hasQuorum,
  type Level,
  type PeopleApart,
  peopleApart,
  peopleDecided,
  type Tally,
  tallyOf,
} from './tally.ts'
import { asidesOf, importedLevel, verdictLine } from './verdict-line.ts'

// citationCounts: How many passages each seat cited, and how many of them stand. What stands in a picture nobody can look up: it isn't counted.

export interface CitationCount {
  readonly seat: string
  readonly cited: number
  /** Their words are in the exhibit. */
  readonly standing: number
}

/** Over all rounds. A seat that cited nothing has no entry. */
export const citationCountsOf = (session: Session): CitationCount[] => {
  const all = session.roundsSoFar.flatMap(round => givenIn(session, round))
  return session.seats.flatMap(({ id }) => {
    const citations = all
      .filter(({ seat }) => seat === id)
      .flatMap(({ answer }) => answer.citations?.filter(one => !isInPicture(one)) ?? [])
    const standing = citations.filter(({ verified }) => verified).length
    return citations.length > 0 ? [{ seat: id, cited: citations.length, standing }] : []
  })
}

// flags: Flags: what a reader should know before trusting a verdict. Each rule is one function.

/** Each flag with the plain words that explain it. */
export const flags = {
  herding:
    'Most changes of mind went to the leading camp and cite nothing that checks out. The last vote still decides: compare it with the sealed one.',
  'minority overrun':
    'Every seat of one position in the sealed vote left it for the leading one, and none of them cites words that check out.',
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

export interface Verdict {
  readonly level: Level | null
  readonly agree: number
  readonly of: number
  /** Seats whose answer is counted. */
  readonly answered: number
  readonly leading: string | null
  /** Seats that answered and are not in the leading camp. */
  readonly dissent: readonly string[]
  readonly sealed: Tally | null
  readonly final: Tally | null
  /** How often a seat left one camp for another. */
  readonly flips: number
  readonly ledger: readonly Flip[]
  /** The rule that decided the last vote: `majority`, `schulze` or `median`. Null: nobody counted. */
  readonly rule: string | null
  /** Sentences beside the count: what the sealed answers alone say, and in a tie the track records, if it is something else. */
  readonly asides: readonly string[]
  readonly flags: readonly Flag[]
  /** People and models counted apart, in the vote that counts. Absent if no person holds a seat. */
  readonly apart?: PeopleApart
  readonly line: string
}

/**
 * A round that isn't closed isn't a vote: while it is being answered, or after a crash, the last closed round counts. So
 * it does if nobody answered in the rounds after it. A session that was stopped is judged by its last round with a quorum.
 */
const finalRound = (session: Session): Round | undefined => {
  const last = session.roundsSoFar.at(-1)
  if (!session.stopped) {
    const closed = session.roundsSoFar.filter(round => isClosed(session, round))
    return closed.findLast(hasWords) ?? closed.at(-1) ?? last
  }
  const quorate = (round: Round): boolean =>
    hasQuorum(givenIn(session, round).length, seatsIn(session, round.index).length)
  return session.roundsSoFar.findLast(quorate) ?? last
}

/** A state never changes, so its verdict is counted only once. */
const remembered = new WeakMap<Session, Verdict>()

export const verdictOf = (session: Session): Verdict => {
  const verdict = remembered.get(session) ?? countedVerdict(session)
  remembered.set(session, verdict)
  return verdict
}

/** Nothing decides between texts. */
const decidingRules: Record<Format, string | null> = {
  open: 'majority',
  choice: 'majority',
  ranking: 'schulze',
  number: 'median',
  text: null,
}

const countedVerdict = (session: Session): Verdict => {
  const last = finalRound(session)
  const sealedRound = session.roundsSoFar.find(round => round.sealed)
  const final = last ? tallyOf(session, last) : null
  const sealed = sealedRound ? tallyOf(session, sealedRound) : null
  const ledger = flipsOf(session).filter(flip => last !== undefined && flip.round <= last.index)
  const herding = !session.imported && sealed !== null && isHerding(session, ledger, final?.leading ?? null)
  const apart = peopleApart(session, final)
  const claimed = session.imported && importedLevel(session.imported.line, session.seats.length)
  return {
    level: claimed ? claimed.level : final ? final.level : 'no-quorum',
    agree: claimed ? claimed.agree : (final?.agree ?? 0),
    of: last && !claimed ? seatsIn(session, last.index).length : session.seats.length,
    answered: final ? countedIn(final) : 0,
    leading: claimed ? null : (final?.leading ?? null),
    dissent: claimed || !final?.leading ? [] : dissentOf(final),
    sealed,
    final,
    flips: ledger.length,
    ledger,
    rule: session.imported ? null : decidingRules[session.question.format],
    asides: asidesOf(session, sealed, final),
    flags: flagsOf(session, { sealed, final, ledger, herding, leading: final?.leading ?? null }),
    ...(apart && { apart }),
    line: session.imported?.line ?? verdictLine(session, final, herding ? sealed : null),
  }
}

/** The round that faces show: once the session is over, the one that was counted; until then, the latest. */
export const shownRound = (session: Session): Round | undefined => {
  const counted = session.outcome ? verdictOf(session).final : null
  return counted ? roundAt(session, counted.round) : latestRound(session)
}

/** The seats of the leading camp, if one leads and more than one is in it. */
export const agreeing = (session: Session): readonly string[] => {
  const { leading, final } = verdictOf(session)
  const camp = session.outcome && final?.camps.find(({ id }) => id === leading)
  return camp && camp.seats.length > 1 ? camp.seats : []
}

/** The seats that disagree with a majority. Answers that leave room for each other are no quarrel. */
export const disagreeing = (session: Session): readonly string[] => {
  const { level, dissent, final, leading } = verdictOf(session)
  const isAgreed = level === 'supermajority' || level === 'majority'
  return isAgreed && final && leading !== null && compatibleWith(final, leading).length === 0 ? dissent : []
}

/** The tally that the verdict is based on: the last one, even if the table herded (decision 29). */
export const decidingTally = ({ final }: Verdict): Tally | null => final

const dissentOf = (tally: Tally): string[] =>
  tally.camps.filter(camp => camp.id !== tally.leading).flatMap(camp => [...camp.seats])

// reportMoves: Who moved, and by whose words: changes of mind, and points that a seat granted while its answer stood.

/** A seat that conceded a point or narrowed its answer, and stayed in its camp. */
export interface Grant {
  readonly seat: string
  readonly round: number
  readonly decision: 'conceded' | 'narrowed'
  readonly credit: Credit | null
  readonly reason: Reason | null
}

/** Every grant of the rounds that count, in order of rounds and seats. */
export const grantsOf = (session: Session): Grant[] => {
  const { ledger, final } = verdictOf(session)
  return session.roundsSoFar
    .filter(({ index, sealed }) => !sealed && index <= (final?.round ?? -1))
    .flatMap(round =>
      session.seats.flatMap(({ id }): Grant[] => {
        const answer = answerIn(round, id)
        const decision = answer && decisionOf(answer)
        const flipped = ledger.some(flip => flip.round === round.index && flip.seat === id)
        if (flipped || (decision !== 'conceded' && decision !== 'narrowed')) return []
        return [
          {
            seat: id,
            round: round.index,
            decision,
            credit: answer?.credit ?? null,
            reason: answer?.reason ?? null,
          },
        ]
      }),
    )
}

/** Seats that moved or granted something, with those whose words did it and are where they should be. */
export const movedBy = (session: Session): Moves => {
  const known = rememberedReportMoves.get(session) ?? countedMoves(session)
  rememberedReportMoves.set(session, known)
  return known
}

type Moves = ReadonlyMap<string, ReadonlySet<string>>
const rememberedReportMoves = new WeakMap<Session, Moves>()

const countedMoves = (session: Session): Moves => {
  const moved = new Map<string, Set<string>>()
  for (const { seat, credit } of [...verdictOf(session).ledger, ...grantsOf(session)]) {
    const by = moved.get(seat) ?? new Set<string>()
    moved.set(seat, credit?.verified ? by.add(credit.seat) : by)
  }
  return moved
}

// influence: Influence: who moved whom, and how strongly each seat pulls others into its camp.

/** A seat that changed its mind, and the peer that it credits for it. */
export interface Moved {
  readonly seat: string
  readonly by: string
  readonly round: number
  readonly quote: string
  /** Whether the quoted words are in that peer's answer. If not, nobody knows what moved the seat. */
  readonly verified: boolean
}

export interface Pull {
  readonly seat: string
  /** How often a peer from another camp answered again after this seat's answer could be read. */
  readonly exposures: number
  /** How often that peer then joined the camp that this seat had been in. */
  readonly adopters: number
  /** How many of those credit this seat with words that are in its answer. */
  readonly credited: number
}

/** A seat that stayed in its camp, and granted a peer's point: its words stand in the peer's answer. */
export type Concession = Moved

export interface Influence {
  readonly moved: readonly Moved[]
  /** Points that seats granted each other without changing their mind. */
  readonly granted: readonly Concession[]
  /** Strongest first, without the seats that nobody could have followed. */
  readonly pull: readonly Pull[]
}

/** An open round: the camp of each seat before it and after it. */
interface Passage {
  readonly round: Round
  readonly before: ReadonlyMap<string, string>
  readonly after: ReadonlyMap<string, string>
}

const passageOf = (session: Session, round: Round): Passage => {
  const byRound = new Map(session.roundsSoFar.map(one => [one.index, campIds(session, one)]))
  const before = session.seats.flatMap(({ id }): [string, string][] => {
    const last = roundBefore(session, round.index, id)
    const camp = last && byRound.get(last.index)?.get(id)
    return camp === undefined ? [] : [[id, camp]]
  })
  return { round, before: new Map(before), after: campIds(session, round) }
}

const pullIn = ({ round, before, after }: Passage, seat: string): Omit<Pull, 'seat'> => {
  const own = before.get(seat)
  const peers = own === undefined ? [] : [...before].filter(([peer, camp]) => peer !== seat && camp !== own)
  const exposed = peers.map(([peer]) => peer).filter(peer => after.has(peer))
  const adopters = exposed.filter(peer => after.get(peer) === own)
  const credited = adopters.filter(peer => {
    const credit = answerIn(round, peer)?.credit
    return credit?.verified && credit.seat === seat
  })
  return { exposures: exposed.length, adopters: adopters.length, credited: credited.length }
}

const pullOf = (passages: readonly Passage[], seat: string): Pull =>
  passages
    .map(passage => pullIn(passage, seat))
    .reduce<Pull>(
      (sum, one) => ({
        seat,
        exposures: sum.exposures + one.exposures,
        adopters: sum.adopters + one.adopters,
        credited: sum.credited + one.credited,
      }),
      { seat, exposures: 0, adopters: 0, credited: 0 },
    )

/** Adopters per exposure. */
export const pullShare = ({ adopters, exposures }: Pick<Pull, 'adopters' | 'exposures'>): number =>
  exposures === 0 ? 0 : adopters / exposures

/** Points that a seat granted while its answer stood, if it credits words that were found. */
export const concessionsOf = (session: Session): Concession[] =>
  grantsOf(session).flatMap(({ seat, round, credit }) => {
    const points = answerIn(roundAt(session, round), seat)?.points?.filter(({ moved }) => moved) ?? []
    const granted = points.length > 0 ? points : credit ? [credit] : []
    return granted
      .filter(({ verified }) => verified)
      .map(({ seat: by, quote }) => ({ seat, by, round, quote, verified: true }))
  })

/**
 * An imported transcript lacks the answers that seats had read, so it says nothing about influence. Texts take no side
 * that others could join. Once the session is over, a round that didn't count says nothing either.
 */
export const influenceOf = (session: Session): Influence => {
  if (session.imported || session.question.format === 'text') return { moved: [], granted: [], pull: [] }
  const last = shownRound(session)?.index ?? 0
  const moved = flipsOf(session).flatMap(({ seat, round, credit }): Moved[] =>
    credit && round <= last
      ? [{ seat, by: credit.seat, round, quote: credit.quote, verified: credit.verified }]
      : [],
  )
  const passages = session.roundsSoFar
    .filter(({ sealed, index }) => !sealed && index <= last)
    .map(round => passageOf(session, round))
  const pull = session.seats
    .map(seat => pullOf(passages, seat.id))
    .filter(({ exposures }) => exposures > 0)
    .sort((one, other) => pullShare(other) - pullShare(one) || other.credited - one.credited)
  return { moved, granted: concessionsOf(session).filter(({ round }) => round <= last), pull }
}

// provisional: The verdict so far, while a session runs: the count of its last closed round. It may still change.

export interface Provisional {
  readonly round: Round
  readonly tally: Tally
  /** The round is still being answered: seats that haven't answered in it count with what they said before. */
  readonly running: boolean
  /** "4 of 6 models agreed" */
  readonly line: string
  /** Nobody has compared the answers of this round yet: there are no camps. */
  readonly uncompared: boolean
  /** Who belongs to which camp is still being checked. */
  readonly unchecked: boolean
}

const isCompared = (session: Session, round: Round): boolean =>
  groupingOf(session, round).unplaced.length === 0

const rememberedProvisional = new WeakMap<Session, Provisional | null>()

/** Null before the first round is closed, and as soon as there is a verdict. */
export const provisionalOf = (session: Session): Provisional | null => {
  const known = rememberedProvisional.get(session)
  if (known !== undefined) return known
  const counted = countedSoFar(session)
  rememberedProvisional.set(session, counted)
  return counted
}

const countedSoFar = (session: Session): Provisional | null => {
  if (session.outcome || session.stopped || session.imported) return null
  const closed = session.roundsSoFar.filter(round => isClosed(session, round))
  if (closed.length === 0) return null
  const said = closed.filter(hasWords)
  const latest = latestRound(session)!
  // An option needs no comparing: the count of the last round would contradict what seats have said since.
  const running = session.question.format === 'choice' && !isClosed(session, latest) && hasWords(latest)
  // Until the newest round is compared, the one before it is what is known.
  const round = running
    ? latest
    : (said.findLast(one => isCompared(session, one)) ?? said.at(-1) ?? closed.at(-1)!)
  const tally = tallyOf(session, round)
  const uncompared = !isCompared(session, round)
  return {
    round,
    tally,
    running,
    uncompared,
    unchecked: !uncompared && !isGrouped(groupingOf(session, round)),
    line: uncompared
      ? `${tally.answered} of ${tally.of} answered; nobody has compared the answers yet`
      : verdictLine(session, tally, null),
  }
}
