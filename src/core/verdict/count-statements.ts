/**
 * Finds what a text says about how many seats did what. A report has a topic, so it may say "2 of 3 studies",
 * "the court ruled unanimously" or "most voters": only statements about the table itself count here.
 */

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
const adverb = '(?:\\p{L}{1,30}ly |all |have |has |had |then |still |also |now |again ){0,8}'

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
const lookBack = 60
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
    `(?<![\\p{L}\\d.])(?<part>${count}) (?:out )?(?:of|sur|von|de|di) (?:the |all |los |las |les |den )?(?<whole>${count}) (?:${people}(?: ${adverb}(?<did>${deed}))?|${adverb}(?<alone>${deed}))(?!\\p{L})`,
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
    `(?<![\\p{L}\\d.])(?<all>all |all of the |all the |the )?(?<!of (?:the |all )?)(?<part>${count}) ${people} ${adverb}(?<did>${deed})(?!\\p{L})`,
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
    `(?<!\\p{L})all (?:of )?(?:the )?(?<part>${count}) ${people}(?! ${adverb}(?:${deed}|${harmless}))(?!\\p{L})`,
    ({ part }, said, answering) => ({
      type: 'everybody',
      said,
      count: numberOf(part!),
      answering: answering(),
    }),
  ),
  // "all seats agree", "every model agreed", "everybody agreed"
  rule(
    `(?<!\\p{L})(?:(?:all|every|each|both)(?: of)?(?: the| our)? ${people}|every(?:one|body)(?: at the table)?)(?: that answered| who answered)? ${adverb}(?:${deeds[0]![1]})(?!\\p{L})`,
    (_, said, answering) => ({ type: 'everybody', said, answering: answering() }),
  ),
  // "the table was unanimous", "the models unanimously", "a unanimous verdict"
  rule(
    `${table}[^.!?;]{0,60}?(?<!\\p{L})(?:un[aáâ]nim\\p{L}+|einstimmig\\p{L}*)|(?<!\\p{L})(?:unanim\\p{L}+|einstimmig\\p{L}*)[^.!?;]{0,30}? (?:verdict|table|panel|${people})(?!\\p{L})`,
    (_, said, answering) => ({ type: 'everybody', said, answering: answering() }),
  ),
  // "a majority of the seats", "the majority agreed", "the majority of the table"
  rule(
    `(?<!\\p{L})(?:majority|most) (?:of (?:the |our )?(?:table|panel|${people})|${people} ${adverb}${deed}|${adverb}(?:agree[ds]?|voted))(?!\\p{L})|${table}[^.!?;]{0,30} by (?:a )?(?:\\p{L}+ )?majority`,
    (_, said) => ({ type: 'majority', said }),
  ),
  // "the table is evenly split", "the models are tied"
  rule(
    `(?:${table}|the (?:vote|verdict))[^.!?;]{0,30}? (?:evenly (?:split|divided)|tied|in a tie|deadlocked)(?!\\p{L})`,
    (_, said) => ({ type: 'tie', said }),
  ),
]

const isDenied = (sentence: string, found: RegExpExecArray): boolean =>
  deniedBefore.test(sentence.slice(Math.max(0, found.index - lookBack), found.index)) ||
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
