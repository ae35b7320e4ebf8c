/** Where every seat stood in a round, in one line each. */
import { standingsIn } from '../../../core/camps/standings.ts'
import type { Round } from '../../../core/log/state.ts'
import { handedInWords } from '../../../core/wording/handed-in.ts'
import { wayWords } from '../../../core/wording/move-words.ts'
import { CampMark } from '../../components/camp.tsx'
import { useStage } from '../session/stage.ts'

export const SeatAnswers = ({ round }: { round: Round | undefined }) => {
  const { session, numbers } = useStage()
  return (
    <ul className="space-y-4">
      {standingsIn(session, round, numbers).map(({ seat, handedIn, number, move, changedIn }) => (
        <li key={seat.id} className="flex gap-3">
          {number === undefined ? <span className="w-5 shrink-0" /> : <CampMark index={number} />}
          <div className="min-w-0">
            <p className="text-sm break-words">
              <span className="font-medium">{seat.name}</span>
              {move && (
                <span className="text-soft"> {wayWords(session.question.format, move, changedIn)}</span>
              )}
            </p>
            <p className="said line-clamp-3" dir="auto">
              {handedIn ? handedInWords(session.question, handedIn) : 'is being asked'}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
