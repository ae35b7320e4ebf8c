/** Compares what a report says of options with the count: who chose what, and which one came first. */
import { literal } from '../literal.ts'
import { answerIn, type Session } from '../log/state.ts'
import { adverb, aliasOf, claimsIn, isUnsure, patternOf, seats } from './claim-grammar.ts'
import { decidingTally, verdictOf } from './verdict.ts'

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

const table = '(?:the (?:whole )?(?:table|panel|group)|the (?:seats|models)|the verdict|the majority)'

/** It is about a part of the table, or about an earlier round. */
const ofSome =
  /(?<!\p{L})(?:some|others?|minority|dissent\p{L}*|sealed|rounds?|at first|initially|originally|began|before|earlier)(?!\p{L})/iu

/** Who came first is code's count. A sentence that names a seat, or a matter in which something leads, isn't about it. */
const winners = (session: Session, sentence: string): string[] => {
  const verdict = verdictOf(session)
  const tally = decidingTally(verdict)
  const ranked = session.question.format === 'ranking'
  const first = ranked ? tally?.ranking?.[0] : verdict.leading
  if (!first || /[Ss]eats? [A-Z]/.test(sentence) || ofSome.test(sentence) || isUnsure(session, sentence))
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
        `(?:${table}|${table.replace('the', 'The')}) ${adverb}(?:chose|chooses|picked|picks|voted for|settled on|decided for|says?|said|answers?|answered) ${option}${end}`,
        `(?:[Tt]he (?:verdict|table['’]s answer|winner) is|[Tt]he majority is for|[Mm]ost (?:seats|models) (?:chose|choose|voted for|are for|say|said)) ${option}${end}`,
        `(?<![\\p{L}\\p{N}])${option} (?:wins|won|prevails|prevailed|carried the day|is the winner|leads|has (?:a |the )(?:large )?majority|has (?:the )?most votes)${end}`,
      ]
  return sources
    .flatMap(source => claimsIn(session, sentence, source))
    .filter(({ what }) => what !== first)
    .map(({ said }) => `it says "${said}", but ${first} is first`)
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
      const places = [...what.matchAll(options)].map(([one]) => ranking.indexOf(one))
      return places.some((place, index) => index > 0 && place < (places[index - 1] ?? 0))
    })
    .map(({ said }) => `it says "${said}", but the combined order is ${ranking.join(' > ')}`)
}

/** What a sentence says of options that isn't so. */
export const optionProblems = (session: Session, sentence: string): string[] =>
  session.question.options.length === 0
    ? []
    : [...choices(session, sentence), ...winners(session, sentence), ...orders(session, sentence)]
