/**
 * While the table is at work: every seat in one line, with what it is writing, and its headline once it comes. All of them have
 * answered when the report is written, so it takes their place, and nothing is pushed.
 */

import { type Standing, standingsIn } from '../../../../core/camps/standings.ts'
import type { Draft } from '../../../../core/log/draft.ts'
import type { Seat } from '../../../../core/log/event.ts'
import { isOverdue, latestRound } from '../../../../core/log/state.ts'
import { secondsFor, skippable } from '../../../../core/progress/time-left.ts'
import { draftState } from '../../../../core/wording/draft-words.ts'
import { duration } from '../../../../core/wording/durations.ts'
import { handedInWords } from '../../../../core/wording/handed-in.ts'
import { seatWords } from '../../../../core/wording/seat-words.ts'
import { Bar } from '../../../components/bar.tsx'
import { Button } from '../../../components/button.tsx'
import { CampMark } from '../../../components/camp.tsx'
import { useDraft } from '../../../live.ts'
import { clockText, useNow } from '../live/clock.ts'
import { ReportDraft, useReportDraft } from '../report-draft.tsx'
import { useSeen, useStage } from '../stage.ts'
import { changeOf, draftLine, goOnWords, keptOf, roundProgress } from '../wording.ts'

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
