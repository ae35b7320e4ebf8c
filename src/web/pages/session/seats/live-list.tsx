/**
 * While the table is at work: every seat in one line, with what it is writing, and its headline once it comes. All of them have
 * answered when the report is written, so it takes their place, and nothing is pushed.
 */

import { type Standing, standingsIn } from '../../../../core/camps/standings.ts'
import type { Draft } from '../../../../core/log/draft.ts'
import { latestRound } from '../../../../core/log/state.ts'
import { secondsFor, skippable } from '../../../../core/progress/time-left.ts'
import { draftState } from '../../../../core/wording/draft-words.ts'
import { handedInWords } from '../../../../core/wording/handed-in.ts'
import { seatWords } from '../../../../core/wording/seat-words.ts'
import { spentParts } from '../../../../core/wording/spent-words.ts'
import { Bar } from '../../../components/bar.tsx'
import { Button } from '../../../components/button.tsx'
import { CampMark } from '../../../components/camp.tsx'
import { useDraft } from '../../../live.ts'
import { clockText, useNow } from '../live/clock.ts'
import { ReportDraft, useReportDraft } from '../report-draft.tsx'
import { useSeen, useStage } from '../stage.ts'
import { changeOf, draftLine, roundProgress } from '../wording.ts'

/** With more lines it stops being an overview; the answers below have them all. */
const mostLines = 12

const draftStates: Record<ReturnType<typeof draftState>, string> = {
  thinking: seatWords.thinking,
  weighing: seatWords.weighing,
  writing: seatWords.writing,
  retrying: seatWords.writing,
}

const stateOf = ({ handedIn }: Standing, draft: Draft | undefined): string => {
  if (draft?.turn !== undefined) return seatWords.speaking
  if (!handedIn) return draft ? draftStates[draftState(draft)] : seatWords.waiting
  return { given: seatWords.answered, silent: seatWords.silent, abstained: seatWords.abstained }[
    handedIn.status
  ]
}

interface LineProps {
  readonly standing: Standing
  readonly since: number
  readonly canGoOn: boolean
}

/** The time of a seat that is still being asked, against its deadline, and a way to go on without it. */
const Waited = ({ standing, since, canGoOn, hasBegun }: LineProps & { hasBegun: boolean }) => {
  const { session, goOn, may, atEnd } = useStage()
  const now = useNow(!standing.handedIn)
  const passed = Math.max(0, now - since)
  const most = secondsFor(session, standing.seat, hasBegun) * 1_000
  const waiting = !standing.handedIn && atEnd && !session.outcome
  return (
    <div className="flex h-7 items-center gap-2 pl-6.5 text-sm text-soft">
      {waiting && (
        <>
          <Bar share={Math.min(1, passed / most)} className="w-20" />
          <span className="tabular-nums">
            {clockText(passed)} of {clockText(most)}
          </span>
          {canGoOn && may('change-session') && (
            <Button
              kind="quiet"
              className="ml-auto !min-h-7 !py-0 underline"
              onClick={() => goOn(standing.seat.id)}
            >
              Go on without it
            </Button>
          )}
        </>
      )}
      {standing.handedIn && <span className="truncate">{spentParts(standing.handedIn).join(' · ')}</span>}
    </div>
  )
}

const stateTones: Readonly<Record<string, string>> = {
  [seatWords.silent]: 'text-bad',
  [seatWords.answered]: 'text-good',
}

const Line = ({ standing, since, canGoOn }: LineProps) => {
  const { session, live, atEnd, streaming, reveal } = useStage()
  const known = useDraft(live, standing.seat.id)
  const draft = atEnd ? known : undefined
  const given =
    draft?.turn === undefined
      ? standing.handedIn && handedInWords(session.question, standing.handedIn)
      : undefined
  const change = changeOf(standing)
  const state = change ?? stateOf(standing, draft)
  return (
    <li className="border-t border-line py-2.5 first:border-0">
      <button
        type="button"
        onClick={() => reveal(standing.seat.id)}
        className="flex w-full items-baseline gap-2.5 text-left"
      >
        <span className="w-4 shrink-0 text-sm font-bold">{standing.seat.alias}</span>
        <span className="min-w-0 grow">
          <span className="flex items-baseline justify-between gap-3 text-sm text-soft">
            <span className="truncate">{standing.seat.name}</span>
            <span className="flex shrink-0 items-baseline gap-1">
              {draft && !given && streaming && (
                <span aria-hidden="true" className="breathing text-accent">
                  ▍
                </span>
              )}
              <span className={change ? 'font-medium text-accent' : (stateTones[state] ?? '')}>{state}</span>
            </span>
          </span>
          <span
            className={`said line-clamp-2 min-h-[2.8em] leading-snug ${given || draft?.headline ? '' : 'text-soft'}`}
          >
            {given ?? (draft ? draftLine(draft) : '')}
          </span>
        </span>
        {standing.number !== undefined && <CampMark index={standing.number} className="size-5 self-center" />}
      </button>
      <Waited standing={standing} since={since} canGoOn={canGoOn} hasBegun={draft !== undefined} />
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
    <section aria-labelledby="progress">
      <h2 id="progress" className="said min-h-[2.8em] text-lg leading-snug font-semibold" aria-live="polite">
        {roundProgress(seen)}
      </h2>
      {report.length > 0 ? (
        <ReportDraft parts={report} />
      ) : (
        <>
          <ul className="mt-3">
            {shown.slice(0, mostLines).map(standing => (
              <Line
                key={standing.seat.id}
                standing={standing}
                since={since}
                canGoOn={left.has(standing.seat.id)}
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
