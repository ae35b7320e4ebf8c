/** The report that code writes if no moderator wrote one that agrees with the counts: plain, and always true. */
import { capitalised, listed, models, trimmed } from '../core/basics.ts'
import type { Report } from '../core/event.ts'
import { maskFor, seatLabel } from '../core/mask.ts'
import { type Answer, headlineKey, normalised } from '../core/question.ts'
import { numberText, valueText } from '../core/reply.ts'
import { firstOf } from '../core/rules.ts'
import {
  answerIn,
  isUnreached,
  latestRound,
  type Round,
  roundAt,
  type Session,
  seatOf,
} from '../core/session.ts'
import { newestOf } from '../count/camps.ts'
import { countedIn, figuresText, figureText, rankingText, type Tally } from '../count/tally.ts'
import { decidingTally, type Flag, flags, grantsOf, type Verdict, verdictOf } from '../count/verdict.ts'
import { shortened } from '../words/camp-patterns.ts'

const sentence = (text: string): string => (/[.!?…。]$/.test(text) ? text : `${text}.`)

const noAnswer = 'The table came to no common answer.'

const answerOf = (session: Session, verdict: Verdict, tally: Tally | null): string => {
  if (!tally || countedIn(tally) === 0) return 'No model answered.'
  if (tally.level === 'no-quorum') return 'Too few models answered for the table to have an answer.'
  if (tally.ranking)
    return firstOf(tally.ranking) === undefined ? noAnswer : sentence(rankingText(tally.ranking))
  if (tally.figure) return sentence(capitalised(figureText(tally.figure, session.question.unit)))
  if (tally.median !== undefined)
    return sentence(`${numberText(tally.median, session.question.unit)} (median)`)
  if (session.question.format === 'text') return `${models(countedIn(tally))} wrote a text each.`
  const leading = tally.camps.find(camp => camp.id === verdict.leading)
  if (!leading) return noAnswer
  const answer = sentence(session.question.format === 'open' ? leading.headline : leading.label)
  return tally.level === 'plurality' ? `Leading, without a majority: ${answer}` : answer
}

const deeds = {
  changed: ['changed its mind', 'changed their minds'],
  conceded: ['conceded a point', 'conceded a point'],
  narrowed: ['narrowed its answer', 'narrowed their answers'],
} as const

/**
 * Who moved when, and by whose words. A seat is named once for what it did in several rounds, and so are seats that did the
 * same in the same rounds, if nobody's words did it. Empty if nobody moved.
 */
export const movesText = (session: Session): string => {
  const name = (seat: string): string => seatOf(session, seat).name
  const moved = [
    ...verdictOf(session).ledger.map(flip => ({ ...flip, decision: 'changed' as const })),
    ...grantsOf(session),
  ]
  const bySeat = Map.groupBy(moved, ({ seat, decision }) => `${seat} ${decision}`)
  const each = [...bySeat.values()].map(same => {
    const { seat, decision } = same[0]!
    const cites = same.some(({ credit }) => credit?.verified)
    const times = same.map(({ round, credit }) =>
      credit?.verified ? `round ${round}, citing ${name(credit.seat)}: “${credit.quote}”` : `round ${round}`,
    )
    const rounds = `round${same.length > 1 ? 's' : ''} ${listed(same.map(({ round }) => String(round)))}`
    return { seat, decision, cites, how: `in ${cites ? times.join('; again in ') : rounds}` }
  })
  const together = Map.groupBy(each, ({ seat, decision, cites, how }) =>
    [decision, how, ...(cites ? [seat] : [])].join(' '),
  )
  const told = [...together.values()].map(own => {
    const { decision, how } = own[0]!
    return `${listed(own.map(({ seat }) => name(seat)))} ${deeds[decision][own.length > 1 ? 1 : 0]} ${how}`
  })
  return told.length > 0 ? sentence(told.join('; ')) : ''
}

/** What each text says, in its own headline. */
const textLines = (session: Session, tally: Tally | null): string => {
  const round = tally ? roundAt(session, tally.round) : undefined
  const lines = session.seats.flatMap(({ id, name }) => {
    const answer = newestOf(session, round, id)
    return answer ? [`- ${name}: ${sentence(answer.headline)}`] : []
  })
  return `\n\n${lines.join('\n')}`
}

/** What the asker added in the middle. Empty if nothing was. */
const askerText = (session: Session): string => {
  const said = session.roundsSoFar.flatMap(round => (round.said ?? []).map(one => ({ ...one, round })))
  const each = said.map(({ words, to, round }) => {
    const who = to === undefined ? 'The asker added' : `The asker said to ${seatOf(session, to).name}`
    return `${who}${round === latestRound(session) ? ', when no round followed' : ''}: “${words}”`
  })
  const told = each.join('; ')
  return each.length > 0 ? `\n\n${/[.!?…。]”$/.test(told) ? told : `${told}.`}` : ''
}

export const plainReport = (session: Session): Report => {
  const verdict = verdictOf(session)
  const tally = decidingTally(verdict)
  const isText = session.question.format === 'text'
  const dissenter = verdict.dissent[0]
  const dissent = dissenter && tally ? newestOf(session, roundAt(session, tally.round), dissenter) : undefined
  return {
    answer: answerOf(session, verdict, tally),
    summary:
      (isText
        ? `${sentence(verdict.line)}${textLines(session, tally)}`
        : `${sentence(verdict.line)} ${movesText(session)}`.trim()) + askerText(session),
    ...(dissenter && dissent && { counterpoint: `${seatOf(session, dissenter).name}: ${dissent.headline}` }),
  }
}

// reportAnswer: The answer of a report may not say anything else than the verdict.

export const leadingCamp = (session: Session) => {
  const verdict = verdictOf(session)
  return decidingTally(verdict)?.camps.find(({ id }) => id === verdict.leading)
}

const padded = (text: string): string => ` ${normalised(text)} `

const named = (options: readonly string[], text: string): string[] =>
  options.filter(option => text.includes(padded(option)))

/** It begins with the leading option, and names no other. */
const keepsTo = (said: string, leading: string, options: readonly string[]): boolean => {
  const [words, value] = [padded(said), padded(leading)]
  const others = options.filter(option => option !== leading)
  return words.startsWith(value) && named(others, words.replaceAll(value, '  ')).length === 0
}

/**
 * The answer to a closed question. Its value is code's: the moderator's sentence stands only if it begins with the
 * leading option and names no other, or if none leads and it doesn't single one out.
 */
export const closedAnswer = (session: Session, said: string): string => {
  const { format, options } = session.question
  if (format === 'open') return said
  const leading = leadingCamp(session)?.label
  const holds =
    leading === undefined ? named(options, padded(said)).length !== 1 : keepsTo(said, leading, options)
  return format === 'choice' && holds ? said : plainReport(session).answer
}

/** A placeholder puts the words into quotation marks. */
const unquotedKey = (text: string): string => headlineKey(trimmed(text, '“”„«»" '))

/** The two texts that a model must compare before the answer to an open question stands. Undefined: they are equal. */
export const toCompare = (
  session: Session,
  { answer }: Report,
): { readonly headline: string; readonly answer: string } | undefined => {
  const headline = session.question.format === 'open' ? leadingCamp(session)?.headline : undefined
  return headline === undefined || unquotedKey(headline) === unquotedKey(answer)
    ? undefined
    : { headline, answer }
}

// reportMaterial: What a report may take its figures and quotations from: what the seats wrote, what was asked, and what code counted.

const answerTexts = (session: Session, answer: Answer): string[] => [
  answer.headline,
  answer.reasoning,
  answer.text ?? '',
  answer.reading ?? '',
  answer.wouldChangeMind ?? '',
  valueText(session.question, answer),
  ...(answer.points ?? []).flatMap(({ quote, why }) => [quote, why]),
]

const textsIn = (session: Session, round: Round, seat: string): string[] => {
  const answer = answerIn(round, seat)
  const spoken = (round.statements ?? []).filter(statement => statement.seat === seat)
  return [
    ...(answer ? answerTexts(session, answer) : []),
    ...spoken.flatMap(statement => (statement.error ? [] : [statement.argument, statement.question ?? ''])),
  ]
}

/** Everything that a seat wrote, as it wrote it and as the moderator saw it. Empty if it never answered. */
export const textsOf = (session: Session, seat: string): string[] => {
  const mask = maskFor(session)
  return session.roundsSoFar
    .flatMap(round => textsIn(session, round, seat))
    .filter(text => text !== '')
    .flatMap(text => [text, mask(text)])
}

const between = (session: Session, round: Round): string[] => [
  round.objection ?? '',
  ...(round.said ?? []).flatMap(({ words }) => [words, maskFor(session)(words)]),
  ...(round.digest?.figures ? [figuresText(session.question, round.digest.figures)] : []),
  ...(round.rulings ?? []).flatMap(ruling => (ruling && 'words' in ruling ? [ruling.words] : [])),
]

/** All texts of a session that its report may quote. */
export const materialOf = (session: Session): string[] => {
  const { text, options, attachments, unit } = session.question
  const { line, sealed, final } = verdictOf(session)
  return [
    text,
    ...options,
    ...attachments.flatMap(one => [one.name, one.text]),
    unit ?? '',
    line,
    plainReport(session).answer,
    ...[sealed, final].flatMap(tally => (tally?.camps ?? []).flatMap(camp => [camp.label, camp.headline])),
    ...session.seats.flatMap(seat => [seat.name, seat.model, seat.brief ?? '', ...textsOf(session, seat.id)]),
    ...session.roundsSoFar.flatMap(round => between(session, round)),
  ]
}

/** Figures that code computed. */
export interface Computed {
  readonly counts: readonly number[]
  /** From 0 to 1. */
  readonly shares: readonly number[]
  readonly medians: readonly number[]
}

const countsIn = ({ camps, of, answered, agree, silent, abstained }: Tally): number[] => [
  ...[of, answered, agree, of - agree, answered - agree, silent.length, abstained.length, camps.length],
  ...camps.map(camp => camp.seats.length),
]

export const computedIn = (session: Session): Computed => {
  const { sealed, final, flips, dissent } = verdictOf(session)
  const tallies = [sealed, final].filter(tally => tally !== null)
  const { roundsSoFar, question, seats } = session
  return {
    counts: [
      ...[roundsSoFar.length, question.options.length, seats.length, flips, dissent.length],
      ...tallies.flatMap(countsIn),
    ],
    shares: tallies.flatMap(tally =>
      countsIn(tally).flatMap(count => [count / tally.of, count / Math.max(1, tally.answered)]),
    ),
    medians: tallies.flatMap(({ median }) => median ?? []),
  }
}

/** Values that seats gave as numbers, not in words. */
export const valuesOf = (session: Session): number[] =>
  session.roundsSoFar.flatMap(round =>
    session.seats.flatMap(({ id }) => {
      const { number, low, high, confidence } = answerIn(round, id) ?? {}
      return [number, low, high, confidence].flatMap(value => value ?? [])
    }),
  )

// reportPlaceholders: Placeholders of a report. The moderator leaves counts and lists of seats to them, and code fills them in: a model
// that counts for itself gets it wrong. They hold only figures and names, so they read well in any language.

interface Placeholder {
  readonly name: string
  /** What the moderator is told about it. */
  readonly means: string
  /** Why it can't be used if there is nothing to fill in. */
  readonly otherwise: string
  /** Null: there is nothing to fill in. */
  fill(session: Session, verdict: Verdict): string | null
}

/** A sentence with more names than this can't be read, so it gets a figure instead. */
const mostNames = 8

const isEnglish = ({ language }: Session): boolean => (language ?? 'en') === 'en'

/** "4 of 6", and "4/6" in other languages. */
const share = (session: Session, part: number): string =>
  `${part}${isEnglish(session) ? ' of ' : '/'}${session.seats.length}`

/** By letters, as in the rest of the report: `withNames` turns all of them into names. */
const seatList = (session: Session, seats: readonly string[]): string | null => {
  if (seats.length === 0) return null
  if (seats.length > mostNames) return share(session, seats.length)
  const labels = seats.map(seat => seatLabel(seatOf(session, seat)))
  return new Intl.ListFormat(session.language ?? 'en', { type: 'conjunction' }).format(labels)
}

const leadingPosition = (session: Session, verdict: Verdict): string | null => {
  const camp = decidingTally(verdict)?.camps.find(({ id }) => id === verdict.leading)
  if (!camp) return null
  const { format, unit } = session.question
  const figure = decidingTally(verdict)?.figure
  if (format === 'number' && figure) return `“${figureText(figure, unit)}”`
  const words = format === 'open' ? camp.headline : camp.label
  return `“${words.trim().replace(/\.$/, '')}”`
}

const absentSeats = (verdict: Verdict): string[] => {
  const tally = decidingTally(verdict)
  return tally ? [...tally.silent, ...tally.abstained] : []
}

const movedSeats = ({ ledger }: Verdict): string[] => [...new Set(ledger.map(({ seat }) => seat))]

const placeholders: readonly Placeholder[] = [
  {
    name: 'agreement',
    means: 'how many of all seats agree, as in "4 of 6"',
    otherwise: 'no position leads',
    fill: (session, { agree, leading }) => (leading === null ? null : share(session, agree)),
  },
  {
    name: 'leading',
    means: 'the leading position, in quotation marks',
    otherwise: 'no position leads',
    fill: leadingPosition,
  },
  {
    name: 'dissent',
    means: 'the seats that dissent',
    otherwise: 'nobody dissents',
    fill: (session, { dissent }) => seatList(session, dissent),
  },
  {
    name: 'moved',
    means: 'the seats that changed their mind',
    otherwise: 'nobody changed its mind',
    fill: (session, verdict) => seatList(session, movedSeats(verdict)),
  },
  {
    name: 'absent',
    means: 'the seats that gave no answer',
    otherwise: 'every seat answered',
    fill: (session, verdict) => seatList(session, absentSeats(verdict)),
  },
]

/** Those that can be filled in, one a line, as the moderator reads them. */
export const placeholderLines = (session: Session): string[] =>
  placeholders
    .filter(one => one.fill(session, verdictOf(session)) !== null)
    .map(({ name, means }) => `{${name}}: ${means}`)

/** Each use is filled in, so a text of nothing but placeholders would grow many times over. */
const mostUses = 50

/** A word in braces. Braces in code and in formulas such as \frac{a}{b} belong to the text. */
const pattern = /`[^`]*`|(?<![\\\w^_}$])\{{1,2}(\p{L}{3,})\}{1,2}/gu

/** What is wrong with the placeholders of a text, in words. Empty if all of them can be filled in. */
export const placeholderProblems = (session: Session, text: string): string[] => {
  const names = [...text.matchAll(pattern)].flatMap(([, name]) => name?.toLowerCase() ?? [])
  if (names.length > mostUses) return [`there are more than ${mostUses} placeholders`]
  const used = new Set(names)
  return [...used].flatMap(name => {
    const known = placeholders.find(one => one.name === name)
    if (!known) return [`{${name}} isn't a placeholder`]
    return known.fill(session, verdictOf(session)) === null
      ? [`{${name}} can't be used, because ${known.otherwise}`]
      : []
  })
}

/** For a report that is still being written: a placeholder that can't be filled in yet is left out. */
export const withKnownCounts = (session: Session, text: string): string =>
  withCounts(session, text).replace(pattern, (found, name: string | undefined) => (name ? '…' : found))

/** The text with its placeholders filled in. `instead` has values to use for some of them. */
export const withCounts = (
  session: Session,
  text: string,
  instead: Readonly<Record<string, string>> = {},
): string =>
  text.replace(pattern, (found, name: string | undefined) => {
    const known = placeholders.find(one => one.name === name?.toLowerCase())
    return (known && (instead[known.name] ?? known.fill(session, verdictOf(session)))) ?? found
  })

// answerText: The end of a session in a few lines: the table's answer, the verdict, who disagreed, and what to beware of.

const dissentLines = (session: Session): string[] => {
  const { final, leading, dissent } = verdictOf(session)
  const camps = (final?.camps ?? []).filter(camp => camp.id !== leading)
  if (dissent.length === 0 && leading !== null) return []
  return camps.map(
    ({ label, seats }) => `- ${seats.map(seat => seatOf(session, seat).name).join(', ')}: ${label}`,
  )
}

const longestStopWords = 600

/** A session that could not run says why: whoever resumes it has to know, and may not see its log. */
export const flagWords = ({ stopped }: Session, flag: Flag): string =>
  flag === 'failed' && stopped ? shortened(stopped.words, longestStopWords) : flags[flag]

/** Markdown, with the words of models as they are. */
export const answerText = (session: Session): string => {
  const { answer, summary, counterpoint } = session.report ?? plainReport(session)
  const verdict = verdictOf(session)
  if (isUnreached(session)) return verdict.line
  const positions = dissentLines(session)
  const isText = session.question.format === 'text'
  return [
    answer,
    `**${verdict.line}**`,
    ...(isText ? [summary] : []),
    ...(positions.length > 0
      ? [`${verdict.leading === null ? 'Positions' : 'Dissent'}:\n${positions.join('\n')}`]
      : []),
    ...(counterpoint ? [`Counterpoint: ${counterpoint}`] : []),
    ...verdict.flags.map(flag => `Note (${flag}): ${flagWords(session, flag)}`),
  ].join('\n\n')
}
