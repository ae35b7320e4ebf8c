/** The verdict in one line that a person reads: "5 of 6 models agreed". */
import { counted, listed } from '../core/basics.ts'
import { canBeRight } from '../core/form.ts'
import { numberText } from '../core/reply.ts'
import { figureOf, logOddsOf, roundedTo, shrunkAccuracy } from '../core/rules.ts'
import { answerIn, hasWords, isClosed, isUnreached, roundAt, type Session, seatOf } from '../core/session.ts'
import { type Camp, newestIn, newestOf } from './camps.ts'
import { flipsOf, isRewritten } from './moves.ts'
import {
  aboutText,
  absenceOf,
  apartWords,
  compatibleWith,
  countedIn,
  figureText,
  keptWords,
  type Level,
  lineBeside,
  missingParts,
  peopleApart,
  rankingText,
  roundPhrase,
  seatCount,
  type Tally,
  tallyOf,
  tieOf,
} from './tally.ts'
import type { Provisional } from './verdict.ts'

// textWords: What there is to say about a round of texts. They aren't a vote, so nothing is claimed to be agreed.

/** The seats whose text isn't the one that they first wrote. */
export const rewrittenIn = (session: Session, index: number): string[] =>
  session.seats.flatMap(({ id }) => {
    const now = newestOf(session, roundAt(session, index), id)
    const first = session.roundsSoFar.map(round => answerIn(round, id)).find(answer => answer !== undefined)
    return now && first && isRewritten(first, now) ? [id] : []
  })

/** "6 texts; 2 were rewritten after reading the others" */
export const textsLine = (session: Session, tally: Tally): string => {
  const { round, camps } = tally
  const grouped = camps.length > 0 ? ` in ${counted(camps.length, 'camp')} by intent` : ''
  const texts = `${counted(countedIn(tally), 'text')}${grouped}`
  if (roundAt(session, round)?.sealed) return texts
  const count = rewrittenIn(session, round).length
  const rewritten = `${count === 0 ? 'none' : count} ${count < 2 ? 'was' : 'were'} rewritten`
  return `${texts}; ${rewritten} after reading the others`
}

/** "Mistral Medium 3.1 was silent (timed out): its answer from the sealed round counts", for every seat that is missing. */
export const absences = (session: Session, tally: Tally): string => {
  const name = (seat: string): string => seatOf(session, seat).name
  const silent = (seat: string): string => {
    const kept = keptWords(session, tally, seat)
    return `${name(seat)} was silent (${absenceOf(session, tally.round, seat)})${kept && `: ${kept}`}`
  }
  const round = roundAt(session, tally.round)
  const over = session.outcome !== undefined || (round !== undefined && isClosed(session, round))
  const late = (tally.kept ?? []).filter(({ seat }) => over && !tally.silent.includes(seat))
  return [
    ...tally.silent.map(silent),
    ...late.map(({ seat }) => `${name(seat)} has not answered: ${keptWords(session, tally, seat)}`),
    ...tally.abstained.map(seat => `${name(seat)} abstained`),
  ].join(', ')
}

/** Among others: its commas would look like those between the camps, and its full stop would end the line. */
export const shortLabel = ({ label }: Camp): string => {
  if (label.length > 60) return `“${label.slice(0, 57).toWellFormed()}…”`
  const words = label.replace(/\.$/, '')
  return /[,;:.] /.test(words) ? `“${words}”` : words
}

const countedCamps = (camps: readonly Camp[]): string =>
  camps.map(camp => `${camp.seats.length} for ${shortLabel(camp)}`).join(', ')

/** Rounds of older prompts have no figure: their median has no more digits than their answers support, either. */
const medianText = (
  session: Session,
  { round, median = Number.NaN }: Tally,
  textOf: typeof figureText = figureText,
): string => {
  const { unit, scale } = session.question
  const answered = roundAt(session, round)
  const values = answered ? newestIn(session, answered).flatMap(({ answer }) => answer.number ?? []) : []
  const figure = figureOf(values, scale)
  return figure ? textOf(figure, unit) : numberText(median, unit)
}

const combined = (session: Session, tally: Tally): string => {
  if (tally.ranking) return `; combined: ${rankingText(tally.ranking)}`
  if (tally.figure) return `; ${figureText(tally.figure, session.question.unit)}`
  if (tally.median !== undefined) return `; median ${medianText(session, tally)}`
  return ''
}

/** Seats of the largest camp that agree with a caveat are never passed off as plain agreement. */
const caveats = ({ camps }: Tally): string => {
  const count = camps[0]?.qualified.length ?? 0
  return count > 0 ? `, ${count} with caveats` : ''
}

/** The camp denies no other of the round, and none denies it. */
const deniesNobody = (tally: Tally, { id }: Camp): boolean =>
  tally.camps.length > 1 && compatibleWith(tally, id).length === tally.camps.length - 1

/** Answers that differ and still leave room for each other are no quarrel. */
const noDenial = (tally: Tally): string => {
  if (!tally.camps.every(camp => deniesNobody(tally, camp)) || tally.camps.length < 2) return ''
  return tally.camps.length === 2 ? ', neither denies the other' : ', none denies another'
}

/** The same beside a camp that leads. */
const noDissent = (tally: Tally): string => {
  const leading = tally.camps.find(({ id }) => id === tally.leading)
  if (!leading || !deniesNobody(tally, leading)) return ''
  return tally.camps.length === 2
    ? '; the other answer does not deny theirs'
    : '; the other answers do not deny theirs'
}
/** Numbers that count as the same may still differ, so it is said which number it is. */
const figure = (session: Session, tally: Tally): string => (tally.figure ? combined(session, tally) : '')

/** "All 6 models", "Both models" */
const everyOne = (session: Session, count: number): string => {
  const some = seatCount(session.seats, count)
  return count === 2 ? some.replace('2', 'Both') : `All ${some}`
}

/** So begins the line of a table of one, of whom nobody can say that it agreed. */
const onlyOne = 'The only '
export const isOnlyOne = (line: string): boolean => line.startsWith(onlyOne)

const agreement = (session: Session, tally: Tally): string => {
  const { agree, of, camps } = tally
  const answered = countedIn(tally)
  const models = (count: number): string => seatCount(session.seats, count)
  switch (tally.level) {
    case 'unanimous':
    case 'unanimous-with-caveats':
      return of === 1
        ? `${onlyOne}${models(1).slice(2)} answered`
        : `${everyOne(session, of)} agreed${caveats(tally)}${figure(session, tally)}`
    case 'supermajority':
    case 'majority': {
      const who =
        agree === answered ? `${everyOne(session, answered)} that answered` : `${agree} of ${models(of)}`
      return `${who} agreed${caveats(tally)}${figure(session, tally)}${noDissent(tally)}`
    }
    case 'plurality':
      return `No majority: ${countedCamps(camps)}${noDenial(tally)}${combined(session, tally)}`
    case 'tie':
      return `Tie: ${countedCamps(camps)}${noDenial(tally)}${combined(session, tally)}`
    case 'split':
      return `Split: ${models(answered)}, ${camps.length} different answers${noDenial(tally)}${combined(session, tally)}`
    case 'no-quorum':
      return `No quorum: ${answered} of ${models(of)} answered`
    case null:
      return textsLine(session, tally)
    default:
      return tally.level satisfies never
  }
}

/** A vote in which nothing leads. */
const dividedText = (session: Session, { level, answered, camps }: Tally): string =>
  level === 'tie'
    ? `a tie: ${countedCamps(camps)}`
    : `split: ${seatCount(session.seats, answered)}, ${camps.length} different answers`

/** What the sealed vote was, for a table that herded: nobody could follow anybody in it. */
const sealedText = (session: Session, tally: Tally): string => {
  const { level, leading, agree, of, camps } = tally
  const first = camps.find(({ id }) => id === leading)
  if (first) return `was ${agree} of ${of} for ${shortLabel(first)}`
  if (level === 'no-quorum') return 'had no quorum'
  return `was ${dividedText(session, tally)}${combined(session, tally)}`
}

/** People and models apart, if both hold seats. */
const apart = (session: Session, tally: Tally): string => {
  const found = tally.level === null || tally.level === 'no-quorum' ? undefined : peopleApart(session, tally)
  const label = (id: string): string => {
    const camp = tally.camps.find(one => one.id === id)
    return camp ? shortLabel(camp) : id
  }
  const words = found ? apartWords(found, tally.leading !== null, label) : ''
  return words && `; ${words}`
}

/** "nobody answered in open round 2, so this is the vote of open round 1". A stop is told elsewhere. */
const unanswered = (session: Session, tally: Tally): string => {
  const counted = roundAt(session, tally.round)
  const after = session.roundsSoFar.filter(
    round => round.index > tally.round && isClosed(session, round) && !hasWords(round),
  )
  if (!counted || after.length === 0 || session.stopped) return ''
  return `nobody answered in ${listed(after.map(roundPhrase))}, so this is the vote of ${roundPhrase(counted)}`
}

/** Most of the table. */
const isMost = ({ agree, of, leading }: Tally): boolean => leading !== null && agree * 2 > of

/** "4 of 6 said Yes", "all 6 say No" */
const mostSaid = ({ agree, of, leading, camps }: Tally, verb: string): string => {
  const camp = camps.find(({ id }) => id === leading)
  return `${agree === of ? `all ${of}` : `${agree} of ${of}`} ${verb} ${camp ? shortLabel(camp) : 'otherwise'}`
}

/**
 * "a swing: 4 of 6 said Yes after the sealed round, now all 6 say No": most of the table stood elsewhere in an earlier round,
 * and changed its mind. Of several such rounds, the one in which most agreed is told. Nothing if herding tells of it.
 */
const swing = (session: Session, tally: Tally, told: Tally | null): string => {
  if (session.imported || tally.level === null || !isMost(tally)) return ''
  // Numbers come closer from round to round: that is no swing.
  if (session.question.format === 'number') return ''
  const flips = flipsOf(session).filter(({ round }) => round <= tally.round)
  const wasLeft = (before: Tally): boolean => {
    const seats = before.camps.find(({ id }) => id === before.leading)?.seats ?? []
    const left = seats.filter(seat => flips.some(flip => flip.seat === seat && flip.round > before.round))
    return left.length * 2 >= seats.length
  }
  const [most] = session.roundsSoFar
    .filter(round => round.index < tally.round && hasWords(round))
    .map(round => tallyOf(session, round))
    .filter(before => isMost(before) && before.leading !== tally.leading && wasLeft(before))
    .toSorted((one, other) => other.agree - one.agree || other.round - one.round)
  const round = most && roundAt(session, most.round)
  if (!round || most.round === told?.round) return ''
  return `a swing: ${mostSaid(most, 'said')} after ${roundPhrase(round)}, now ${mostSaid(tally, 'say')}`
}

/** What a reader of the count must know about it. */
const remarksOn = (session: Session, tally: Tally): string[] =>
  [unanswered(session, tally), absences(session, tally)].filter(Boolean)

/** `sealed` is the sealed vote if the table herded, otherwise null. */
export const verdictLine = (session: Session, tally: Tally | null, sealed: Tally | null): string => {
  if (session.stopped && isUnreached(session)) return session.stopped.words
  if (!tally) return `No quorum: 0 of ${seatCount(session.seats, session.seats.length)} answered`
  const herding = sealed ? [`herding: the sealed vote ${sealedText(session, sealed)}`] : []
  const count = `${agreement(session, tally)}${apart(session, tally)}`
  const swung = swing(session, tally, sealed)
  return [count, ...(swung ? [swung] : []), ...herding, ...remarksOn(session, tally)].join('; ')
}

// asides: What is said beside the count and never counted: what the sealed answers alone say, and in a tie the track records.

const isVote = (tally: Tally | null): tally is Tally =>
  tally !== null && tally.level !== null && tally.level !== 'no-quorum'

/** Two medians differ in some digit: they are compared as the verdict rounds its own, or else by three digits. */
const roundedMedian = ({ median = Number.NaN }: Tally, { figure }: Tally): number =>
  figure ? roundedTo(figure.step, median) : Number(median.toPrecision(3))

const alone = (words: string): string => `Of the sealed answers alone: ${words}.`

const sealedAlone = (session: Session, sealed: Tally, final: Tally): string | undefined => {
  const { format, unit } = session.question
  if (format === 'ranking') {
    const [before, now] = [sealed, final].map(({ ranking }) => ranking && rankingText(ranking))
    return before === undefined || before === now ? undefined : alone(before)
  }
  if (format === 'number') {
    const before = roundedMedian(sealed, final)
    const moved = before !== roundedMedian(final, final)
    return moved ? alone(`the median was ${numberText(before, unit)}`) : undefined
  }
  if (sealed.leading === final.leading) return undefined
  return sealed.leading === null
    ? `The sealed answers alone were ${dividedText(session, sealed)}.`
    : alone(mostSaid(sealed, 'said'))
}

/** The camp that leads a tie if votes weigh by the track record that the session was opened with. */
const leadingByRecord = (session: Session, final: Tally): Camp | undefined => {
  const { seats, record = {}, question } = session
  const byCount = question.format === 'choice' || question.format === 'open'
  if (final.level !== 'tie' || !byCount || !canBeRight(session)) return undefined
  const known = seats.flatMap(({ id, model }): [string, number][] =>
    record[model] ? [[id, shrunkAccuracy(record[model])]] : [],
  )
  const families = new Map(seats.map(({ id, maker, model }) => [id, maker ?? model.split('/')[0]!]))
  const votes = final.camps.flatMap(({ id, seats: inCamp }) => inCamp.map(seat => ({ seat, value: id })))
  const rule = logOddsOf(
    new Map(known),
    Math.max(2, question.options.length),
    seat => families.get(seat) ?? seat,
  )
  const first = known.length > 0 ? rule.decide(votes, question).value : null
  return final.camps.find(({ id }) => id === first)
}

/** "Of the sealed answers alone: 3 of 5 said Yes.": sentences that a reader of the verdict may want, if they say something else. */
export const asidesOf = (session: Session, sealed: Tally | null, final: Tally | null): string[] => {
  if (session.imported || !isVote(final)) return []
  const first = isVote(sealed) && sealed.round !== final.round && sealedAlone(session, sealed, final)
  const camp = leadingByRecord(session, final)
  return [
    ...(first ? [first] : []),
    ...(camp ? [`By the models' track records, which decide nothing: ${shortLabel(camp)}.`] : []),
  ]
}

interface Counted {
  readonly level: Level | null
  readonly line: string
  readonly final: Tally | null
}

/** The line without the positions of a divided table, for a face that lists them below: "3 against 3". */
export const shortVerdictLine = (session: Session, { level, line, final }: Counted): string => {
  if (session.imported || !final) return lineBeside(level, line)
  const count = countOf(session, final)
  return count === undefined
    ? lineBeside(level, line)
    : [`${count}${apart(session, final)}`, ...remarksOn(session, final)].join('; ')
}

/** Of numbers that differ, the median says more than how many are equal. Their range stands in the answer and in the drawing. */
const medianFirst = (session: Session, tally: Tally): string =>
  tally.median === undefined ? '' : `Median ${medianText(session, tally, aboutText)}; `

/** "3 against 3", "17 against 17 for the lead, then 16" */
const tieWords = (tally: Tally): string => {
  const { sides, rest } = tieOf(tally)
  const first = sides.join(' against ')
  if (rest.length === 0) return first
  return `${first} for the lead, then ${rest.length > 3 ? `${rest.length} smaller ones` : listed(rest.map(String))}`
}

const countOf = (session: Session, tally: Tally): string | undefined => {
  const { level, agree, of, camps } = tally
  const first = medianFirst(session, tally)
  if (level === 'plurality')
    return `${first}${agree} of ${seatCount(session.seats, of)} ${first ? 'gave the same number' : 'share the leading answer'}${noDenial(tally)}`
  if (level === 'tie') return `${first}${tieWords(tally)}${noDenial(tally)}`
  return level === 'split'
    ? `${first}${camps.length} different answers, and no two agree${noDenial(tally)}`
    : undefined
}

/** The count of a round without names or positions, so that it fits a phone: "3 of 6 models share the leading answer; 1 is silent." */
export const provisionalCount = (
  session: Session,
  { tally, uncompared, running }: Pick<Provisional, 'tally' | 'uncompared' | 'running'>,
): string => {
  if (uncompared || tally.level === null)
    return `${tally.answered} of ${seatCount(session.seats, tally.of)} answered.`
  const count = countOf(session, tally) ?? lineBeside(tally.level, agreement(session, tally))
  const swung = swing(session, tally, null)
  // Who hasn't answered yet is no news: the heading says how many have.
  const missing = running ? [] : [unanswered(session, tally), ...missingParts(tally)]
  return `${[count, swung, ...missing].filter(Boolean).join('; ')}.`
}

const divided: readonly (readonly [RegExp, Level])[] = [
  [/^No majority: (\d+) for /, 'plurality'],
  [/^Tie: (\d+) for /, 'tie'],
  [/^(?=Split: )/, 'split'],
  [/^(?=No (?:quorum|model could be reached): )/, 'no-quorum'],
]

/** What the line of an imported transcript with so many seats claims, if it is one that we know. */
export const importedLevel = (line: string, of: number): { level: Level | null; agree: number } => {
  for (const [pattern, level] of divided) {
    const found = pattern.exec(line)
    if (found) return { level, agree: Number(found[1] ?? (level === 'split' ? 1 : 0)) }
  }
  const some =
    /^(?:All )?(\d+)(?: of (\d+))? (?:models?|seats?)(?: that answered)? agreed(, \d+ with caveats)?/.exec(
      // Older transcripts have "All 2 models".
      line.replace(/^Both /, 'All 2 '),
    )
  if (!some) return { level: null, agree: 0 }
  const agree = Number(some[1])
  const whole = Number(some[2] ?? Math.max(of, agree))
  if (agree === whole) return { level: some[3] ? 'unanimous-with-caveats' : 'unanimous', agree }
  if (agree * 3 >= whole * 2) return { level: 'supermajority', agree }
  return { level: agree * 2 > whole ? 'majority' : 'plurality', agree }
}
