/** Advocates of the two largest camps, turn by turn, and the one that speaks now. */
import { groupingOf, isGrouped } from '../../../../core/camps/camps.ts'
import { concession, nextTurn, sidesOf, turnsIn } from '../../../../core/group/examination.ts'
import {
  isClosed,
  latestRound,
  type Round,
  type Session,
  type Statement,
  seatOf,
} from '../../../../core/log/state.ts'
import { CampMark } from '../../../components/camp.tsx'
import { Markdown } from '../../../components/markdown.tsx'
import { useDraft } from '../../../live.ts'
import { Reasoning } from '../seats/answer-view.tsx'
import { AskedAgain, Failure } from '../seats/failure.tsx'
import { useStage } from '../stage.ts'
import { fromMiddle } from '../wording.ts'

/** Who speaks now or next, as far as the log says; after an added round only when somebody has spoken. */
export const speakerAfter = (session: Session, round: Round): string | undefined => {
  const isOver = session.outcome !== undefined || session.stopped !== undefined
  if (session.protocol !== 'cross-examination' || isOver || round !== latestRound(session)) return undefined
  if (!isClosed(session, round) || !isGrouped(groupingOf(session, round))) return undefined
  return round.sealed || round.statements ? nextTurn(session, round)?.seat : undefined
}

const TurnHead = ({
  round,
  seat,
  turn,
  name,
}: {
  round: Round
  seat: string
  turn: number
  name: string
}) => {
  const { session, numbers, reveal } = useStage()
  const camp = sidesOf(session, round)?.[turn % 2]?.camp
  const number = camp && numbers.get(camp.id)
  return (
    <h5 className="flex items-center gap-2.5">
      {number !== undefined && <CampMark index={number} className="size-6" />}
      <button
        type="button"
        onClick={() => reveal(seat)}
        className="min-w-0 text-left font-semibold wrap-anywhere hover:underline"
      >
        {name}
      </button>
      <span className="ml-auto shrink-0 text-sm text-soft">turn {turn + 1}</span>
    </h5>
  )
}

const Turn = ({ round, statement }: { round: Round; statement: Statement }) => {
  const { session } = useStage()
  const { turn, seat, by } = statement
  return (
    <li className="border-t border-line py-4 first:border-0 first:pt-0">
      <TurnHead round={round} seat={seat} turn={turn} name={by?.name ?? seatOf(session, seat).name} />
      {statement.error ? (
        <div className="mt-2">
          <Failure what="Silent" error={statement.error} />
        </div>
      ) : (
        <>
          <Reasoning text={statement.argument} open={false} />
          {statement.question && (
            <p className="mt-2 border-l-3 border-accent pl-3" dir="auto">
              <span className="text-sm text-soft">Asks the other side: </span>
              <span className="said italic">{statement.question}</span>
            </p>
          )}
          {statement.concedes && <p className="mt-2 font-semibold">{concession}</p>}
        </>
      )}
    </li>
  )
}

/** The advocate whose turn it is, as it speaks. */
const Speaking = ({ round, seat }: { round: Round; seat: string }) => {
  const { session, live, atEnd } = useStage()
  const draft = useDraft(live, seat)
  if (!atEnd || draft?.turn === undefined) return null
  return (
    <li className="border-t border-line py-4 first:border-0 first:pt-0" aria-busy="true">
      <TurnHead round={round} seat={seat} turn={draft.turn} name={seatOf(session, seat).name} />
      {draft.retrying && (
        <div className="mt-2">
          <AskedAgain {...draft.retrying} />
        </div>
      )}
      <div className="mt-3 leading-relaxed">
        {draft.reasoning ? (
          <Markdown text={fromMiddle(draft.reasoning)} />
        ) : (
          <span className="text-soft">Thinking…</span>
        )}
      </div>
    </li>
  )
}

export const Hearing = ({ round }: { round: Round }) => {
  const { session } = useStage()
  const { statements = [] } = round
  const speaker = speakerAfter(session, round)
  if (statements.length === 0 && !speaker) return null
  return (
    <section aria-label="Advocates">
      <h4 className="label mb-3">The two largest camps, each with its advocate</h4>
      <ul>
        {statements.map(statement => (
          <Turn key={statement.turn} round={round} statement={statement} />
        ))}
        {speaker && <Speaking round={round} seat={speaker} />}
      </ul>
      {speaker && (
        <p className="mt-3 text-sm text-soft">
          Turn {statements.length + 1} of {turnsIn(session)} is under way.
        </p>
      )}
    </section>
  )
}
