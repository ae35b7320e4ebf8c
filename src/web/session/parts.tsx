import { duration, listed, reportWriter } from '../../core/basics.ts'
import type { Seat } from '../../core/opening.ts'
import {
  type Draft,
  isClosed,
  isOverdue,
  latestRound,
  type Round,
  type Session,
  seatsIn,
} from '../../core/session.ts'
import { nextTurn } from '../../count/group.ts'
import { areCampsKnown, type Standing, standingsIn } from '../../count/moves.ts'
import { levelTitle } from '../../count/tally.ts'
import { type Provisional, provisionalOf, verdictOf } from '../../count/verdict.ts'
import { provisionalCount, shortLabel } from '../../count/verdict-line.ts'
import { changedSentence, decisionIn, roundName, saidOtherwiseWords } from '../../words/moves.ts'
import { provisionalMoment, provisionalTitle, secondsFor, skippable } from '../../words/progress.ts'
import { silentIn, stageOf } from '../../words/stages.ts'
import { draftState, draftWords, handedInWords, seatWords, sentenceAt } from '../../words/words.ts'
import { Bar } from '../kit/controls.tsx'
import { Button, CampMark } from '../kit/frame.tsx'
import { useDraft } from '../kit/live.ts'
import { changeOf, fromMiddle, goOnWords, useSeen, useStage } from './stage.tsx'
import { clockText, useNow } from './strip.tsx'

// liveList: While the table is at work: every seat in one line, with what it is writing, and its headline once it comes. All of them have
// answered when the report is written, so it takes their place, and nothing is pushed.

/** With more lines it stops being an overview; the answers below have them all. */
const mostLines = 12

const draftStates: Record<ReturnType<typeof draftState>, string> = {
  thinking: seatWords.thinking,
  weighing: seatWords.weighing,
  writing: seatWords.writing,
  retrying: seatWords.writing,
}

const stateOf = ({ handedIn }: Standing, draft: Draft | undefined, isLeftOut: boolean): string => {
  if (draft?.turn !== undefined) return seatWords.speaking
  if (isLeftOut) return seatWords.late
  if (!handedIn) return draft ? draftStates[draftState(draft)] : seatWords.waiting
  return { given: seatWords.answered, silent: seatWords.silent, abstained: seatWords.abstained }[
    handedIn.status
  ]
}

interface LineProps {
  readonly standing: Standing
  readonly since: number
  readonly canGoOn: boolean
  /** The table went on without it; its answer still counts if it comes. */
  readonly isLeftOut: boolean
}

/** The time of a seat that is still being asked, against its deadline: a line above the seat, and figures beside its name. */
const Time = ({ seat, since }: { seat: Seat; since: number }) => {
  const { session } = useStage()
  const passed = Math.max(0, useNow(true) - since)
  const most = secondsFor(session, seat) * 1_000
  return (
    <>
      <Bar share={passed / most} className="absolute inset-x-0 -top-0.5 h-0.5! w-full" />
      <span className="shrink-0 tabular-nums">
        {clockText(passed)} of {clockText(most)}
      </span>
    </>
  )
}

const stateTones: Readonly<Record<string, string>> = {
  [seatWords.silent]: 'text-bad',
  [seatWords.answered]: 'text-good',
}

/** A failure in the type of an answer would be read as one. */
const lineStyle = (handedIn: Standing['handedIn'], draft: Draft | undefined): string => {
  if (handedIn?.status === 'silent') return 'text-sm text-bad'
  return `said text-base ${handedIn || draft?.headline ? 'text-ink' : 'text-soft'}`
}

const Line = ({ standing, since, canGoOn, isLeftOut }: LineProps) => {
  const { session, live, atEnd, streaming, reveal, goOn, may } = useStage()
  const known = useDraft(live, standing.seat.id)
  const draft = atEnd ? known : undefined
  const given =
    draft?.turn === undefined
      ? standing.handedIn && handedInWords(session.question, standing.handedIn)
      : undefined
  const change = changeOf(standing)
  const said = change ?? keptOf(standing)
  const state = said ?? stateOf(standing, draft, isLeftOut)
  const isAsked = !standing.handedIn && !isLeftOut && atEnd && !session.outcome
  const took = standing.handedIn?.timing?.total
  return (
    <li className="relative border-t border-line py-2 text-sm text-soft">
      <div className="flex items-center gap-x-2.5">
        <button
          type="button"
          onClick={() => reveal(standing.seat.id)}
          // The whole line can be pressed.
          className="flex min-w-0 grow gap-2.5 text-left after:absolute after:inset-0"
        >
          <span className="w-4 shrink-0 font-bold text-ink">{standing.seat.alias}</span>
          <span className="truncate">{standing.seat.name}</span>
        </button>
        {isAsked && <Time seat={standing.seat} since={since} />}
        {took !== undefined && !said && <span className="shrink-0 tabular-nums">{duration(took)}</span>}
        {isAsked && canGoOn && may('change-session') ? (
          <Button
            kind="quiet"
            className="relative -my-1 !min-h-7 shrink-0 !px-0 !py-0 underline"
            onClick={() => goOn(standing.seat.id)}
          >
            {goOnWords(standing.seat)}
          </Button>
        ) : (
          <span className="flex h-5 shrink-0 items-center gap-1">
            {draft && !given && streaming && (
              <span aria-hidden="true" className="breathing text-accent">
                ▍
              </span>
            )}
            <span className={change ? 'font-medium text-accent' : (stateTones[state] ?? '')}>{state}</span>
            {standing.number !== undefined && <CampMark index={standing.number} className="ml-1.5 size-5" />}
          </span>
        )}
      </div>
      <p className={`line-clamp-2 min-h-11.25 pl-6.5 leading-snug ${lineStyle(standing.handedIn, draft)}`}>
        {standing.handedIn?.status === 'silent' && 'No answer: '}
        {given ?? (draft ? draftLine(draft) : '')}
      </p>
    </li>
  )
}

export const LiveList = () => {
  const { session, numbers } = useStage()
  const round = latestRound(session)
  const standings = standingsIn(session, round, numbers)
  const since = Date.parse(round?.openedAt ?? session.openedAt)
  const left = new Set(skippable(session))
  const seen = useSeen(session)
  const report = useReportDraft()
  const atWork = standings.filter(standing => !standing.handedIn)
  const shown =
    standings.length <= mostLines ? standings : [...atWork, ...standings.filter(one => one.handedIn)]
  return (
    <section aria-labelledby="progress" className="@container">
      <h2
        id="progress"
        className="said min-h-[2.8em] text-lg leading-snug font-semibold sm:min-h-[1.4em]"
        aria-live="polite"
      >
        {roundProgress(seen)}
      </h2>
      {report.length > 0 ? (
        <ReportDraft parts={report} />
      ) : (
        <>
          <ul className="mt-3 grid gap-x-8 @2xl:grid-cols-2">
            {shown.slice(0, mostLines).map(standing => (
              <Line
                key={standing.seat.id}
                standing={standing}
                since={since}
                canGoOn={left.has(standing.seat.id)}
                isLeftOut={round !== undefined && isOverdue(round, standing.seat.id)}
              />
            ))}
          </ul>
          {standings.length > mostLines && (
            <p className="mt-2 text-sm text-soft">
              and {standings.length - mostLines} more: see all of them below
            </p>
          )}
        </>
      )}
    </section>
  )
}

// provisional: The verdict so far, named so: the count of the last closed round, in a place that is kept for it.

/** More would not fit a phone; the legend has them all. */
const mostCamps = 3

/** Nothing until the answers are compared: "no model changed its mind" could be taken back a moment later. */
const changedSoFar = (session: Session, { round, running }: Provisional): string | undefined =>
  running || (areCampsKnown(session, round) && verdictOf(session).final?.round === round.index)
    ? changedSentence(session, round.index)
    : undefined

const remarkOn = (session: Session, soFar: Provisional): string => {
  if (soFar.uncompared) return 'The moderator is comparing the answers. The count comes next.'
  if (soFar.unchecked) return 'A first count: the moderator is still checking who agrees with whom.'
  if (stageOf(session) !== 'report') return 'Seats may still change their minds.'
  const late = session.seats.filter(({ id }) => session.roundsSoFar.some(round => isOverdue(round, id)))
  if (late.length > 0)
    return `A late answer of ${listed(late.map(({ name }) => name))} may still change the count.`
  return soFar.round === latestRound(session) ? 'All seats are done. Only the report is missing.' : ''
}

const wayThere = ({ stopped, rounds }: Session): string => {
  if (stopped) return 'The session is ending.'
  const next = rounds > 0 ? ' Then they hear from each other and may change their minds.' : ''
  return `It appears when the sealed round is over. Until then, no seat sees another.${next}`
}

export const ProvisionalVerdict = () => {
  const { session: log, numbers } = useStage()
  const session = useSeen(log)
  const soFar = provisionalOf(session)
  const level = soFar && !soFar.uncompared ? soFar.tally.level : null
  return (
    <div className="min-h-44 border-l-3 border-line pl-4 sm:min-h-32" aria-live="polite">
      <h2 className="label">
        {provisionalTitle}
        {soFar && `, ${provisionalMoment(soFar)}`}
      </h2>
      {soFar ? (
        <>
          <p className="mt-1 wrap-anywhere">
            {level && <span className="font-semibold">{levelTitle(level)}. </span>}
            {provisionalCount(session, soFar)}
          </p>
          {level && (
            <ul className="mt-1 gap-x-5 sm:flex" aria-label="Largest camps">
              {soFar.tally.camps.slice(0, mostCamps).map(camp => (
                <li key={camp.id} className="flex min-w-0 items-center gap-2">
                  {(soFar.running || areCampsKnown(session, soFar.round)) && (
                    <CampMark index={numbers.get(camp.id) ?? 0} className="size-4.5 shrink-0" />
                  )}
                  <span className="said truncate" dir="auto">
                    {shortLabel(camp)}
                  </span>
                  <span className="shrink-0 text-soft">{camp.seats.length}</span>
                </li>
              ))}
            </ul>
          )}
          <p className="mt-1 text-sm text-soft">
            {[changedSoFar(session, soFar), remarkOn(session, soFar)].filter(Boolean).join(' ')}
          </p>
        </>
      ) : (
        <p className="mt-1 max-w-prose text-soft">{wayThere(session)}</p>
      )}
    </div>
  )
}

export default function LiveParts() {
  return (
    <>
      <ProvisionalVerdict />
      <LiveList />
    </>
  )
}

/** Seats that are neither waited for nor have answered: without them the figures don't add up. */
const missingCount = (session: Session, round: Round): string => {
  const silent = silentIn(session, round).length
  const abstained = Object.values(round.handedIn).filter(({ status }) => status === 'abstained').length
  return [
    ...(silent > 0 ? [`, ${silent} ${silent === 1 ? 'is' : 'are'} silent`] : []),
    ...(abstained > 0 ? [`, ${abstained} abstained`] : []),
  ].join('')
}

/** What is happening now. */
export const roundProgress = (session: Session): string => {
  const round = latestRound(session)
  if (session.outcome) return 'The session is over.'
  if (session.stopped) return 'The session is ending.'
  if (!round) return 'The seats are being filled.'
  const seats = seatsIn(session, round.index)
  const done = seats.filter(seat => round.handedIn[seat.id]?.status === 'given').length
  if (!isClosed(session, round))
    return `${roundName(round)}: ${done} of ${seats.length} have answered${missingCount(session, round)}.`
  if (session.report) return 'The report is written.'
  if (stageOf(session) === 'report') return 'The report is being written.'
  if (!round.statements) return 'The moderator is reading the answers.'
  return nextTurn(session, round) ? 'The advocates are speaking.' : 'The advocates have spoken.'
}

/** "says it kept its answer": shown as soon as it is there, because the camps of a round are computed when all have answered. */
export const keptOf = ({ move, handedIn }: Standing): string | undefined => {
  const decision = move === null && handedIn?.status === 'given' ? decisionIn(handedIn.answer) : undefined
  return decision && saidOtherwiseWords[decision === 'conceded' ? 'kept' : decision]
}

/** An answer on its way, in one line. A page has room for what a model thinks, too. */
export const draftLine = (draft: Draft): string =>
  draft.headline ? fromMiddle(draft.headline) : draftWords(draft) || sentenceAt(draft.thinking)

// The report while the moderator writes it. Its counts may still change until the session is over.

/** Its parts in the order in which they are written: what comes later must not push what is being read. */
export const useReportDraft = (): readonly string[] => {
  const { live, atEnd, session } = useStage()
  const draft = useDraft(live, reportWriter)
  if (!draft || !atEnd || session.stopped) return []
  return [draft.points, draft.reasoning, draft.headline].filter(part => part.trim() !== '')
}

export const ReportDraft = ({ parts }: { parts: readonly string[] }) => (
  <section aria-label="The report, as it is written" aria-busy="true" className="card mt-3 px-4 py-3">
    {parts.map((part, place) => (
      <p key={place} dir="auto" className="said mt-2 whitespace-pre-line wrap-anywhere">
        {part}
      </p>
    ))}
  </section>
)
