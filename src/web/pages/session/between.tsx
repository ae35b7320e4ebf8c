/** What happened between the rounds: an objection, advocates and a judge, figures of the group, what was read next. */
import { groupingOf, isGrouped } from '../../../core/camps.ts'
import { sidesOf } from '../../../core/examination.ts'
import { type Exhibit, exhibitsOf, namesIn } from '../../../core/exhibits.ts'
import {
  isClosed,
  latestRound,
  type Round,
  type Session,
  type Statement,
  seatOf,
} from '../../../core/state.ts'
import { CampMark } from '../../components/camp.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { useDraft } from '../../live.ts'
import { Reasoning } from './answer-view.tsx'
import { Failure } from './failure.tsx'
import { useStage } from './stage.ts'
import { fromMiddle, roundName } from './wording.ts'

/** How many turns advocates take in all. */
const turnsIn = ({ rounds }: Session): number => 2 * rounds

/** Advocates have turns left after this round. */
const isHearing = (session: Session, round: Round): boolean =>
  session.protocol === 'cross-examination' &&
  session.outcome === undefined &&
  session.stopped === undefined &&
  round === latestRound(session) &&
  round.sealed &&
  isClosed(session, round) &&
  isGrouped(groupingOf(session, round)) &&
  (round.statements ?? []).length < turnsIn(session) &&
  sidesOf(session, round) !== undefined

const holdsSomething = (session: Session, round: Round): boolean => {
  const { objection, digest, statements, rulings } = round
  const isRead = digest !== undefined && (digest.figures !== undefined || digest.positions.length > 0)
  return Boolean(objection || isRead || statements || rulings) || isHearing(session, round)
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
          <Failure what="Said nothing" error={statement.error} />
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
        <p className="mt-2 text-sm text-soft">
          Asked again (attempt {draft.retrying.attempt}): {draft.retrying.why}
        </p>
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

const Hearing = ({ round }: { round: Round }) => {
  const { session } = useStage()
  const { statements = [] } = round
  const hearing = isHearing(session, round)
  if (statements.length === 0 && !hearing) return null
  const advocates = hearing ? (sidesOf(session, round) ?? []).flatMap(side => side.advocate ?? []) : []
  return (
    <section aria-label="Advocates">
      <h4 className="label mb-3">The largest two camps, each by its advocate</h4>
      <ul>
        {statements.map(statement => (
          <Turn key={statement.turn} round={round} statement={statement} />
        ))}
        {advocates.map(seat => (
          <Speaking key={seat} round={round} seat={seat} />
        ))}
      </ul>
      {hearing && (
        <p className="mt-3 text-sm text-soft">
          Turn {statements.length + 1} of {turnsIn(session)} is under way.
        </p>
      )}
    </section>
  )
}

const Exhibits = ({ title, exhibits }: { title: string; exhibits: readonly Exhibit[] }) =>
  exhibits.length > 0 && (
    <section aria-label={title}>
      <h4 className="label mb-3">{title}</h4>
      <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[max-content_minmax(0,1fr)]">
        {exhibits.map(({ who, words }, index) => (
          <div key={`${index} ${who}`} className="sm:contents">
            <dt className="font-semibold wrap-anywhere sm:max-w-56">{who}</dt>
            <dd className="said wrap-anywhere whitespace-pre-wrap" dir="auto">
              {words}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )

/** What the next round was given to read; each argument leads to where it stands. */
const DigestView = ({ round }: { round: Round }) => {
  const { session, reveal } = useStage()
  const positions = round.digest?.positions ?? []
  if (positions.length === 0) return null
  return (
    <details>
      <summary className="text-sm font-medium text-soft">What the next round was given to read</summary>
      <ul className="mt-3 space-y-4">
        {positions.map(({ position, arguments: quotes }) => (
          <li key={position}>
            <p className="said font-semibold" dir="auto">
              {position}
            </p>
            {quotes.map(({ seat, quote }) => (
              <figure key={`${seat} ${quote}`} className="mt-2 border-l-3 border-line pl-3">
                <blockquote className="said text-[.95rem] italic" dir="auto">
                  “{quote}”
                </blockquote>
                <figcaption>
                  <button
                    type="button"
                    className="mt-1 text-left text-sm text-soft underline decoration-line underline-offset-3 hover:text-ink"
                    onClick={() => reveal(seat, round.index, quote)}
                  >
                    {seatOf(session, seat).name}: show where
                  </button>
                </figcaption>
              </figure>
            ))}
          </li>
        ))}
      </ul>
    </details>
  )
}

const AfterRound = ({ round }: { round: Round }) => {
  const { session } = useStage()
  const names = namesIn(session, round)
  const { digest, rulings, objection } = round
  return (
    <section aria-label={`After ${roundName(round)}`} className="card min-w-0 space-y-6 p-4 sm:p-6">
      <h3 className="said text-lg font-semibold">
        {round.sealed ? 'After the sealed round' : `After round ${round.index}`}
      </h3>
      <Hearing round={round} />
      <Exhibits
        title="The judge, off the panel"
        exhibits={exhibitsOf({ ...(rulings && { rulings }) }, names)}
      />
      <Exhibits title="In figures" exhibits={exhibitsOf({ ...(digest && { digest }) }, names)} />
      {objection && (
        <section aria-label="Objection">
          <h4 className="label mb-2">Objection put to the table</h4>
          <p className="said leading-relaxed" dir="auto">
            {objection}
          </p>
        </section>
      )}
      <DigestView round={round} />
    </section>
  )
}

export const Between = () => {
  const { session } = useStage()
  const rounds = session.roundsSoFar.filter(round => holdsSomething(session, round))
  if (rounds.length === 0) return null
  return (
    <section aria-labelledby="between" className="space-y-4">
      <h2 id="between" className="said text-2xl font-semibold">
        Between the rounds
      </h2>
      {rounds.map(round => (
        <AfterRound key={round.index} round={round} />
      ))}
    </section>
  )
}
