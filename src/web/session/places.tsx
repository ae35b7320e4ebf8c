/** A ranking as an ordered list: the combined order, and the place that each seat gave every option. */
import { answerIn } from '../../core/session.ts'
import { standingsIn } from '../../count/moves.ts'
import { shownRound, verdictOf } from '../../count/verdict.ts'
import { campColour } from '../../words/camp-patterns.ts'
import { useStage } from './stage.tsx'

/** With more seats, only how many gave each place. */
const mostNamed = 12

export default function Places() {
  const { session, numbers } = useStage()
  const { final } = verdictOf(session)
  const round = shownRound(session)
  const order = final?.ranking ?? []
  const standings = standingsIn(session, round, numbers)
  const given = standings.flatMap(({ seat, number }) => {
    const ranking = answerIn(round, seat.id)?.ranking
    return ranking ? [{ seat, number, ranking }] : []
  })
  if (order.length === 0 || given.length === 0) return null
  const placesOf = (option: string) => Map.groupBy(given, ({ ranking }) => ranking.indexOf(option) + 1)
  return (
    <div>
      <p className="label mb-2">Combined order, with the places that seats gave</p>
      <ol aria-label="Combined order" className="divide-y divide-line">
        {order.map((option, index) => {
          const places = placesOf(option)
          return (
            <li key={option} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
              <span className="said w-8 shrink-0 text-2xl leading-none font-semibold tabular-nums">
                {index + 1}
              </span>
              <span className="said min-w-0 grow basis-40 text-lg leading-snug" dir="auto">
                {option}
              </span>
              <ul className="flex flex-wrap gap-x-3 gap-y-1 text-sm" aria-label={`Places of ${option}`}>
                {[...places]
                  .toSorted(([one], [other]) => one - other)
                  .map(([place, seats]) => (
                    <li key={place} className="flex items-center gap-1">
                      <span className="text-soft tabular-nums">{place === 0 ? 'no place' : `${place}.`}</span>
                      {given.length <= mostNamed ? (
                        seats.map(({ seat, number }) => (
                          <abbr
                            key={seat.id}
                            title={seat.name}
                            className="grid size-6 place-items-center rounded-full border-2 text-xs font-bold no-underline"
                            style={{ borderColor: number === undefined ? 'var(--edge)' : campColour(number) }}
                          >
                            {seat.alias}
                          </abbr>
                        ))
                      ) : (
                        <span className="tabular-nums">{seats.length}×</span>
                      )}
                    </li>
                  ))}
              </ul>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
