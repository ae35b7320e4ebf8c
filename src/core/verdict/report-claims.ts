/**
 * Finds what a report says of single seats, and of the answer that came first, and compares it with the ledger. It reads
 * plain English sentences only, and takes no notice of what it isn't sure about: a true report may not be turned down.
 */
import { answerIn, type Session } from '../log/state.ts'
import { decisionOf } from '../question/answer.ts'
import { adverb, aliasOf, claimsIn, objects, patternOf, seats, sentencesOf } from './claim-grammar.ts'
import { optionProblems, optionsOf } from './option-claims.ts'
import { movedBy } from './report-moves.ts'
import type { Tally } from './tally.ts'
import { decidingTally, verdictOf } from './verdict.ts'

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

type Rule = (session: Session, sentence: string) => string[]

const movers: Rule = (session, sentence) => {
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

const changes: Rule = (session, sentence) =>
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

const silence: Rule = (session, sentence) => [
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

/** The ledger has changes of mind, and the report says that there are none. */
const nobody: Rule = (session, sentence) => {
  if (verdictOf(session).ledger.length === 0 || /round|after|since|last|then|further|more/i.test(sentence))
    return []
  const source = `(?:[Nn]obody|[Nn]o one|[Nn]o (?:seat|model|participant)|[Nn]one of the (?:seats|models)) (?:has |have |had )?(?:ever )?${mind}|[Nn]o changes? of mind|[Nn]o minds? (?:was|were) changed|[Nn]obody moved(?= ?[.,;:!?]|$)|(?:[Aa]ll|[Ee]very|[Ee]ach of the) (?:the )?(?:seats?|models?) (?:held|kept|stood by|stuck to) (?:its|their) (?:position|answer|view|ground|side)s?`
  return [...sentence.matchAll(patternOf(source))].map(
    ([said]) => `it says "${said}", but there are changes of mind`,
  )
}

/** One problem is enough for a sentence: a seat that nobody moved never moved, either. */
const moves: Rule = (session, sentence) => {
  const wrong = movers(session, sentence)
  return wrong.length > 0 ? wrong : changes(session, sentence)
}

const rules: readonly Rule[] = [moves, silence, dissent, nobody, optionProblems]

const mostProblems = 5

/** What a report says of seats and of the winner that the ledger contradicts, in words. Empty if nothing. */
export const claimProblems = (session: Session, report: string): string[] => {
  const problems = sentencesOf(session, report).flatMap(sentence =>
    rules.flatMap(rule => rule(session, sentence)),
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
