/** While the table is at work: every seat in one line, with what it is writing, and its headline once it comes. */

import { type Standing, standingsIn } from '../../../../core/camps/standings.ts'
import type { Draft } from '../../../../core/log/draft.ts'
import { latestRound } from '../../../../core/log/state.ts'
import { draftState } from '../../../../core/wording/draft-words.ts'
import { handedInWords } from '../../../../core/wording/handed-in.ts'
import { seatWords } from '../../../../core/wording/seat-words.ts'
import { CampMark } from '../../../components/camp.tsx'
import { useDraft } from '../../../live.ts'
import { useStage } from '../stage.ts'
import { draftLine, progressOf } from '../wording.ts'

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

const Line = ({ standing }: { standing: Standing }) => {
  const { session, live, atEnd, reveal } = useStage()
  const known = useDraft(live, standing.seat.id)
  const draft = atEnd ? known : undefined
  const given =
    draft?.turn === undefined
      ? standing.handedIn && handedInWords(session.question, standing.handedIn)
      : undefined
  const state = stateOf(standing, draft)
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
            <span
              className={
                state === seatWords.silent ? 'text-bad' : state === seatWords.answered ? 'text-good' : ''
              }
            >
              {state}
            </span>
          </span>
          <span
            className={`said line-clamp-2 min-h-[2.8em] leading-snug ${given || draft?.headline ? '' : 'text-soft'}`}
          >
            {given ?? (draft ? draftLine(draft) : '')}
            {draft && !given && <span className="breathing text-accent">▍</span>}
          </span>
        </span>
        {standing.number !== undefined && <CampMark index={standing.number} className="size-5 self-center" />}
      </button>
    </li>
  )
}

export const LiveList = () => {
  const { session, numbers } = useStage()
  const standings = standingsIn(session, latestRound(session), numbers)
  const atWork = standings.filter(standing => !standing.handedIn)
  const shown =
    standings.length <= mostLines ? standings : [...atWork, ...standings.filter(one => one.handedIn)]
  return (
    <section aria-labelledby="progress">
      <h2 id="progress" className="said text-xl font-semibold" aria-live="polite">
        {progressOf(session)}
      </h2>
      <ul className="mt-3">
        {shown.slice(0, mostLines).map(standing => (
          <Line key={standing.seat.id} standing={standing} />
        ))}
      </ul>
      {standings.length > mostLines && (
        <p className="mt-2 text-sm text-soft">
          and {standings.length - mostLines} more: see all of them below
        </p>
      )}
    </section>
  )
}
