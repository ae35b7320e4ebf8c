/** The report: the moderator puts into words what code counted. What contradicts it, or isn't there, is turned down. */

import { z } from 'zod'
import {
  type Command,
  type Happening,
  mostReasons,
  type Relation,
  type Report,
  type ReportDraft,
} from '../core/event.ts'
import { canBeRight, shapeOf } from '../core/form.ts'
import { comparedMaskFor, maskFor, seatLabel, unmasked, withNames } from '../core/mask.ts'
import { type Answer, headlineKey, quotesOf } from '../core/question.ts'
import { valueText } from '../core/reply.ts'
import {
  answerIn,
  latestRound,
  type Round,
  roundAt,
  type Session,
  seatCalled,
  seatOf,
} from '../core/session.ts'
import { type Camp, newestOf } from '../count/camps.ts'
import { rulingText } from '../count/group.ts'
import { groupingOf } from '../count/settle.ts'
import { compatibleWith, figuresText } from '../count/tally.ts'
import { decidingTally, grantsOf, movedBy, type Verdict, verdictOf } from '../count/verdict.ts'
import { rewrittenIn } from '../count/verdict-line.ts'
import { type Attribution, contradictions, lookupProblems, unprovenSpeakers } from '../report/check.ts'
import {
  closedAnswer,
  leadingCamp,
  movesText,
  placeholderLines,
  placeholderProblems,
  plainReport,
  withCounts,
  textsOf as writtenBy,
} from '../report/report.ts'
import { reasonsText } from '../words/words.ts'
import { objectionLines, positionLine } from './answers.ts'
import { comparison, readingLines } from './grouping.ts'
import {
  askerLines,
  cut,
  fenced,
  inLanguage,
  moderatorSystem,
  questionPart,
  shortened,
  unseenLine,
} from './parts.ts'
import { isText } from './prompt.ts'
import type { ModelStep, Prompt } from './protocol.ts'

// reportAnswer: Compares the answer of a report with the headline that leads, as headlines are compared for camps.

export const answerPrompt = (
  session: Session,
  { headline, answer }: { readonly headline: string; readonly answer: string },
): Prompt => {
  const mask = comparedMaskFor(session)
  return comparison(session, 'report answer', [mask(headline), mask(answer)])
}

/** Why a report is turned down for its answer. Undefined: it says what the leading position says. */
export const answerProblem = (answer: string, relation: Relation): string | undefined =>
  relation === 'different' || relation === 'compatible'
    ? `its answer isn't the leading position: ${JSON.stringify(answer)}`
    : undefined

// reportFacts: What the moderator reads to write a report: what code counted, whole answers, who moved, and what else there is.

/** Room for whole answers: about 9,000 tokens. A table of twelve fits; of a larger one each camp has its say in turn. */
const roomForAnswers = 36_000
/** Room for what advocates said. */
const roomForStatements = 16_000
/** No single text takes more of the room than this; a longer one ends with a whole sentence. */
const longestText = 12_000
/** Camps that are listed, and changes of mind that are told one by one. */
const mostCamps = 40
const mostMoves = 40

/** What the seat said of others' points: what it grants, and what it couldn't check. */
const pointsOf = (session: Session, answer: Answer) =>
  (answer.points ?? [])
    .filter(({ judgement, verified }) => verified && judgement !== 'does not hold')
    .map(({ seat, quote, judgement, why }) => ({
      of: seatLabel(seatOf(session, seat)),
      words: maskFor(session)(quote),
      judgement,
      why: maskFor(session)(why),
    }))

const answerEntry = (session: Session, seat: string, answer: Answer, sealed: Answer | undefined) => {
  const mask = (text: string): string => shortened(maskFor(session)(text), longestText)
  const { format } = session.question
  const points = pointsOf(session, answer)
  return {
    seat: seatLabel(seatOf(session, seat)),
    ...(answer.reading && { reads: mask(answer.reading) }),
    ...(format !== 'open' && format !== 'text' && { value: valueText(session.question, answer) }),
    ...(answer.low !== undefined && { from: answer.low }),
    ...(answer.high !== undefined && { to: answer.high }),
    headline: mask(answer.headline),
    ...(answer.text && { text: mask(answer.text) }),
    reasoning: mask(answer.reasoning),
    ...(points.length > 0 && { points }),
    ...(answer.wouldChangeMind && { wouldChangeMind: mask(answer.wouldChangeMind) }),
    ...(sealed &&
      headlineKey(sealed.headline) !== headlineKey(answer.headline) && { atFirst: mask(sealed.headline) }),
  }
}

/** One of each camp, then the second of each, and so on: a small camp is heard before a large one is heard twice. */
const inTurns = (camps: readonly Camp[]): string[] => {
  const longest = Math.max(0, ...camps.map(camp => camp.seats.length))
  return Array.from({ length: longest }, (_, turn) => camps.flatMap(camp => camp.seats[turn] ?? [])).flat()
}

/** As many whole answers as there is room for, by seat. */
const readAnswers = (
  session: Session,
  round: Round | undefined,
  camps: readonly Camp[],
): ReadonlyMap<string, object> => {
  const first = session.roundsSoFar.find(one => one.sealed && one.index !== round?.index)
  const entries = new Map<string, object>()
  let room = roomForAnswers
  for (const seat of inTurns(camps)) {
    const answer = newestOf(session, round, seat)
    if (!answer) continue
    const entry = answerEntry(session, seat, answer, answerIn(first, seat))
    room -= JSON.stringify(entry).length
    if (room < 0) break
    entries.set(seat, entry)
  }
  return entries
}

const campLines = (session: Session): string[] => {
  const tally = decidingTally(verdictOf(session))
  const round = tally ? roundAt(session, tally.round) : latestRound(session)
  const camps = tally?.camps ?? []
  const label = (seat: string): string => seatLabel(seatOf(session, seat))
  const answers = readAnswers(session, round, camps)
  const all = camps.every(camp => camp.seats.every(seat => answers.has(seat)))
  const digest = session.roundsSoFar.findLast(one => one.digest)?.digest
  return [
    ...camps.slice(0, mostCamps).map(camp => {
      const read = camp.seats.flatMap(seat => answers.get(seat) ?? [])
      return JSON.stringify({
        position: maskFor(session)(session.question.format === 'open' ? camp.headline : camp.label),
        leading: camp.id === tally?.leading,
        seats: camp.seats.map(label),
        ...(read.length < camp.seats.length && { leftOut: camp.seats.length - read.length }),
        answers: read,
      })
    }),
    // Not every answer fits: what the last digest made of all of them comes with those that do.
    ...(all || !digest ? [] : digest.positions.map(position => positionLine(session, position))),
  ]
}

const moveLines = (session: Session): string[] => {
  const mask = maskFor(session)
  const label = (seat: string): string => seatLabel(seatOf(session, seat))
  const { ledger } = verdictOf(session)
  const cause = ({ credit, reason }: Pick<(typeof ledger)[number], 'credit' | 'reason'>) => ({
    ...(reason && { reason }),
    ...(credit?.verified && { because: label(credit.seat), words: mask(credit.quote) }),
  })
  const flips = ledger.slice(0, mostMoves).map(flip =>
    JSON.stringify({
      moved: label(flip.seat),
      to: mask(answerIn(roundAt(session, flip.round), flip.seat)?.headline ?? ''),
      ...cause(flip),
    }),
  )
  const grants = grantsOf(session)
    .slice(0, mostMoves)
    .map(grant => JSON.stringify({ [grant.decision]: label(grant.seat), ...cause(grant) }))
  return [...flips, ...grants]
}

const statementLines = (session: Session): string[] => {
  const mask = maskFor(session)
  const lines = session.roundsSoFar.flatMap(round =>
    (round.statements ?? []).flatMap(statement => {
      if (statement.error) return []
      const { seat, argument, question } = statement
      const asked = question ? { question: mask(question) } : {}
      return [
        JSON.stringify({
          advocate: seatLabel(seatOf(session, seat)),
          argument: shortened(mask(argument), longestText),
          ...asked,
        }),
      ]
    }),
  )
  let room = roomForStatements
  return lines.filter(line => {
    room -= line.length
    return room >= 0
  })
}

/** What there is besides the count: the latest figures of the group, and what a judge ruled. */
const beside = (session: Session): string[] => {
  const mask = maskFor(session)
  const figures = session.roundsSoFar.findLast(round => round.digest?.figures)?.digest?.figures
  const rulings = session.roundsSoFar.flatMap(round => {
    const labelOf = (id: string): string =>
      groupingOf(session, round).camps.find(camp => camp.id === id)?.label ?? id
    return rulingText(round, labelOf) ?? []
  })
  return [
    ...(figures ? [JSON.stringify({ group: mask(figuresText(session.question, figures)) })] : []),
    ...rulings.map(ruling => JSON.stringify({ judge: mask(ruling) })),
  ]
}

/** One JSON object a line. The counted line may quote a seat, so it goes behind the fence like everything else. */
export const reportFacts = (session: Session): string[] => [
  ...(session.asLabelled ? [] : [JSON.stringify({ counted: maskFor(session)(verdictOf(session).line) })]),
  ...campLines(session),
  ...session.roundsSoFar.flatMap(round => objectionLines(session, round)),
  ...moveLines(session),
  ...statementLines(session),
  ...readingLines(session),
  ...beside(session),
  ...askerLines(session, Number.POSITIVE_INFINITY),
]

// reportForm: The form of a report, in the order of thought: what the answer follows from comes before the answer.

const seat = z.string().nullable().describe('The letter of the seat whose words it rests on; null if none.')
const quote = z
  .string()
  .nullable()
  .describe(
    'Its exact words, copied letter by letter, at most 25 of them; Markdown signs may be left out. Null without a seat.',
  )

const replySchema = z.object({
  reasons: z
    .array(z.object({ seat, quote, reason: z.string().describe('The reason in one or two sentences.') }))
    .describe('The reasons that carried the answer, the strongest first, one to five of them.'),
  moved: z
    .string()
    .nullable()
    .describe('Who moved whom, and by which point, in at most 60 words; null if nobody moved or conceded.'),
  counterpoint: z
    .object({ seat, quote, point: z.string().describe('The point in one or two sentences.') })
    .nullable()
    .describe('The strongest dissent; null if there is none.'),
  open: z.string().nullable().describe('What stayed open, in one or two sentences; null if nothing did.'),
  unverified: z
    .string()
    .nullable()
    .describe('What the answer rests on that nobody could verify, in one or two sentences; null if nothing.'),
  settle: z
    .string()
    .nullable()
    .describe(
      'What would settle the question, in one or two sentences; null if it is settled already or nothing would.',
    ),
  answer: z.string().describe("The table's answer in one sentence, without counts of seats."),
})

export const reportShape = shapeOf('report', replySchema)

/** What a moderator wrote, read leniently: a text where an object is asked for, or the summary of the earlier form. */
const text = z.string().nullish()
const unheld = { seat: null, quote: null }
const heldSchema = z.object({ seat: text, quote: text })
const readSchema = z.object({
  answer: z.string(),
  summary: text,
  reasons: z
    .array(
      z.union([
        z.string().transform(reason => ({ ...unheld, reason })),
        heldSchema.extend({ reason: z.string() }),
      ]),
    )
    .nullish(),
  moved: text,
  counterpoint: z
    .union([z.string().transform(point => ({ ...unheld, point })), heldSchema.extend({ point: z.string() })])
    .nullish(),
  open: text,
  unverified: text,
  settle: text,
})

/** A point with the words it rests on, if the moderator named a seat and quoted it. */
export type Held = ReportDraft['reasons'][number]

/** Models leave a part out by null, but also by "None" or "N/A". */
const said = (value: string | null | undefined): string | undefined => {
  const trimmed = value?.trim() ?? ''
  return /^(?:none|null|n\/a|nothing|-|–|—)?\.?$/i.test(trimmed) ? undefined : trimmed
}

const heldBy = (
  words: string,
  by: { readonly seat?: string | null | undefined; readonly quote?: string | null | undefined },
): Held | undefined => {
  const [point, seatName, quoted] = [said(words), said(by.seat), said(by.quote)]
  if (!point) return undefined
  return { text: point, ...(seatName && quoted && { held: { seat: seatName, quote: quoted } }) }
}

/** The parts of a reply. Undefined: its answer, or everything that carries it, is missing. */
export const draftFrom = (raw: unknown): ReportDraft | { readonly problem: string } => {
  const reply = readSchema.safeParse(raw)
  if (!reply.success) return { problem: 'answer or reasons are missing' }
  const { reasons, counterpoint, summary, ...rest } = reply.data
  const given = (reasons ?? []).flatMap(one => heldBy(one.reason, one) ?? []).slice(0, mostReasons)
  const old = given.length === 0 ? said(summary) : undefined
  if (!said(rest.answer) || (given.length === 0 && !old)) return { problem: 'answer or reasons are empty' }
  const optional = (['moved', 'open', 'unverified', 'settle'] as const).flatMap(part => {
    const words = said(rest[part])
    return words ? [[part, words] as const] : []
  })
  const dissent = counterpoint ? heldBy(counterpoint.point, counterpoint) : undefined
  return {
    answer: rest.answer.trim(),
    reasons: given,
    ...(old && { summary: old }),
    ...Object.fromEntries(optional),
    ...(dissent && { counterpoint: dissent }),
  }
}

/** Everything of a draft that is prose. */
export const proseOf = ({ answer, summary, reasons, counterpoint, ...rest }: ReportDraft): string =>
  [summary, ...reasons.map(one => one.text), counterpoint?.text, ...Object.values(rest), answer]
    .filter(part => part !== undefined)
    .join('\n')

export const attributionsOf = ({ reasons, counterpoint }: ReportDraft): Attribution[] =>
  [...reasons, ...(counterpoint ? [counterpoint] : [])].flatMap(({ held }) => held ?? [])

// textReport: The report on texts: the common thread, and what each text has that no other has. Nothing is counted as agreement,
// and what a text is said to have is looked up in it.

const textReportReplySchema = z.object({
  common: z
    .string()
    .describe('The thread that runs through the texts, in two or three sentences. If there is none, say so.'),
  each: z
    .array(
      z.object({
        seat: z.string().describe('The letter of the seat.'),
        only: z.string().describe('What its text has that no other has, in one sentence.'),
        quote: z
          .string()
          .describe('Words of its text that show it, copied letter by letter, at most 25 of them.'),
      }),
    )
    .describe('One entry for each text.'),
})

const shape = shapeOf('report', textReportReplySchema)

/** At a larger table only these many texts must be named: those that have the most of their own. */
const mostNamed = 12
/** Characters of all texts together. Beyond that each is cut to its share. */
const mostRead = 240_000

interface Written {
  readonly seat: string
  readonly letter: string
  readonly headline: string
  readonly text: string
  /** Whether these words stand in the text. */
  has(quote: string): boolean
}

/** The texts that count: those of the last round that is closed. */
const textsOf = (session: Session): Written[] => {
  const round = roundAt(session, verdictOf(session).final?.round ?? -1)
  const mask = maskFor(session)
  return session.seats.flatMap(({ id, alias }) => {
    const answer = newestOf(session, round, id)
    if (!answer) return []
    const { headline, text = '' } = answer
    return [{ seat: id, letter: alias, headline, text, has: quotesOf([text, mask(text)]) }]
  })
}

const facts = (session: Session, texts: readonly Written[]): string[] => {
  const mask = maskFor(session)
  const { final, line } = verdictOf(session)
  const round = roundAt(session, final?.round ?? -1)
  const share = Math.floor(mostRead / Math.max(1, texts.length))
  const camps = round ? groupingOf(session, round).camps : []
  return [
    JSON.stringify({ counted: mask(line) }),
    ...texts.map(({ letter, headline, text }) =>
      JSON.stringify({ seat: letter, headline: mask(headline), text: cut(mask(text), share) }),
    ),
    ...camps.map(camp =>
      JSON.stringify({
        intent: mask(camp.label),
        seats: camp.seats.map(id => seatLabel(seatOf(session, id))),
      }),
    ),
    ...askerLines(session, Number.POSITIVE_INFINITY),
    ...(final && rewrittenIn(session, final.round).length > 0
      ? [
          JSON.stringify({
            rewritten: rewrittenIn(session, final.round).map(id => seatLabel(seatOf(session, id))),
          }),
        ]
      : []),
  ]
}

const prompt = (session: Session): Prompt => {
  const texts = textsOf(session)
  const whose =
    texts.length > mostNamed
      ? `for the ${mostNamed} texts that have the most of their own`
      : 'for each text, none left out'
  return {
    system: moderatorSystem,
    user: [
      questionPart(session),
      fenced(session, 'report', facts(session, texts)),
      [
        'The seats each wrote a text. They are not a vote: say neither who is right nor who wrote best.',
        'First give the common thread: what runs through these texts, or through most of them, in plain words.',
        `Then, ${whose}, say what it has that no other has, and quote the words that show it. The quote must stand in`,
        'that text and in no other. Call participants "Seat A", "Seat B" and so on.',
        inLanguage(session),
      ].join('\n'),
    ],
    shape,
    longerBy: texts.length * 60,
  }
}

type Entry = z.infer<typeof textReportReplySchema>['each'][number]

/** What is wrong with an entry, in words. Undefined if its words stand in that text and in no other. */
const problemIn = ({ seat, quote }: Entry, texts: readonly Written[]): string | undefined => {
  const letter = seat.replace(/^seat\s+/i, '').toUpperCase()
  const own = texts.find(one => one.letter === letter)
  if (!own) return `there is no text of seat ${JSON.stringify(seat)}`
  if (!own.has(quote)) return `seat ${letter} did not write ${JSON.stringify(quote)}`
  const other = texts.find(one => one !== own && one.has(quote))
  return other && `seat ${other.letter} also wrote ${JSON.stringify(quote)}`
}

const read = (raw: unknown, session: Session): Happening | { problem: string } => {
  const reply = textReportReplySchema.safeParse(raw)
  if (!reply.success || reply.data.common.trim() === '') return { problem: 'common or each is missing' }
  const { common, each } = reply.data
  const texts = textsOf(session)
  // Each entry is looked up in all texts: without an end to them, a reply would hold up everybody.
  if (each.length > texts.length) return { problem: 'each has more entries than there are texts' }
  const letters = each.map(({ seat }) => seat.replace(/^seat\s+/i, '').toUpperCase())
  const missing = texts.filter(({ letter }) => !letters.includes(letter)).map(({ letter }) => letter)
  const problems = [
    ...each.flatMap(entry => problemIn(entry, texts) ?? []),
    ...(new Set(letters).size < letters.length ? ['a seat is named twice'] : []),
    ...(missing.length > 0 && each.length < Math.min(mostNamed, texts.length)
      ? [`each lacks seat ${missing.join(', ')}`]
      : []),
  ]
  if (problems.length > 0) return { problem: problems.join('; ') }
  const lines = each.map(({ only, quote }, index) => {
    const { name } = session.seats.find(seat => seat.alias === letters[index])!
    const own = texts.filter(({ letter }) => letter === letters[index]).map(({ text }) => text)
    return `- ${name}: ${withNames(session, only.trim())} “${unmasked(session, quote.trim(), own)}”`
  })
  return {
    type: 'report-written',
    by: 'moderator',
    report: { answer: withNames(session, common.trim()), summary: lines.join('\n') },
  }
}

export const textReport = { prompt, read }

type WriteReport = Command & { type: 'write-report' }

const dissentLine = (verdict: Verdict): string => {
  const { dissent, leading, answered } = verdict
  const tally = decidingTally(verdict)
  const beside = tally && leading !== null ? compatibleWith(tally, leading) : []
  if (dissent.length > 0 && beside.length === (tally?.camps.length ?? 0) - 1)
    return 'Others give another answer that does not deny the leading one: give its strongest point as the counterpoint, and call it another answer, not dissent.'
  if (dissent.length > 0)
    return 'There is dissent: give its strongest point as the counterpoint, or null if it says nothing against the leading position.'
  if (leading !== null || answered < 2)
    return 'Nobody dissents from the leading position: set counterpoint to null.'
  return 'No position leads: say so in the answer, let the reasons be what carries each side, and give as the counterpoint what speaks most against the side that you name first, or null.'
}

const objectionLine =
  'An objection comes from a challenger without a seat; nobody but the seats has judged it.'

const movedLine = (session: Session): string =>
  movedBy(session).size > 0
    ? [
        'In moved, say who changed its mind, narrowed its answer or conceded a point, and whose words or which reason did it, only as it is listed above. If there are more than fit, leave out concessions: readers get the whole list.',
        ...(session.roundsSoFar.some(({ objection }) => objection) ? [objectionLine] : []),
      ].join(' ')
    : 'Nobody changed its mind or conceded a point: set moved to null, and say nothing of it elsewhere.'

const exhibitsLine = ({ question: { attachments } }: Session): string[] =>
  attachments.length > 0
    ? ['Refer to exhibits as the seats do, as in [1, p. 3]; their figures stand above, too.']
    : []

/** The answer to a choice begins with the option that leads: a sentence that doesn't is replaced by the option. */
const answerLine = ({ question }: Session, verdict: Verdict): string[] => {
  const leading = decidingTally(verdict)?.camps.find(({ id }) => id === verdict.leading)
  if (question.format !== 'choice' || !leading) return []
  return [
    `Begin the answer with ${JSON.stringify(leading.label)}, word for word, and name no other option in it.`,
  ]
}

/** Empty if there is nothing to fill in. */
const placeholderPart = (session: Session): string[] => {
  const lines = placeholderLines(session)
  if (lines.length === 0) return []
  return [
    'For counts and lists of seats write these placeholders with their braces, untranslated. Code fills them in:',
    ...lines,
  ]
}

/** The reader should know what the table was told in the middle. */
export const askerLine = ({ roundsSoFar }: Session): string[] =>
  roundsSoFar.some(({ said }) => said)
    ? [
        'Lines with "asker" are what the person who asked added in the middle. Say what was added, and what came of it.',
      ]
    : []

const tasteLine = (session: Session): string[] =>
  canBeRight(session)
    ? []
    : ['This is a matter of taste: call no answer right or wrong, and say what speaks for each position.']

/** The report may be asked for before the last comparisons are in, so that nobody waits for them. */
const countLines = ({ asLabelled }: Session): string[] =>
  asLabelled
    ? [
        'Write the report for somebody who has not read the answers. Who agrees is still being checked: give no numbers of',
        'seats yourself, and no "all" or "most" of them.',
      ]
    : [
        'Write the report for somebody who has not read the answers. What code counted stands above: never contradict',
        'it, and give no numbers of seats yourself.',
      ]

/** There is something to dissent from, or nothing leads. */
const mayDissent = ({ leading, dissent }: Verdict): boolean => leading === null || dissent.length > 0

/** What is wrong with a draft, in words. Empty: it stands. */
const problemsWith = (session: Session, draft: ReportDraft): string[] => {
  const prose = proseOf(draft)
  const unfilled = placeholderProblems(session, prose)
  if (unfilled.length > 0) return unfilled
  // The leading position is quoted from a seat, so numbers in it aren't the moderator's statements.
  const filled = (text: string): string => withCounts(session, text, { leading: '…' })
  const wrong = contradictions(filled(prose), verdictOf(session))
  // The answer to a closed question may be replaced by code's own.
  const kept = closedAnswer(session, draft.answer) === draft.answer ? draft : { ...draft, answer: '' }
  const [looked, attributions] = [filled(proseOf(kept)), attributionsOf(draft)]
  return [
    ...(wrong.length > 0 ? [`contradicts the counts: ${wrong.join('; ')}`] : []),
    ...lookupProblems(session, looked, attributions),
    ...(draft.summary ? [] : unprovenSpeakers(session, looked, attributions)),
  ]
}

/** `moves`: who moved, in the words of code, if the draft can't know. */
export const finished = (session: Session, draft: ReportDraft, moves?: string): Report => {
  const words = (text: string): string => withNames(session, withCounts(session, text))
  const nameOf = (seat: string): string => seatOf(session, seat).name
  const heldBy = ({ held }: Held) => {
    const seat = held && seatCalled(session, held.seat)?.id
    return seat ? { seat, quote: unmasked(session, held.quote, writtenBy(session, seat)) } : {}
  }
  const reasons = draft.reasons.map(one => ({ reason: words(one.text), ...heldBy(one) }))
  const moved = moves ?? (draft.moved && movedBy(session).size > 0 ? words(draft.moved) : undefined)
  const { counterpoint } = draft
  const { seat, quote } = counterpoint ? heldBy(counterpoint) : {}
  const dissent = counterpoint && words(counterpoint.text)
  const author = seat && dissent && !dissent.includes(nameOf(seat)) ? `${nameOf(seat)}: ` : ''
  const proof = quote && !dissent?.includes(quote) ? ` (“${quote}”)` : ''
  return {
    answer: closedAnswer(session, words(draft.answer)),
    summary: draft.summary
      ? words(draft.summary)
      : [reasonsText(reasons, nameOf), moved].filter(Boolean).join('\n\n'),
    ...(reasons.length > 0 && { reasons }),
    ...(moved && { moved }),
    ...(dissent && { counterpoint: `${author}${dissent}${proof}` }),
    ...(draft.open && { open: words(draft.open) }),
    ...(draft.unverified && { unverified: words(draft.unverified) }),
    ...(draft.settle && { settle: words(draft.settle) }),
  }
}

/** What a draft was told about the table, to see later whether it still holds. */
export const draftedFor = (session: Session): Happening & { type: 'report-drafted' } => ({
  type: 'report-drafted',
  round: latestRound(session)?.index ?? 0,
  leading: leadingCamp(session)?.headline ?? null,
  moved: [...movedBy(session).keys()],
  changed: changedIn(session),
})

/** The seats that changed their minds. */
const changedIn = (session: Session): string[] => [
  ...new Set(verdictOf(session).ledger.map(({ seat }) => seat)),
]

/** Whether the draft was told who moved as it is now known. If not, code says it: only the checks decide who moved. */
const toldMoves = (session: Session): boolean => {
  const { drafted } = session
  if (!drafted?.changed) return true
  const told = (now: readonly string[], then: readonly string[]): boolean =>
    now.every(seat => then.includes(seat))
  const changed = changedIn(session)
  return (
    told(changed, drafted.changed) &&
    told(drafted.changed, changed) &&
    told([...movedBy(session).keys()], drafted.moved)
  )
}

/** The camp that a draft called the leading one still leads: somebody in it says what led then. */
const stillLeads = (session: Session, leading: string | null): boolean => {
  const camp = leadingCamp(session)
  if (!camp || leading === null) return !camp && leading === null
  const round = roundAt(session, verdictOf(session).final?.round ?? -1)
  return camp.seats.some(
    seat => headlineKey(newestOf(session, round, seat)?.headline ?? '') === headlineKey(leading),
  )
}

/** Whether what was drafted still holds now that everything is checked. If not, it is asked for again. */
export const draftStands = (session: Session): boolean => {
  const { drafted } = session
  if (!drafted?.draft) return drafted !== undefined
  return (
    stillLeads(session, drafted.leading) &&
    (drafted.changed !== undefined ||
      [...movedBy(session).keys()].every(seat => drafted.moved.includes(seat))) &&
    problemsWith(session, asSettled(session, drafted.draft)).length === 0
  )
}

/** A counterpoint is left out if there is nothing to dissent from. */
const withoutIdleDissent = (session: Session, { counterpoint, ...rest }: ReportDraft): ReportDraft =>
  mayDissent(verdictOf(session)) && counterpoint ? { ...rest, counterpoint } : rest

/** A draft without what the checks have overtaken. */
const asSettled = (session: Session, { moved, ...rest }: ReportDraft): ReportDraft =>
  withoutIdleDissent(session, moved && toldMoves(session) ? { ...rest, moved } : rest)

/** The report of a draft that stands, with its counts. Code's own if nothing was drafted. */
export const settledReport = (session: Session): Happening & { type: 'report-written' } => {
  const { draft, rejected = [] } = session.drafted ?? {}
  return {
    type: 'report-written',
    by: draft ? 'moderator' : 'code',
    report: draft
      ? finished(session, asSettled(session, draft), toldMoves(session) ? undefined : movesText(session))
      : plainReport(session),
    ...(rejected.length > 0 && { rejected: [...rejected] }),
  }
}

export const report: ModelStep<WriteReport> = {
  prompt(session) {
    if (isText(session)) return textReport.prompt(session)
    const verdict = verdictOf(session)
    return {
      system: moderatorSystem,
      user: [
        questionPart(session),
        fenced(session, 'report', reportFacts(session)),
        [
          ...countLines(session),
          ...placeholderPart(session),
          'Call participants "Seat A", "Seat B" and so on. If you attribute a point to a seat, it must be its own: quote',
          'its exact words. Give only figures that stand above, and write "about" if you round one.',
          ...exhibitsLine(session),
          movedLine(session),
          ...answerLine(session, verdict),
          dissentLine(verdict),
          ...tasteLine(session),
          ...askerLine(session),
          ...unseenLine(session),
          'Leave a part out with null rather than fill it.',
          inLanguage(session),
        ].join('\n'),
      ],
      shape: reportShape,
    }
  },
  read(raw, session) {
    if (isText(session)) return textReport.read(raw, session)
    const read = draftFrom(raw)
    if ('problem' in read) return read
    const draft = withoutIdleDissent(session, read)
    const problems = problemsWith(session, draft)
    if (problems.length > 0) return { problem: problems.join('; ') }
    if (session.asLabelled) return { ...draftedFor(session), draft }
    return {
      type: 'report-written',
      by: 'moderator',
      report: finished(session, draft),
    }
  },
}
