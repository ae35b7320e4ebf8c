/** Who moved whom: the arrows of the drawn table in words, and how many each seat won over. */
import { type Session, seatOf } from '../../../../core/log/state.ts'
import { type Concession, influenceOf, type Moved } from '../../../../core/verdict/influence.ts'
import {
  grantedTitle,
  grantedWords,
  influenceHeads,
  persuasive,
  wonOver,
} from '../../../../core/wording/influence-words.ts'
import { useStage } from '../stage.ts'

const Movers = ({ moved }: { moved: readonly Moved[] }) => {
  const { session } = useStage()
  const movers = [...Map.groupBy(moved, one => one.by)]
  if (movers.length === 0)
    return <p className="text-soft">No change of mind can be traced to another seat’s words.</p>
  return (
    <ul className="space-y-2">
      {movers.map(([mover, own]) => (
        <li key={mover} className="wrap-anywhere">
          <span className="font-semibold">{seatOf(session, mover).name}</span>
          <span className="text-soft"> moved </span>
          {own.map(one => seatOf(session, one.seat).name).join(', ')}
        </li>
      ))}
    </ul>
  )
}

const Granted = ({ granted }: { granted: readonly Concession[] }) => {
  const { session } = useStage()
  const name = (seat: string): string => seatOf(session, seat).name
  return (
    <div className="mt-4">
      <p className="label mb-1">{grantedTitle}</p>
      <ul className="space-y-1 text-sm">
        {granted.map(({ seat, by, round, quote }) => (
          <li key={`${seat} ${round}`} className="wrap-anywhere">
            {grantedWords(name(seat), name(by))} <q className="said text-soft">{quote}</q>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** With more rows it stops being an overview. */
const mostShown = 8

/** Texts take no sides, and at a table where nobody moved there is nothing to show. */
export const hasInfluence = (session: Session): boolean => {
  const { moved, granted, pull } = influenceOf(session)
  return moved.some(({ verified }) => verified) || granted.length > 0 || persuasive(pull).length > 0
}

export const Influence = () => {
  const { session } = useStage()
  const { moved, granted, pull } = influenceOf(session)
  const pulling = persuasive(pull).slice(0, mostShown)
  return (
    <>
      <Movers moved={moved.filter(one => one.verified)} />
      {granted.length > 0 && <Granted granted={granted.slice(0, mostShown)} />}
      {pulling.length > 0 && (
        <details className="mt-4 text-sm">
          <summary className="text-soft">{influenceHeads[1]} (no proof that it was the reason)</summary>
          <table className="mt-2 w-full">
            <tbody>
              {pulling.map(one => (
                <tr key={one.seat} className="border-t border-line">
                  <th scope="row" className="max-w-0 truncate py-1.5 pr-3 text-left font-normal">
                    {seatOf(session, one.seat).name}
                  </th>
                  <td className="w-28 py-1.5 text-right tabular-nums">{wonOver(one)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </>
  )
}
