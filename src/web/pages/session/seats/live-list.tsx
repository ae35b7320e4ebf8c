/** While the table is at work: every seat in one line, its headline as it is written. */

import { type Standing, standingsIn } from '../../../../core/camps/standings.ts'
import type { Draft } from '../../../../core/log/draft.ts'
import { latestRound } from '../../../../core/log/state.ts'
import { CampMark } from '../../../components/camp.tsx'
import { useDraft } from '../../../live.ts'
import { useStage } from '../stage.ts'
import { draftWords, handedInWords, progressOf } from '../wording.ts'

/** More lines than that are no overview; the answers below have them all. */
const mostLines = 12

const stateOf = ({ handedIn }: Standing, draft: Draft | undefined): string => {
  if (draft?.turn !== undefined) return 'speaking'
  if (!handedIn) return draft ? 'writing' : 'thinking'
  return { given: 'done', silent: 'silent', abstained: 'abstained' }[handedIn.status]
}

const Line = ({ place }: { place: Standing }) => {
  const { live, atEnd, reveal } = useStage()
  const known = useDraft(live, place.seat.id)
  const draft = atEnd ? known : undefined
  const given = draft?.turn === undefined ? handedInWords(place.handedIn) : undefined
  const state = stateOf(place, draft)
  return (
    <li className="border-t border-line py-2.5 first:border-0">
      <button
        type="button"
        onClick={() => reveal(place.seat.id)}
        className="flex w-full items-baseline gap-2.5 text-left"
      >
        <span className="w-4 shrink-0 text-sm font-bold">{place.seat.alias}</span>
        <span className="min-w-0 grow">
          <span className="flex items-baseline justify-between gap-3 text-sm text-soft">
            <span className="truncate">{place.seat.name}</span>
            <span className={state === 'silent' ? 'text-bad' : state === 'done' ? 'text-good' : ''}>
              {state}
            </span>
          </span>
          <span className="said line-clamp-2 min-h-[1.4em] leading-snug">
            {given ?? (draft ? draftWords(draft) : '')}
            {draft && !given && <span className="breathing text-accent">▍</span>}
          </span>
        </span>
        {place.number !== undefined && <CampMark index={place.number} className="size-5 self-center" />}
      </button>
    </li>
  )
}

export const LiveList = () => {
  const { session, numbers } = useStage()
  const places = standingsIn(session, latestRound(session), numbers)
  const atWork = places.filter(place => !place.handedIn)
  const shown = places.length <= mostLines ? places : [...atWork, ...places.filter(one => one.handedIn)]
  return (
    <section aria-labelledby="progress">
      <h2 id="progress" className="said text-xl font-semibold" aria-live="polite">
        {progressOf(session)}
      </h2>
      <ul className="mt-3">
        {shown.slice(0, mostLines).map(place => (
          <Line key={place.seat.id} place={place} />
        ))}
      </ul>
      {places.length > mostLines && (
        <p className="mt-2 text-sm text-soft">and {places.length - mostLines} more: all of them are below</p>
      )}
    </section>
  )
}
