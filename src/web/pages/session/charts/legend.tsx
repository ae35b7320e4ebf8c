/** The camps of the shown round: number, colour and pattern with the position that they stand for. */
import { isSettled } from '../../../../core/camps/standings.ts'
import { roundAt, type Session } from '../../../../core/log/state.ts'
import { type Tally, tallyOf } from '../../../../core/verdict/tally.ts'
import { shownRound } from '../../../../core/verdict/verdict.ts'
import { compatibleWords, missingParts } from '../../../../core/wording/camp-words.ts'
import { roundPhrase } from '../../../../core/wording/round-names.ts'
import { CampMark } from '../../../components/camp.tsx'
import { hasBars } from '../result/result.tsx'
import { useStage } from '../stage.ts'

const Compatible = ({ words }: { words: string }) =>
  words === '' ? null : <span className="line-clamp-2 text-sm text-soft">{words}</span>

/** While a round is being answered, the camps of the one before stay where they are. */
const talliedLast = (session: Session): Tally | undefined => {
  const last = shownRound(session)?.index ?? -1
  return session.roundsSoFar
    .filter(round => round.index <= last && isSettled(session, round))
    .map(round => tallyOf(session, round))
    .findLast(({ camps }) => camps.length > 0)
}

/** Its counts may be older than those of the provisional verdict, which doesn't wait for the last checks. */
const dateOf = (session: Session, { round }: Tally): string => {
  const counted = session.outcome ? undefined : roundAt(session, round)
  return counted ? `Camps after ${roundPhrase(counted)}` : ''
}

export const Legend = () => {
  const { session, numbers } = useStage()
  const tally = talliedLast(session)
  if (!tally || session.imported || hasBars(session)) return null
  const date = dateOf(session, tally)
  const missing = missingParts(tally, session.outcome !== undefined)
  return (
    <ul className="space-y-2" aria-label="Camps">
      {date && <li className="label">{date}</li>}
      {tally.camps.map(camp => (
        <li key={camp.id} className="flex items-start gap-2.5">
          <CampMark index={numbers.get(camp.id) ?? 0} className="mt-px size-5" />
          <span className="grow leading-snug">
            <span className="said line-clamp-3" dir="auto">
              {camp.label}
            </span>
            <Compatible words={compatibleWords(tally, camp.id)} />
          </span>
          <span className="shrink-0 text-sm text-soft tabular-nums">
            {camp.seats.length}
            {camp.qualified.length > 0 && `, ${camp.qualified.length} with a caveat`}
          </span>
        </li>
      ))}
      {missing.length > 0 && <li className="pl-7.5 text-sm text-soft">{missing.join(', ')}</li>}
    </ul>
  )
}
