/** What happened between the rounds: an objection, advocates and a judge, figures of the group, the digest. */
import { type Round, type Session, seatOf } from '../../../../core/log/state.ts'
import { type BetweenRounds, betweenRoundsOf, namesIn } from '../../../../core/wording/between-rounds.ts'
import { roundPhrase } from '../../../../core/wording/round-names.ts'
import { useStage } from '../stage.ts'
import { Hearing, speakerAfter } from './hearing.tsx'

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
