/** The report: the moderator puts into words what code counted. What contradicts it, or isn't there, is turned down. */
import type { Command } from '../../core/log/command.ts'
import type { Happening, Report, ReportDraft } from '../../core/log/event.ts'
import { answerIn, latestRound, roundAt, type Session, seatOf } from '../../core/log/state.ts'
import { normalised } from '../../core/question/answer.ts'
import { canBeRight } from '../../core/question/kind.ts'
import { movesText, plainReport } from '../../core/verdict/plain-report.ts'
import { closedAnswer, leadingCamp } from '../../core/verdict/report-answer.ts'
import { contradictions } from '../../core/verdict/report-check.ts'
import { lookupProblems, unprovenSpeakers } from '../../core/verdict/report-lookup.ts'
import { movedBy } from '../../core/verdict/report-moves.ts'
import { placeholderLines, placeholderProblems, withCounts } from '../../core/verdict/report-placeholders.ts'
import { seatCalled } from '../../core/verdict/report-quotes.ts'
import { compatibleWith } from '../../core/verdict/tally.ts'
import { decidingTally, type Verdict, verdictOf } from '../../core/verdict/verdict.ts'
import { withNames } from '../../core/wording/mask.ts'
import { reasonsText } from '../../core/wording/report-parts.ts'
import { unseenLine } from '../exhibit-items.ts'
import type { ModelStep } from '../model-step.ts'
import { fenced, inLanguage, questionPart } from '../prompt-parts.ts'
import { isText } from '../text-prompt.ts'
import { reportFacts } from './report-facts.ts'
import { attributionsOf, draftFrom, type Held, proseOf, reportShape } from './report-form.ts'
import { moderatorSystem } from './system.ts'
import { textReport } from './text-report.ts'

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
    return seat ? { seat, quote: withNames(session, held.quote) } : {}
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
  return camp.seats.some(seat => normalised(answerIn(round, seat)?.headline ?? '') === normalised(leading))
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
