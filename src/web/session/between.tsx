/** What happened between the rounds: an objection, advocates and a judge, figures of the group, the digest. */
import {
  isClosed,
  latestRound,
  type Round,
  type Session,
  type Statement,
  seatOf,
} from '../../core/session.ts'
import { concession, nextTurn, sidesOf, turnsIn } from '../../count/group.ts'
import { groupingOf, isGrouped } from '../../count/settle.ts'
import { roundPhrase } from '../../count/tally.ts'
import { verdictOf } from '../../count/verdict.ts'
import {
  holdsText,
  type TranscriptClaim,
  transcriptCheckOf,
  transcriptClaims,
} from '../../exports/transcript-parts.ts'
import { type BetweenRounds, betweenRoundsOf, namesIn } from '../../words/moves.ts'
import { CampMark } from '../kit/frame.tsx'
import { useDraft } from '../kit/live.ts'
import { Markdown } from '../kit/markdown.tsx'
import { AskedAgain, Failure } from './headline.tsx'
import { Reasoning } from './seats.tsx'
import { fromMiddle, useStage } from './stage.tsx'

// hearing: Advocates of the two largest camps, turn by turn, and the one that speaks now.

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

const holdsSomething = (session: Session, round: Round): boolean => {
  const { objection, digest, statements, rulings, said } = round
  const isRead = digest !== undefined && (digest.figures !== undefined || digest.positions.length > 0)
  return (
    Boolean(objection || isRead || statements || rulings || said) ||
    speakerAfter(session, round) !== undefined
  )
}

const Entries = ({ title, entries }: { title: string; entries: readonly BetweenRounds[] }) =>
  entries.length > 0 && (
    <div>
      <h4 className="label mb-3">{title}</h4>
      <dl className="grid gap-x-4 gap-y-2 sm:grid-cols-[max-content_minmax(0,1fr)]">
        {entries.map(({ who, words }, index) => (
          <div key={`${index} ${who}`} className="sm:contents">
            <dt className="font-semibold wrap-anywhere sm:max-w-56">{who}</dt>
            <dd className="said wrap-anywhere whitespace-pre-wrap" dir="auto">
              {words}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )

/** The positions, summed up after the round; each argument links to the answer it comes from. */
const DigestView = ({ round }: { round: Round }) => {
  const { session, reveal } = useStage()
  const positions = round.digest?.positions ?? []
  if (positions.length === 0) return null
  return (
    <details>
      <summary className="text-sm font-medium text-soft">Summary of the positions</summary>
      <ul className="mt-3 space-y-4">
        {positions.map(({ position, arguments: quotes }, index) => (
          <li key={`${index} ${position}`}>
            <p className="said font-semibold" dir="auto">
              {position}
            </p>
            {quotes.map(({ seat, quote }, order) => (
              <figure key={`${order} ${seat}`} className="mt-2 border-l-3 border-line pl-3">
                <blockquote className="said text-[.95rem] italic" dir="auto">
                  “{quote}”
                </blockquote>
                <figcaption>
                  <button
                    type="button"
                    className="mt-1 max-w-full text-left text-sm wrap-anywhere text-soft underline decoration-line underline-offset-3 hover:text-ink"
                    onClick={() => reveal(seat, round.index, quote)}
                  >
                    {seatOf(session, seat).name}: show it
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
  const { digest, rulings, objection, said } = round
  return (
    <section aria-label={`After ${roundPhrase(round)}`} className="card min-w-0 space-y-6 p-4 sm:p-6">
      <h3 className="said text-lg font-semibold">After {roundPhrase(round)}</h3>
      <Hearing round={round} />
      <Entries
        title="The judge, who has no seat"
        entries={betweenRoundsOf({ ...(rulings && { rulings }) }, names)}
      />
      <Entries title="In figures" entries={betweenRoundsOf({ ...(digest && { digest }) }, names)} />
      <Entries title="Said by the asker" entries={betweenRoundsOf({ ...(said && { said }) }, names)} />
      {objection && (
        <div>
          <h4 className="label mb-2">Objection put to the table</h4>
          <p className="said leading-relaxed" dir="auto">
            {objection}
          </p>
        </div>
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
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,22rem),1fr))] items-start gap-4">
        {rounds.map(round => (
          <AfterRound key={round.index} round={round} />
        ))}
      </div>
    </section>
  )
}

// transcriptClaims: What an imported transcript claims beside what its own texts say, if a moderator has read them.

const tones = { yes: 'text-good', no: 'text-bad', unknown: 'text-soft' } as Readonly<Record<string, string>>

const ClaimRow = ({ what, claimed, computed, quote, holds }: TranscriptClaim) => {
  const verdict = holdsText(holds)
  return (
    <li className="grid gap-x-4 gap-y-1 border-t border-line py-3 first:border-0 sm:grid-cols-[12rem_minmax(0,1fr)_8rem]">
      <span className="font-semibold wrap-anywhere">{what}</span>
      <div className="min-w-0">
        claimed: {claimed}; from its text: {computed}
        {quote && (
          <blockquote className="said mt-1 border-l-3 border-line pl-3 text-[.95rem] italic" dir="auto">
            “{quote}”
          </blockquote>
        )}
      </div>
      <span className={`font-medium ${tones[verdict]}`}>holds: {verdict}</span>
    </li>
  )
}

export const TranscriptClaims = () => {
  const { session } = useStage()
  const check = transcriptCheckOf(session)
  if (!check) return null
  const rows = transcriptClaims({ check, verdict: verdictOf(session), seats: session.seats })
  return (
    <section aria-labelledby="claims" className="space-y-4">
      <h2 id="claims" className="said text-2xl font-semibold">
        Claimed and computed
      </h2>
      <div className="card p-4 sm:p-6">
        <p className="text-sm wrap-anywhere text-soft">Read by {check.moderator}</p>
        <ul className="mt-2">
          {rows.map((row, index) => (
            <ClaimRow key={`${index} ${row.what}`} {...row} />
          ))}
        </ul>
      </div>
    </section>
  )
}
