/**
 * Finds what a report says of single seats, and of the answer that came first, and compares it with the ledger. It reads
 * plain English sentences only, and takes no notice of what it isn't sure about: a true report may not be turned down.
 */
import { answerIn, type Session } from '../log/state.ts'
import { decisionOf } from '../question/answer.ts'
import { movedBy } from './report-moves.ts'
import { withoutQuotations } from './report-quotes.ts'
import type { Tally } from './tally.ts'
import { decidingTally, verdictOf } from './verdict.ts'

const letter = '[A-Z]{1,2}(?![\\p{L}\\p{N}])'
/** "Seat A", "Seats A and C", "Seat A, Seat B and Seat C". */
const seats = `[Ss]eats? ${letter}(?:(?:, and |, | and | & |/)(?:[Ss]eat )?${letter}){0,12}`
/** Seats that something happens to. In "moved Seat A and Seat B replied" the second begins a new statement. */
const objects = `(?:${seats}(?= ?[.,;:!?)–—]|$| (?:to|towards?|by|with|from|away|over|that|into|on|in|as)(?!\\p{L}))|[Ss]eat ${letter})`
const adverb = '(?:\\p{L}{2,20}ly |then |later |also |still |now |both |first |even |only |again ){0,3}'
const won = '(?:moved|convinced|persuaded|swayed|won over|converted)'
const mind =
  '(?:changed (?:its|their) (?:minds?|positions?|answers?|sides?|votes?)|changed (?:sides?|camps?|minds?)|switched (?:sides?|camps?|positions?|votes?)|flipped sides?)'
const saying =
  '(?:argue[sd]?|said|says?|note[sd]?|wrote|writes?|claim(?:s|ed)?|point(?:s|ed)? out|warn(?:s|ed)?|add(?:s|ed)?|concede[sd]?|insist(?:s|ed)?|object(?:s|ed)?|replie[sd]|state[sd]?|observe[sd]?|mention(?:s|ed)?|suggest(?:s|ed)?|propose[sd]?|call(?:s|ed)?|admit(?:s|ted)?|cite[sd]?|explain(?:s|ed)?|stress(?:es|ed)?|remark(?:s|ed)?|counter(?:s|ed))'
const standing =
  '(?:agree[sd]?|disagree[sd]?|dissent(?:s|ed)?|voted?|chose|chooses?|favou?r(?:s|ed)?|believe[sd]?|thinks?|thought|answered|conclude[sd]?|maintain(?:s|ed)?|support(?:s|ed)?|reject(?:s|ed)?|estimate[sd]?|held|holds?|kept|keeps?)'
const thing = '(?:arguments?|points?|words|objections?|remarks?|claims?|reasoning|warnings?|view|case)'

/** Sentences that deny, suppose or limit what they say. */
const unsure =
  /(?<!\p{L})(?:no|not|never|neither|nor|nobody|nothing|none|without|hardly|barely|almost|nearly|if|would|could|might|may|should|cannot|had it|unless|fail(?:s|ed)?|tried|trying|whether|missing|absent|rather than|instead)(?!\p{L})|n['’]t(?!\p{L})/iu

/** Of a statement: its words, and the letters of the seats that it names. */
interface Claim {
  readonly said: string
  readonly who: readonly string[]
  readonly by: readonly string[]
  readonly what: string
}

/** Undefined if one isn't at the table. In "…, and Seat B" the last may begin a new statement: then it alone counts. */
const idsIn = (session: Session, labels: string | undefined): string[] | undefined => {
  const all = labels?.match(/(?<![\p{L}\p{N}])[A-Z]{1,2}(?![\p{L}\p{N}])/gu) ?? []
  const letters = all.length === 2 && labels?.includes(', and ') ? all.slice(1) : all
  const found = letters.map(alias => session.seats.find(seat => seat.alias === alias)?.id)
  return found.every(id => id !== undefined) ? found : undefined
}

/** A pattern takes longer to make than to match in a sentence; those with the options of a question come and go. */
const patterns = new Map<string, RegExp>()
const mostPatterns = 100

const patternOf = (source: string): RegExp => {
  const pattern = patterns.get(source) ?? new RegExp(source, 'gu')
  if (patterns.size >= mostPatterns) patterns.clear()
  patterns.set(source, pattern)
  return pattern
}

const claimsIn = (session: Session, sentence: string, source: string): Claim[] =>
  [...sentence.matchAll(patternOf(source))].flatMap(({ 0: said, groups = {} }) => {
    const [who, by] = [idsIn(session, groups.who), idsIn(session, groups.by)]
    return who && by ? [{ said: said.trim(), who, by, what: groups.what ?? '' }] : []
  })

const aliasOf = (session: Session, id: string): string =>
  `Seat ${session.seats.find(seat => seat.id === id)?.alias ?? id}`

/** Seats that gave a word in no round: nothing can be said of what they think. */
const isAlwaysSilent = (session: Session, seat: string): boolean =>
  session.roundsSoFar.every(
    round => !answerIn(round, seat) && !(round.statements ?? []).some(one => one.seat === seat && !one.error),
  )

/** At once, in every round: nobody had to ask it again. */
const answersAlways = (session: Session, seat: string): boolean =>
  session.roundsSoFar.every(
    round =>
      answerIn(round, seat) !== undefined &&
      round.before.every(one => one.seat !== seat || one.handedIn.status === 'given'),
  )

/** It moved by the ledger, or says itself that it did. */
const hasMoved = (session: Session, seat: string): boolean =>
  movedBy(session).has(seat) ||
  session.roundsSoFar.some(round => decisionOf(answerIn(round, seat) ?? {}) === 'changed')

type Rule = (session: Session, sentence: string) => string[]

const movers: Rule = (session, sentence) => {
  const gap = "(?:['’]s (?:(?![Ss]eats? )[^.;:!?]){1,200}?)?"
  const active = `(?<by>${seats})${gap} (?:has |have |had )?${adverb}${won} (?<who>${objects})`
  const passive = `(?<who>${seats}) (?:was|were|has been|have been|had been) ${adverb}${won} (?:over )?by (?<by>${seats})`
  const moved = movedBy(session)
  return [active, passive]
    .flatMap(source => claimsIn(session, sentence, source))
    .flatMap(({ said, who, by }) =>
      who
        .filter(seat => !by.some(one => moved.get(seat)?.has(one)))
        .map(seat => {
          const credited = [...(moved.get(seat) ?? [])].map(one => aliasOf(session, one)).join(' and ')
          const truth = credited ? `${aliasOf(session, seat)} credits ${credited}` : 'no such credit stands'
          return `it says "${said}", but ${truth}`
        }),
    )
}

const changes: Rule = (session, sentence) =>
  [
    `${won} (?<who>${objects})`,
    `(?<who>${seats}) (?:was|were|has been|have been|had been) ${adverb}(?:moved|swayed|won over)(?!\\p{L})`,
    `(?<who>${seats}) (?:has |have |had )?${adverb}${mind}(?!\\p{L})`,
  ]
    .flatMap(source => claimsIn(session, sentence, source))
    .flatMap(({ said, who }) =>
      (said.includes(' its ') ? who.slice(-1) : who)
        .filter(seat => !hasMoved(session, seat))
        .map(seat => `it says "${said}", but ${aliasOf(session, seat)} never changed its mind`),
    )

const silence: Rule = (session, sentence) => [
  ...claimsIn(
    session,
    sentence,
    `(?<who>${seats})(?:['’]s (?:own )?${thing}| (?:has |have |had )?${adverb}(?:${saying}|${standing}))(?!\\p{L})`,
  ).flatMap(({ said, who }) =>
    who
      .filter(seat => isAlwaysSilent(session, seat))
      .map(seat => `it says "${said}", but ${aliasOf(session, seat)} gave no answer`),
  ),
  ...claimsIn(
    session,
    sentence,
    `(?<who>${seats}) (?:(?:was|were|stayed|remained|fell) silent|abstained|timed out|gave no answer)(?! (?:on|about|from|to)(?!\\p{L}))`,
  ).flatMap(({ said, who }) =>
    who
      .filter(seat => answersAlways(session, seat))
      .map(seat => `it says "${said}", but ${aliasOf(session, seat)} answered`),
  ),
]

/** A seat that is said to dissent is in the leading camp; one that is said to have dissented was there all along. */
const dissent: Rule = (session, sentence) => {
  const verdict = verdictOf(session)
  const now = decidingTally(verdict)
  const agrees = (seat: string, tallies: readonly (Tally | null)[]): boolean =>
    tallies
      .filter(tally => tally !== null)
      .every(({ camps, leading }) =>
        camps.some(
          camp => camp.id === leading && camp.seats.includes(seat) && !camp.qualified.includes(seat),
        ),
      )
  return claimsIn(
    session,
    sentence,
    `(?<who>${seats}) (?:has |have |had )?${adverb}dissent(?:s|ed)?(?!\\p{L}| (?:on|about|only|in|from|over) )`,
  )
    .filter(({ said, who }) =>
      who.some(seat => now !== null && agrees(seat, said.endsWith('ed') ? [now, verdict.sealed] : [now])),
    )
    .map(({ said }) => `it says "${said}", but that seat is in the leading camp`)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const optionsOf = ({ question }: Session): string =>
  [...question.options]
    .sort((one, other) => other.length - one.length)
    .map(escaped)
    .join('|')

/** The statement ends here, and isn't limited by what follows: "comes first in safety". */
const end = '(?= ?[.,;:!?–—-]| and | ahead |\\s*$)'

/** Options that a seat gave or put first, in any round. */
const choicesOf = (session: Session, seat: string): (string | undefined)[] =>
  session.roundsSoFar.map(round => {
    const answer = answerIn(round, seat)
    return session.question.format === 'ranking' ? answer?.ranking?.[0] : answer?.choice
  })

const choices: Rule = (session, sentence) => {
  const option = `[“"']?(?<what>${optionsOf(session)})(?![\\p{L}\\p{N}])`
  const source =
    session.question.format === 'ranking'
      ? `(?<who>${seats}) ${adverb}(?:ranks?|ranked|puts?|places?|placed) ${option}[”"']? (?:first|on top)${end}`
      : `(?<who>${seats}) ${adverb}(?:chose|chooses?|voted? for|picked|picks?) ${option}`
  return claimsIn(session, sentence, source).flatMap(({ said, who, what }) =>
    who
      .filter(seat => !isAlwaysSilent(session, seat) && !choicesOf(session, seat).includes(what))
      .map(seat => `it says "${said}", but ${aliasOf(session, seat)} never did`),
  )
}

const table = '(?:the (?:whole )?(?:table|panel|group)|the (?:seats|models)|the verdict|the majority)'

/** It is about a part of the table, or about an earlier round. */
const ofSome =
  /(?<!\p{L})(?:some|others?|minority|dissent\p{L}*|sealed|rounds?|at first|initially|originally|began|before|earlier)(?!\p{L})/iu

/** Who came first is code's count. A sentence that names a seat, or a matter in which something leads, isn't about it. */
const winners: Rule = (session, sentence) => {
  const verdict = verdictOf(session)
  const tally = decidingTally(verdict)
  const ranked = session.question.format === 'ranking'
  const first = ranked ? tally?.ranking?.[0] : verdict.leading
  if (!first || /[Ss]eats? [A-Z]/.test(sentence) || ofSome.test(sentence)) return []
  const option = `[“"']?(?<what>${optionsOf(session)})[”"']?`
  const sources = ranked
    ? [
        `(?:ranks?|ranked|puts?|places?|placed) ${option} (?:first|on top|at the top)${end}`,
        `(?<![\\p{L}\\p{N}])${option} (?:comes|came|is|was|ranks|is ranked|was ranked|finishes|finished) (?:in )?first(?: place)?${end}`,
        `(?<![\\p{L}\\p{N}])${option} (?:wins|won|tops the ranking|leads the ranking)${end}`,
      ]
    : [
        `(?:${table}|${table.replace('the', 'The')}) ${adverb}(?:chose|chooses|picked|picks|voted for|settled on|decided for) ${option}${end}`,
        `(?<![\\p{L}\\p{N}])${option} (?:wins|won|prevails|prevailed|carried the day|is the winner)${end}`,
      ]
  return sources
    .flatMap(source => claimsIn(session, sentence, source))
    .filter(({ what }) => what !== first)
    .map(({ said }) => `it says "${said}", but ${first} is first`)
}

/** The ledger has changes of mind, and the report says that there are none. */
const nobody: Rule = (session, sentence) => {
  if (verdictOf(session).ledger.length === 0 || /round|after|since|last|then|further|more/i.test(sentence))
    return []
  const source = `(?:[Nn]obody|[Nn]o one|[Nn]o (?:seat|model|participant)|[Nn]one of the (?:seats|models)) (?:has |have |had )?(?:ever )?${mind}|[Nn]o changes? of mind`
  return [...sentence.matchAll(patternOf(source))].map(
    ([said]) => `it says "${said}", but there are changes of mind`,
  )
}

/** One problem is enough for a sentence: a seat that nobody moved never moved, either. */
const moves: Rule = (session, sentence) => {
  const wrong = movers(session, sentence)
  return wrong.length > 0 ? wrong : changes(session, sentence)
}

const certain: readonly Rule[] = [moves, silence, dissent]
const closed: readonly Rule[] = [choices, winners]

/** With letters for names, if names are shown or a report is read again. Two seats of one name stay as they are. */
export const withLetters = (session: Session, text: string): string => {
  const names = session.seats.map(seat => seat.name)
  const known = session.seats
    .filter(({ name }) => names.filter(one => one === name).length === 1 && name.length > 1)
    .sort((one, other) => other.name.length - one.name.length)
  if (known.length === 0) return text
  const any = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${known.map(({ name }) => escaped(name)).join('|')})(?![\\p{L}\\p{N}])`,
    'gu',
  )
  return text.replace(any, name => `Seat ${known.find(seat => seat.name === name)?.alias}`)
}

/** The option "No" denies nothing, except at the beginning of a sentence, where any word has a capital. */
const withoutOptions = ({ question }: Session, sentence: string): string =>
  question.options.reduce((rest, option) => rest.replaceAll(` ${option}`, ' …'), sentence)

const sentencesOf = (session: Session, report: string): string[] =>
  withLetters(session, withoutQuotations(report))
    .replace(/[*_`]/g, '')
    .split(/(?<=[.!?;])\s+|\n+/)

const mostProblems = 5

/** What a report says of seats and of the winner that the ledger contradicts, in words. Empty if nothing. */
export const claimProblems = (session: Session, report: string): string[] => {
  const options = session.question.options.length > 0
  const problems = sentencesOf(session, report).flatMap(sentence => [
    ...nobody(session, sentence),
    ...(unsure.test(withoutOptions(session, sentence))
      ? []
      : [...certain, ...(options ? closed : [])].flatMap(rule => rule(session, sentence))),
  ])
  return [...new Set(problems)].slice(0, mostProblems)
}

/** Seats that the report says something for: "Seat B argues that …", "Seat B's point". */
export const speakersIn = (session: Session, report: string): string[] => {
  const source = `(?<who>${seats})(?:['’]s (?:own )?${thing}| (?:has |have |had )?${adverb}${saying})(?!\\p{L})`
  const found = sentencesOf(session, report).flatMap(sentence =>
    claimsIn(session, sentence, source).flatMap(({ who }) => who),
  )
  return [...new Set(found)]
}
