/** Looks up the words that a report puts into quotation marks or attributes to a seat, as credits are looked up. */
import { flattened, listed, literal, searched, trimmed } from '../core/basics.ts'
import { decisionOf, quoteStands } from '../core/question.ts'
import { answerIn, type Session, seatCalled } from '../core/session.ts'
import { rankingText, type Tally } from '../count/tally.ts'
import { decidingTally, movedBy, verdictOf } from '../count/verdict.ts'
import { materialOf, textsOf } from './report.ts'

/** Without the spaces around it: to look for them first would take time that grows with the square. */
const left = /…|\.\.\.|\[[^\]]{0,80}\]/
const shortestPiece = 8

/** The pieces of a quotation that leaves something out. Those that are too short to prove anything are dropped. */
const piecesOf = (quote: string): string[] => {
  const pieces = quote
    .split(left)
    .map(piece => piece.trim())
    .filter(piece => piece.trim().length >= shortestPiece)
  return pieces.length > 0 ? pieces : [quote]
}

/** Whether these are words of the seat. */
export const isQuoteOf = (session: Session, seat: string, quote: string): boolean => {
  const texts = textsOf(session, seat)
  return piecesOf(quote).every(piece => quoteStands(piece, texts))
}

const quotation = /“([^“”]{1,800})”|"([^"\n]{1,800})"|«([^«»]{1,800})»|„([^„“”]{1,800})[“”]/g
/** Shorter ones may be a manner of speaking: “best” needs no author. */
const fewestWords = 4
const mostQuotations = 40
const mostProblems = 5

interface Quotation {
  readonly words: string
  /** The letter of the seat whose words they are said to be, if the text says so right before them. */
  readonly by?: string
}

const attribution =
  /[Ss]eat ([A-Z]{1,2})(?:['’]s (?:own )?(?:words?|phrase|line|remark|point|claim|warning|argument))?(?: that| is| was)?[:,]?\s*$/u

const quotationsIn = (text: string): Quotation[] =>
  [...text.matchAll(quotation)].flatMap(({ 0: whole, 1: a, 2: b, 3: c, 4: d, index }) => {
    const words = (a ?? b ?? c ?? d ?? whole).trim()
    if (words.split(/\s+/).length < fewestWords) return []
    const by = attribution.exec(text.slice(Math.max(0, index - 60), index))?.[1]
    return [{ words, ...(by && { by }) }]
  })

const shown = (words: string): string =>
  JSON.stringify(words.length > 120 ? `${words.slice(0, 120)}…` : words)

/** Why words can't stand as those of a seat. */
export const notIts = (alias: string, words: string): string =>
  `the words ${shown(words)} aren't in the answers of Seat ${alias}: copy its own words letter by letter, or name the seat that wrote them`

/** Quotations in the prose of a report that nobody wrote, or not the seat that is named. */
export const quotationProblems = (session: Session, report: string): string[] => {
  const quotations = quotationsIn(report)
  if (quotations.length === 0) return []
  if (quotations.length > mostQuotations) return [`it has more than ${mostQuotations} quotations`]
  const material = searched(materialOf(session).join('\n'))
  return quotations
    .flatMap(({ words, by }) => {
      const seat = by && seatCalled(session, by)
      if (seat && !isQuoteOf(session, seat.id, words)) return [notIts(seat.alias, words)]
      const stands = piecesOf(words).every(piece =>
        material.includes(searched(trimmed(flattened(piece), "'.,; "))),
      )
      return seat || stands
        ? []
        : [`nobody wrote ${shown(words)}: quote word for word, or without quotation marks`]
    })
    .slice(0, mostProblems)
}

/** The text with its quotations emptied: what a seat wrote isn't a statement of the report. */
export const withoutQuotations = (text: string): string => text.replace(quotation, '“…”')

/** Whether the prose quotes words of the seat. */
export const quotes = (session: Session, seat: string, report: string): boolean =>
  quotationsIn(report)
    .slice(0, mostQuotations)
    .some(({ words }) => isQuoteOf(session, seat, words))

// claimGrammar: Reads what plain English sentences say of seats: "Seat A and Seat C changed their minds". What a sentence denies or
// supposes is left out.

const letter = '[A-Z]{1,2}(?![\\p{L}\\p{N}])'
/** "Seat A", "Seats A and C", "Seat A, Seat B and Seat C". */
export const seats = `[Ss]eats? ${letter}(?:(?:, and |, | and | & |/)(?:[Ss]eat )?${letter}){0,12}`
/** Seats that something happens to. In "moved Seat A and Seat B replied" the second begins a new statement. */
export const objects = `(?:${seats}(?= ?[.,;:!?)–—]|$| (?:to|towards?|by|with|from|away|over|that|into|on|in|as)(?!\\p{L}))|[Ss]eat ${letter})`
export const adverb =
  '(?:\\p{L}{2,20}ly |then |later |also |still |now |both |first |even |only |again ){0,3}'

/** What is denied, supposed or limited. */
const unsure =
  /(?<!\p{L})(?:no|not|never|neither|nor|nobody|nothing|none|without|hardly|barely|almost|nearly|if|would|could|might|may|should|cannot|unless|fail(?:s|ed)?|tried|trying|whether|rather than|instead)(?!\p{L})|n['’]t(?!\p{L})/iu
/** "Seat E said nothing", "Seat E's view is missing". */
const deniedAfter =
  /^(?: is| was| were| are)? (?:nothing|no|not|neither|none|never|missing|absent|unknown)(?!\p{L})/iu
const lookBack = 100

/** Of a statement: its words, and the letters of the seats that it names. */
export interface Claim {
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

export const patternOf = (source: string): RegExp => {
  const pattern = patterns.get(source) ?? new RegExp(source, 'gu')
  if (patterns.size >= mostPatterns) patterns.clear()
  patterns.set(source, pattern)
  return pattern
}

/** The option "No" denies nothing, except at the beginning of a sentence, where any word has a capital. */
const withoutOptions = ({ question }: Session, text: string): string =>
  question.options.reduce((rest, option) => rest.replaceAll(` ${option}`, ' …'), text)

/** Whether a part of a sentence denies or supposes something. */
export const isUnsure = (session: Session, text: string): boolean =>
  unsure.test(withoutOptions(session, text))

/** What a pattern with groups `who`, `by` and `what` finds, if it is stated plainly. */
export const claimsIn = (session: Session, sentence: string, source: string): Claim[] =>
  [...sentence.matchAll(patternOf(source))].flatMap(({ 0: said, index, groups = {} }) => {
    const upToHere = sentence.slice(Math.max(0, index - lookBack), index + said.length)
    const next = sentence.slice(index + said.length, index + said.length + lookBack)
    if (isUnsure(session, upToHere) || deniedAfter.test(next)) return []
    const [who, by] = [idsIn(session, groups.who ?? groups.whose), idsIn(session, groups.by)]
    return who && by ? [{ said: said.trim(), who, by, what: groups.what ?? '' }] : []
  })

export const aliasOf = (session: Session, id: string): string =>
  `Seat ${session.seats.find(seat => seat.id === id)?.alias ?? id}`

/** With letters for names, if names are shown or a report is read again. Two seats of one name stay as they are. */
const withLetters = (session: Session, text: string): string => {
  const names = session.seats.map(seat => seat.name)
  const known = session.seats
    .filter(({ name }) => names.filter(one => one === name).length === 1 && name.length > 1)
    .sort((one, other) => other.name.length - one.name.length)
  if (known.length === 0) return text
  const any = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${known.map(({ name }) => literal(name)).join('|')})(?![\\p{L}\\p{N}])`,
    'gu',
  )
  return text.replace(any, name => `Seat ${known.find(seat => seat.name === name)?.alias}`)
}

/** Without quotations and emphasis, and with letters for names. */
export const sentencesOf = (session: Session, report: string): string[] =>
  withLetters(session, withoutQuotations(report))
    .replace(/[*_`]/g, '')
    .split(/(?<=[.!?;])\s+|\n+/)

// countStatements: Finds what a text says about how many seats did what. A report has a topic, so it may say "2 of 3 studies",
// "the court ruled unanimously" or "most voters": only statements about the table itself count here.

export type About = 'agree' | 'dissent' | 'change' | 'absence' | 'answer' | 'side' | 'anything'

export type CountStatement = { readonly said: string } & (
  | { readonly type: 'count'; readonly part: number; readonly whole?: number; readonly about: About }
  /** `answering`: everybody that answered. */
  | { readonly type: 'everybody'; readonly count?: number; readonly answering: boolean }
  | { readonly type: 'majority' }
  | { readonly type: 'tie' }
)

const words = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const count = `(?:\\d{1,3}|${words.join('|')})`
/** Words for participants, also in other languages. */
const people =
  '(?:(?:AI |language )?models?|seats?|participants?|panell?ists?|modèles?|modelle|modellen|modelos?|modelli)(?! of )'
const table = `(?:(?:the|this|our) (?:whole |entire )?(?:table|panel|roundtable|round table)|${people})`
/** No word may fit two of the alternatives: each repetition would double the time. */
const statementAdverb = '(?:\\p{L}{1,30}ly |all |have |has |had |then |still |also |now |again ){0,8}'

/** Verbs for what seats can do, by the count that they are about. */
const deeds: readonly (readonly [About, string])[] = [
  [
    'agree',
    'agree[ds]?|concur(?:red|s)?|converge[ds]?|(?:are|were) (?:agreed|in agreement)|reached (?:a )?(?:consensus|agreement)',
  ],
  ['dissent', 'disagree[ds]?|dissent(?:ed|s)?|object(?:ed|s)'],
  [
    'change',
    'switch(?:ed|es)|changed (?:sides?|camps?|(?:its|their) (?:minds?|positions?|answers?))|flipped',
  ],
  [
    'absence',
    '(?:was|were|fell|stayed|remained) silent|abstain(?:ed|s)?|timed out|failed to answer|did not answer',
  ],
  ['answer', 'answered|responded|replied'],
  [
    'side',
    '(?:voted?|chose|choose|picked|favou?r(?:ed|s)?|back(?:ed|s)?|side[ds]?|support(?:ed|s)?|oppose[ds]?|reject(?:ed|s)?|prefer(?:red|s)?|endorse[ds]?)',
  ],
]
/** What all seats may have done, whatever the verdict. */
const harmless =
  '(?:were asked|took part|that answered|who answered|consider(?:ed|s)?|acknowledged?|recogni[sz]ed?|noted?|discuss(?:ed)?|weigh(?:ed)?|read|cited?|see|saw)'
const deed = `(?:${deeds.map(([, verbs]) => verbs).join('|')})`

const aboutOf = (said: string | undefined): About =>
  deeds.find(([, verbs]) => said !== undefined && new RegExp(`^(?:${verbs})$`, 'iu').test(said))?.[0] ??
  'anything'

const numberOf = (said: string): number => {
  const word = words.indexOf(said.toLowerCase())
  return word >= 0 ? word : Number(said)
}

/** "Not unanimous", "no majority", "almost all": the text denies the statement. */
const denying =
  "(?:\\b(?:no|not|never|neither|nor|without|lack(?:s|ed|ing)?|far from|short of|nearly|almost|near|less than|rather than|instead of|nicht|keine?r?|pas|sin|sans|ohne)|n['’]t)\\b"
const deniedBefore = new RegExp(`${denying}[^,;:]{0,40}$`, 'iu')
/** Longer than what `deniedBefore` can match: a whole sentence for each statement in it would be too much. */
const statementLookBack = 60
const deniedWithin = new RegExp(denying, 'iu')

const speaksOfAnswering = /\b(?:answered|answering|responded|responding|replied|that spoke)\b/i

interface Rule {
  readonly pattern: RegExp
  read(found: Record<string, string | undefined>, said: string, answering: () => boolean): CountStatement
}

const rule = (source: string, read: Rule['read']): Rule => ({ pattern: new RegExp(source, 'giu'), read })

const rules: readonly Rule[] = [
  // "5 of 6 models", "five of the six agreed", "5 sur 6 modèles"
  rule(
    `(?<![\\p{L}\\d.])(?<part>${count}) (?:out )?(?:of|sur|von|de|di) (?:the |all |los |las |les |den )?(?<whole>${count}) (?:${people}(?: ${statementAdverb}(?<did>${deed}))?|${statementAdverb}(?<alone>${deed}))(?!\\p{L})`,
    ({ part, whole, did, alone }, said) => ({
      type: 'count',
      said,
      part: numberOf(part!),
      whole: numberOf(whole!),
      about: aboutOf(did ?? alone),
    }),
  ),
  // "two seats switched", "three models agreed", "all six models agreed"
  rule(
    `(?<![\\p{L}\\d.])(?<all>all |all of the |all the |the )?(?<!of (?:the |all )?)(?<part>${count}) ${people} ${statementAdverb}(?<did>${deed})(?!\\p{L})`,
    ({ all, part, did }, said, answering) => {
      const about = aboutOf(did)
      if (about === 'agree' && all) {
        return { type: 'everybody', said, count: numberOf(part!), answering: answering() }
      }
      return { type: 'count', said, part: numberOf(part!), about }
    },
  ),
  // "shared by all six models"
  rule(
    `(?<!\\p{L})all (?:of )?(?:the )?(?<part>${count}) ${people}(?! ${statementAdverb}(?:${deed}|${harmless}))(?!\\p{L})`,
    ({ part }, said, answering) => ({
      type: 'everybody',
      said,
      count: numberOf(part!),
      answering: answering(),
    }),
  ),
  // "all seats agree", "every model agreed", "everybody agreed"
  rule(
    `(?<!\\p{L})(?:(?:all|every|each|both)(?: of)?(?: the| our)? ${people}|every(?:one|body)(?: at the table)?)(?: that answered| who answered)? ${statementAdverb}(?:${deeds[0]![1]})(?!\\p{L})`,
    (_, said, answering) => ({ type: 'everybody', said, answering: answering() }),
  ),
  // "the table was unanimous", "the models unanimously", "a unanimous verdict"
  rule(
    `${table}[^.!?;]{0,60}?(?<!\\p{L})(?:un[aáâ]nim\\p{L}+|einstimmig\\p{L}*)|(?<!\\p{L})(?:unanim\\p{L}+|einstimmig\\p{L}*)[^.!?;]{0,30}? (?:verdict|table|panel|${people})(?!\\p{L})`,
    (_, said, answering) => ({ type: 'everybody', said, answering: answering() }),
  ),
  // "a majority of the seats", "the majority agreed", "the majority of the table"
  rule(
    `(?<!\\p{L})(?:majority|most) (?:of (?:the |our )?(?:table|panel|${people})|${people} ${statementAdverb}${deed}|${statementAdverb}(?:agree[ds]?|voted))(?!\\p{L})|${table}[^.!?;]{0,30} by (?:a )?(?:\\p{L}+ )?majority`,
    (_, said) => ({ type: 'majority', said }),
  ),
  // "the table is evenly split", "the models are tied"
  rule(
    `(?:${table}|the (?:vote|verdict))[^.!?;]{0,30}? (?:evenly (?:split|divided)|tied|in a tie|deadlocked)(?!\\p{L})`,
    (_, said) => ({ type: 'tie', said }),
  ),
]

const isDenied = (sentence: string, found: RegExpExecArray): boolean =>
  deniedBefore.test(sentence.slice(Math.max(0, found.index - statementLookBack), found.index)) ||
  deniedWithin.test(found[0])

/** Like `matchAll`, which makes a copy of the pattern: far too slow for thousands of short sentences. */
function* matchesIn(sentence: string, pattern: RegExp): Generator<RegExpExecArray> {
  pattern.lastIndex = 0
  for (let found = pattern.exec(sentence); found; found = pattern.exec(sentence)) yield found
}

const statementsIn = (sentence: string): CountStatement[] => {
  let answering: boolean | undefined
  const isAnswering = (): boolean => {
    answering ??= speaksOfAnswering.test(sentence)
    return answering
  }
  return rules.flatMap(({ pattern, read }) =>
    [...matchesIn(sentence, pattern)]
      .filter(found => !isDenied(sentence, found))
      .map(found => read(found.groups ?? {}, found[0].trim(), isAnswering)),
  )
}

/** Everything that the text says about numbers of seats. */
export const countStatementsIn = (text: string): CountStatement[] =>
  text.split(/(?<=[.!?;])\s+|\n+/).flatMap(statementsIn)

// optionClaims: Compares what a report says of options with the count: who chose what, and which one came first.

export const optionsOf = ({ question }: Session): string =>
  [...question.options]
    .sort((one, other) => other.length - one.length)
    .map(literal)
    .join('|')

/** The statement ends here, and isn't limited by what follows: "comes first in safety". */
const end = '(?= ?[.,;:!?–—-]| and | ahead |\\s*$)'

/** Options that a seat gave or put first, in any round. */
const choicesOf = (session: Session, seat: string): (string | undefined)[] =>
  session.roundsSoFar.map(round => {
    const answer = answerIn(round, seat)
    return session.question.format === 'ranking' ? answer?.ranking?.[0] : answer?.choice
  })

const choices = (session: Session, sentence: string): string[] => {
  const option = `[“"']?(?<what>${optionsOf(session)})(?![\\p{L}\\p{N}])`
  const sources =
    session.question.format === 'ranking'
      ? [
          `(?<who>${seats}) ${adverb}(?:ranks?|ranked|puts?|places?|placed) ${option}[”"']? (?:first|on top)${end}`,
        ]
      : [
          `(?<who>${seats}) ${adverb}(?:chose|chooses?|voted? for|picked|picks?) ${option}`,
          `(?<who>${seats}) ${adverb}(?:voted?|answers?|answered|says?|said|is for|are for) ${option}[”"']?${end}`,
        ]
  return sources
    .flatMap(source => claimsIn(session, sentence, source))
    .flatMap(({ said, who, what }) =>
      who
        .filter(seat => !choicesOf(session, seat).includes(what))
        .map(seat => `it says "${said}", but ${aliasOf(session, seat)} never did`),
    )
}

const claimTable = '(?:the (?:whole )?(?:table|panel|group)|the (?:seats|models)|the verdict|the majority)'

/** It is about a part of the table, or about an earlier round. */
const ofSome =
  /(?<!\p{L})(?:some|others?|minority|dissent\p{L}*|sealed|rounds?|at first|initially|originally|began|before|earlier)(?!\p{L})/iu

/** Who came first is code's count. A sentence that names a seat, or a matter in which something leads, isn't about it. */
const winners = (session: Session, sentence: string): string[] => {
  const verdict = verdictOf(session)
  const tally = decidingTally(verdict)
  const ranked = session.question.format === 'ranking'
  const firsts = (ranked ? tally?.ranking?.places[0] : [verdict.leading].filter(one => one !== null)) ?? []
  if (
    firsts.length === 0 ||
    /[Ss]eats? [A-Z]/.test(sentence) ||
    ofSome.test(sentence) ||
    isUnsure(session, sentence)
  )
    return []
  const option = `[“"']?(?<what>${optionsOf(session)})[”"']?`
  const sources = ranked
    ? [
        `(?:ranks?|ranked|puts?|places?|placed) ${option} (?:first|on top|at the top)${end}`,
        `(?<![\\p{L}\\p{N}])${option} (?:comes|came|is|was|ranks|is ranked|was ranked|finishes|finished) (?:in )?first(?: place)?${end}`,
        `(?<![\\p{L}\\p{N}])${option} (?:wins|won|tops the ranking|leads the ranking|comes out on top|came out on top|takes first place|took first place|is the (?:clear )?winner)${end}`,
        `(?:[Tt]he winner is|[Ii]n first place is|[Ff]irst place goes to) ${option}${end}`,
      ]
    : [
        `(?:${claimTable}|${claimTable.replace('the', 'The')}) ${adverb}(?:chose|chooses|picked|picks|voted for|settled on|decided for|says?|said|answers?|answered) ${option}${end}`,
        `(?:[Tt]he (?:verdict|table['’]s answer|winner) is|[Tt]he majority is for|[Mm]ost (?:seats|models) (?:chose|choose|voted for|are for|say|said)) ${option}${end}`,
        `(?<![\\p{L}\\p{N}])${option} (?:wins|won|prevails|prevailed|carried the day|is the winner|leads|has (?:a |the )(?:large )?majority|has (?:the )?most votes)${end}`,
      ]
  return sources
    .flatMap(source => claimsIn(session, sentence, source))
    .filter(({ what }) => !firsts.includes(what) || !firsts.every(one => sentence.includes(one)))
    .map(
      ({ said }) =>
        `it says "${said}", but ${listed(firsts)} ${firsts.length > 1 ? 'share the first place' : 'is first'}`,
    )
}

/** "Go > Rust > C", "Go, then Rust, then C" and "Rust beats Go", if they are said of the whole table. */
const orders = (session: Session, sentence: string): string[] => {
  const ranking = decidingTally(verdictOf(session))?.ranking
  if (!ranking || /(?<!\p{L})(?:seats?|models?|one|two)(?!\p{L})/iu.test(sentence)) return []
  if (ofSome.test(sentence) || isUnsure(session, sentence)) return []
  const option = `[“"']?(?:${optionsOf(session)})[”"']?`
  const chain = `(?<what>${option}(?: ?> ?${option}){1,20}|(?<=order(?: is|:) )${option}(?:, ${option}){1,20})`
  const pair = `(?<what>(?<![\\p{L}\\p{N}])${option} (?:beats|is ranked above|ranks above|comes out ahead of|finishes ahead of|comes before) ${option})${end}`
  const options = patternOf(`(?<![\\p{L}\\p{N}])(?:${optionsOf(session)})(?![\\p{L}\\p{N}])`)
  return [chain, pair]
    .flatMap(source => claimsIn(session, sentence, source))
    .filter(({ what }) => {
      const places = [...what.matchAll(options)].map(([one]) =>
        ranking.places.findIndex(place => place.includes(one)),
      )
      return places.some((place, index) => index > 0 && place <= (places[index - 1] ?? 0))
    })
    .map(({ said }) => `it says "${said}", but the combined order is ${rankingText(ranking)}`)
}

/** What a sentence says of options that isn't so. */
export const optionProblems = (session: Session, sentence: string): string[] =>
  session.question.options.length === 0
    ? []
    : [...choices(session, sentence), ...winners(session, sentence), ...orders(session, sentence)]

// reportClaims: Finds what a report says of single seats, and of the answer that came first, and compares it with the ledger. It reads
// plain English sentences only, and takes no notice of what it isn't sure about: a true report may not be turned down.

const won = '(?:moved|convinced|persuaded|swayed|won over|converted)'
const mind =
  '(?:changed (?:its|their) (?:minds?|positions?|answers?|sides?|votes?)|changed (?:sides?|camps?|minds?)|switched (?:sides?|camps?|positions?|votes?)|flipped sides?)'
const saying =
  '(?:argue[sd]?|said|says?|note[sd]?|wrote|writes?|claim(?:s|ed)?|point(?:s|ed)? out|warn(?:s|ed)?|add(?:s|ed)?|concede[sd]?|insist(?:s|ed)?|object(?:s|ed)?|replie[sd]|state[sd]?|observe[sd]?|mention(?:s|ed)?|suggest(?:s|ed)?|propose[sd]?|call(?:s|ed)?|admit(?:s|ted)?|cite[sd]?|explain(?:s|ed)?|stress(?:es|ed)?|remark(?:s|ed)?|counter(?:s|ed))'
const standing =
  '(?:agree[sd]?|disagree[sd]?|dissent(?:s|ed)?|voted?|chose|chooses?|favou?r(?:s|ed)?|believe[sd]?|thinks?|thought|answered|conclude[sd]?|maintain(?:s|ed)?|support(?:s|ed)?|reject(?:s|ed)?|estimate[sd]?|held|holds?|kept|keeps?|wants?|wanted|prefers?|preferred|side[sd]? with|stay(?:s|ed) with|stands? by|stood by|puts? it|is for|is against)'
const thing = '(?:arguments?|points?|words|objections?|remarks?|claims?|reasoning|warnings?|view|case)'

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

type ClaimRule = (session: Session, sentence: string) => string[]

const movers: ClaimRule = (session, sentence) => {
  const gap = "(?:['’]s (?:(?![Ss]eats? )[^.;:!?]){1,200}?)?"
  const active = `(?<by>${seats})${gap} (?:has |have |had )?${adverb}${won} (?<who>${objects})`
  const passive = `(?<who>${seats}) (?:was|were|has been|have been|had been) ${adverb}${won} (?:over )?by (?<by>${seats})`
  const brought = `(?<by>${seats})${gap} (?:has |have |had )?${adverb}brought (?<who>${objects}) (?:a?round|over)(?!\\p{L})`
  const mindOf = `(?<by>${seats})${gap} (?:has |have |had )?${adverb}changed (?<who>[Ss]eat [A-Z]{1,2})['’]s (?:mind|vote|answer|position)`
  const came = `(?<who>${seats}) ${adverb}(?:came a?round to|came over to|came to agree with|was brought round by) (?:the (?:view|side|position|answer|camp) of )?(?<by>${seats})`
  const moved = movedBy(session)
  return [active, passive, brought, mindOf, came]
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

/** "Seat C switched to Yes", "Seat C moved from No to Yes": of options alone, because one may move on to another matter. */
const turns = (session: Session): string[] => {
  const option = `[“"']?(?:${optionsOf(session)})(?![\\p{L}\\p{N}])`
  const verb = '(?:switched|moved|shifted|swung|went over|came over|came a?round)'
  return session.question.options.length === 0
    ? []
    : [`(?<who>${seats}) (?:has |have |had )?${adverb}${verb} (?:from ${option}[”"']? )?to ${option}`]
}

const changes: ClaimRule = (session, sentence) =>
  [
    `${won} (?<who>${objects})`,
    `(?<who>${seats}) (?:was|were|has been|have been|had been) ${adverb}(?:moved|swayed|won over)(?!\\p{L})`,
    `(?<who>${seats}) (?:has |have |had )?${adverb}${mind}(?!\\p{L})`,
    `(?<who>${seats}), ${adverb}(?:moved|swayed|won over|convinced|persuaded) by `,
    ...turns(session),
  ]
    .flatMap(source => claimsIn(session, sentence, source))
    .flatMap(({ said, who }) =>
      (said.includes(' its ') ? who.slice(-1) : who)
        .filter(seat => !hasMoved(session, seat))
        .map(seat => `it says "${said}", but ${aliasOf(session, seat)} never changed its mind`),
    )

const silence: ClaimRule = (session, sentence) => [
  ...claimsIn(
    session,
    sentence,
    `(?<who>${seats})(?:['’]s (?:own )?${thing}| (?:has |have |had )?${adverb}(?:${saying}|${standing}))(?!\\p{L})|(?:[Aa]ccording to|[Ii]n the (?:view|words) of) (?<whose>${seats})`,
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
const dissent: ClaimRule = (session, sentence) => {
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

/** The ledger has changes of mind, and the report says that there are none. */
const nobody: ClaimRule = (session, sentence) => {
  if (verdictOf(session).ledger.length === 0 || /round|after|since|last|then|further|more/i.test(sentence))
    return []
  const source = `(?:[Nn]obody|[Nn]o one|[Nn]o (?:seat|model|participant)|[Nn]one of the (?:seats|models)) (?:has |have |had )?(?:ever )?${mind}|[Nn]o changes? of mind|[Nn]o minds? (?:was|were) changed|[Nn]obody moved(?= ?[.,;:!?]|$)|(?:[Aa]ll|[Ee]very|[Ee]ach of the) (?:the )?(?:seats?|models?) (?:held|kept|stood by|stuck to) (?:its|their) (?:position|answer|view|ground|side)s?`
  return [...sentence.matchAll(patternOf(source))].map(
    ([said]) => `it says "${said}", but there are changes of mind`,
  )
}

/** One problem is enough for a sentence: a seat that nobody moved never moved, either. */
const moves: ClaimRule = (session, sentence) => {
  const wrong = movers(session, sentence)
  return wrong.length > 0 ? wrong : changes(session, sentence)
}

const claimRules: readonly ClaimRule[] = [moves, silence, dissent, nobody, optionProblems]

/** What a report says of seats and of the winner that the ledger contradicts, in words. Empty if nothing. */
export const claimProblems = (session: Session, report: string): string[] => {
  const problems = sentencesOf(session, report).flatMap(sentence =>
    claimRules.flatMap(rule => rule(session, sentence)),
  )
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
