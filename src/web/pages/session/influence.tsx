/** Who moved whom, strongest first: the arrows of the drawn table in words. */
import { seatOf } from '../../../core/state.ts'
import { influences } from './credits.ts'
import { useStage } from './stage.ts'

export const Influence = () => {
  const { session } = useStage()
  const found = influences(session).filter(one => one.verified)
  const movers = [...Map.groupBy(found, one => one.from)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )
  if (movers.length === 0) return <p className="text-soft">No change of mind names words that check out.</p>
  return (
    <ul className="space-y-2">
      {movers.map(([mover, moved]) => (
        <li key={mover}>
          <p className="wrap-anywhere">
            <span className="font-semibold">{seatOf(session, mover).name}</span>
            <span className="text-soft"> moved </span>
            {moved.map(one => seatOf(session, one.to).name).join(', ')}
          </p>
        </li>
      ))}
    </ul>
  )
}
