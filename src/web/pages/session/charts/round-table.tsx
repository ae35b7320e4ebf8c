/** The table drawn: who sits where, in which camp, what each is doing, and whose words moved whom. */

import {
  byCamp,
  type CampNumbers,
  isSettled,
  type Standing,
  standingsIn,
} from '../../../../core/camps/standings.ts'
import { arrowPath, edgeBefore, tableLayout } from '../../../../core/drawing/table-layout.ts'
import { latestRound, type Session } from '../../../../core/log/state.ts'
import { influenceOf } from '../../../../core/verdict/influence.ts'
import { provisionalOf } from '../../../../core/verdict/provisional.ts'
import { agreeing, shownRound, verdictOf } from '../../../../core/verdict/verdict.ts'
import { roundLabel } from '../../../../core/wording/round-names.ts'
import { LevelMark, levelColour } from '../../../components/level.tsx'
import { useStage } from '../stage.ts'
import { SeatBubble } from './seat-bubble.tsx'

/**
 * What an imported transcript says isn't computed, so its table has no camps. The seats of a large one stand by camp, but while
 * the session runs, none changes its place.
 */
export const seatedIn = (session: Session, numbers: CampNumbers): Standing[] => {
  const seated = standingsIn(session, shownRound(session), numbers).map(standing =>
    session.imported ? { ...standing, camp: undefined, number: undefined, before: undefined } : standing,
  )
  return tableLayout(seated.length).named || !session.outcome ? seated : byCamp(seated)
}

export const RoundTable = () => {
  const { session, numbers } = useStage()
  const standings = seatedIn(session, numbers)
  const layout = tableLayout(standings.length)
  const { size, radius, named } = layout
  const points = new Map(
    standings.map(({ seat }, index) => [seat.id, layout.points[index] ?? { x: 50, y: 50 }]),
  )
  const { level } = verdictOf(session)
  return (
    <figure className="@container relative mx-auto aspect-square w-full max-w-[27rem]" aria-label="The table">
      <svg viewBox="0 0 100 100" className="absolute inset-0 size-full" aria-hidden="true">
        <defs>
          <marker
            id="arrowhead"
            viewBox="0 0 8 8"
            refX="6"
            refY="4"
            markerWidth="5"
            markerHeight="5"
            orient="auto"
          >
            <path d="M0 0 L8 4 L0 8Z" fill="var(--ink)" />
          </marker>
        </defs>
        <circle cx="50" cy="50" r={radius} fill="var(--surface)" stroke="var(--line)" strokeWidth=".5" />
        <circle
          {...{ cx: 50, cy: 50, r: radius - 1, fill: 'none', stroke: 'var(--line)', strokeWidth: 1.1 }}
          opacity=".6"
        />
        {level && !session.imported && (
          <path
            d={edgeBefore(
              agreeing(session).flatMap(seat => points.get(seat) ?? []),
              points.size,
              radius - 1,
            )}
            fill="none"
            strokeWidth="1.1"
            stroke={levelColour(level)}
          />
        )}
        {influenceOf(session).moved.map(({ by: from, seat: to, round: at, verified }) => {
          const [start, end] = [points.get(from), points.get(to)]
          if (!start || !end) return null
          return (
            <path
              key={`${from} ${to} ${at}`}
              d={arrowPath(start, end)}
              fill="none"
              stroke="var(--ink)"
              strokeWidth=".55"
              strokeDasharray={verified ? undefined : '1.2 1.2'}
              opacity={verified ? 0.75 : 0.5}
              markerEnd="url(#arrowhead)"
            />
          )
        })}
      </svg>
      <Centre />
      <ul>
        {standings.map(standing => (
          <SeatBubble
            key={standing.seat.id}
            standing={standing}
            point={points.get(standing.seat.id) ?? { x: 50, y: 50 }}
            size={size}
            named={named}
          />
        ))}
      </ul>
    </figure>
  )
}

const answeredIn = (standings: readonly Standing[]): number =>
  standings.filter(standing => standing.handedIn?.status === 'given').length

/** How many agree in the latest round, once its answers are compared and a camp leads that others could join. */
const agreedSoFar = (session: Session): number | undefined => {
  const soFar = provisionalOf(session)
  if (!soFar || soFar.round !== latestRound(session) || !isSettled(session, soFar.round)) return undefined
  const { leading, agree } = soFar.tally
  return leading !== null && agree > 1 ? agree : undefined
}

/** In the middle of the table: the count once there is one, and how far the round is until then. */
const Centre = () => {
  const { session, numbers } = useStage()
  const round = shownRound(session)
  const { agree, of, level, final } = verdictOf(session)
  const standings = seatedIn(session, numbers)
  // Without a quorum nobody can say that some agree.
  const over = session.outcome !== undefined && level !== null && level !== 'no-quorum'
  // A seat that agrees with no other is not "1 of 3 agree".
  const isSplit = over && agree === 1 && of > 1
  // Nor is "3 of 6 agree" what parts a tie: its sides are.
  const sides = (final?.camps ?? []).filter(camp => camp.seats.length === agree).map(() => agree)
  const isTie = over && level === 'tie' && !isSplit && !session.imported
  const soFar = agreedSoFar(session)
  const label = session.imported
    ? 'agree, says the transcript'
    : over && of > 1
      ? isTie
        ? 'a tie'
        : 'agree'
      : session.outcome
        ? 'answered'
        : soFar
          ? 'agree so far'
          : 'have answered'
  return (
    <figcaption className="absolute inset-0 m-auto grid size-[34%] place-content-center text-center">
      {over && level && !session.imported && (
        <span className="mx-auto mb-1" style={{ color: levelColour(level) }}>
          <LevelMark level={level} className="size-[clamp(.9rem,5cqw,1.4rem)]" />
        </span>
      )}
      {!over && round && !session.imported && (
        <span className="text-[clamp(.7rem,3cqw,.85rem)] text-soft">{roundLabel(round)}</span>
      )}
      <span className="said text-[clamp(1.4rem,8cqw,2.4rem)] leading-none font-semibold">
        {isSplit ? 'No two' : isTie ? sides.join(' : ') : over ? agree : (soFar ?? answeredIn(standings))}
        {!isSplit && !isTie && <span className="text-[.55em] font-normal text-soft"> of {of}</span>}
      </span>
      <span className="text-[clamp(.7rem,3cqw,.85rem)] text-soft">{label}</span>
    </figcaption>
  )
}
