/** The way of a seat that changed its mind: from where it stood in the sealed round to where it stands now. */
import type { Standing } from '../../../../core/camps/standings.ts'
import { wayOf } from '../../../../core/camps/way.ts'
import { shownRound } from '../../../../core/verdict/verdict.ts'
import { roundLabel } from '../../../../core/wording/round-names.ts'
import { CampMark } from '../../../components/camp.tsx'
import { useStage } from '../stage.ts'

export const Way = ({ standing }: { standing: Standing }) => {
  const { session, numbers } = useStage()
  const round = shownRound(session)
  const stops = round ? wayOf(session, round, standing.seat.id) : []
  if (stops.length < 2 || standing.changedIn.length === 0) return null
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5 text-sm text-soft">
      {stops.map(({ round: at, camp }, index) => (
        <span key={at.index} className="inline-flex items-center gap-1.5" title={camp.label}>
          {index > 0 && <span aria-hidden="true">→</span>}
          <span>{roundLabel(at)}</span>
          <CampMark index={numbers.get(camp.id) ?? 0} className="size-4.5" />
          <span className="sr-only">camp {(numbers.get(camp.id) ?? 0) + 1},</span>
        </span>
      ))}
    </span>
  )
}
