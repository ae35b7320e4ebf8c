/** Who changed its mind: from which camp to which, why, and whose words did it. */
import { useState } from 'react'
import { campIds } from '../../../../core/camps/camps.ts'
import type { Flip } from '../../../../core/camps/moves.ts'
import { regroupedSeats } from '../../../../core/camps/regrouped-seats.ts'
import { campsById } from '../../../../core/camps/standings.ts'
import { type Session, seatOf } from '../../../../core/log/state.ts'
import { verdictOf } from '../../../../core/verdict/verdict.ts'
import { unsupportedWords } from '../../../../core/wording/citation-words.ts'
import { creditWords, directionWords } from '../../../../core/wording/move-words.ts'
import { reasonWords } from '../../../../core/wording/own-word.ts'
import { roundPhrase } from '../../../../core/wording/round-names.ts'
import { CampMark } from '../../../components/camp.tsx'
import { useStage } from '../stage.ts'
import { roundOfQuote } from './credits.ts'

const Side = ({ camp }: { camp: string | null }) => {
  const { session, numbers } = useStage()
  if (camp === null) return <span className="text-soft">no camp</span>
  const label = campsById(session).get(camp)?.label ?? camp
  return (
    <span className="inline-flex min-w-0 items-start gap-1.5" title={label}>
      <CampMark index={numbers.get(camp) ?? 0} className="mt-px size-4.5" />
      <span className="said line-clamp-3" dir="auto">
        {label}
      </span>
    </span>
  )
}

/** The words that a seat says changed its mind; a click shows where they were written. */
export const CreditQuote = ({ flip }: { flip: Pick<Flip, 'round' | 'credit'> }) => {
  const { session, reveal } = useStage()
  const { credit } = flip
  if (!credit) return null
  const peer = seatOf(session, credit.seat)
  return (
    <figure className="mt-2 border-s-3 border-line ps-3">
      <blockquote className="said text-[.95rem] italic" dir="auto">
        “{credit.quote}”
      </blockquote>
      <figcaption className="mt-1 text-sm text-soft">
        {credit.verified ? (
          <button
            type="button"
            className="text-left underline decoration-line underline-offset-3 hover:text-ink"
            onClick={() => reveal(credit.seat, roundOfQuote(session, flip), credit.quote)}
          >
            <span className="text-good">✓</span> {peer.name} wrote this: show it
          </button>
        ) : (
          <>
            <span className="text-bad">✕</span> credited to {peer.name}, {creditWords(false)}
          </>
        )}
      </figcaption>
    </figure>
  )
}

const Entry = ({ flip }: { flip: Flip }) => {
  const { session, reveal } = useStage()
  return (
    <li className="border-t border-line py-4 first:border-0 first:pt-0">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <button
          type="button"
          className="min-w-0 text-left font-semibold wrap-anywhere hover:underline"
          onClick={() => reveal(flip.seat)}
        >
          {seatOf(session, flip.seat).name}
        </button>
        <span className="text-sm text-soft">
          in {roundPhrase({ index: flip.round, sealed: false })}
          {flip.reason && `, ${reasonWords[flip.reason]}`}
          {flip.direction && `, ${directionWords[flip.direction]}`}
        </span>
      </p>
      {!session.imported && (
        <p className="mt-1 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-1 text-sm">
          <span className="text-soft">from</span>
          <Side camp={flip.from} />
          <span className="text-soft">to</span>
          <Side camp={flip.to} />
        </p>
      )}
      {flip.unsupported !== undefined && (
        <p className="mt-1 text-sm text-bad">✗ {unsupportedWords(flip.unsupported)}</p>
      )}
      <CreditQuote flip={flip} />
    </li>
  )
}

/** Seats that the flow draws into another camp, though they say what they said before: their camp's words moved, not they. */
const Regrouped = () => {
  const { session } = useStage()
  const seats = regroupedSeats(verdictOf(session)).map(seat => seatOf(session, seat).name)
  if (seats.length === 0) return null
  return (
    <p className="mt-3 text-sm text-soft">
      {`${seats.join(', ')}: now in another camp, with an answer that still fits the sealed one. That isn’t a change of mind.`}
    </p>
  )
}

/** Some seat was not in the same camp in every round, or was in none. */
export const hasMoved = (session: Session): boolean => {
  const [first, ...others] = session.roundsSoFar.map(round => campIds(session, round))
  return others.some(camps => session.seats.some(({ id }) => camps.get(id) !== first?.get(id)))
}

/** With more of them, a phone shows nothing else. */
const mostShown = 6

export const Ledger = () => {
  const { session } = useStage()
  const { ledger, final } = verdictOf(session)
  const [whole, setWhole] = useState(false)
  const shown = whole ? ledger : ledger.slice(0, mostShown)
  // The flow also draws a round that ended early.
  const isUncounted = (session.roundsSoFar.at(-1)?.index ?? 0) > (final?.round ?? 0)
  if (ledger.length === 0)
    return (
      <>
        <p className="text-soft">
          {isUncounted
            ? 'No seat changed its mind in the rounds that were counted.'
            : 'No seat has changed its mind.'}
        </p>
        <Regrouped />
      </>
    )
  return (
    <>
      <ul>
        {shown.map(flip => (
          <Entry key={`${flip.seat} ${flip.round}`} flip={flip} />
        ))}
      </ul>
      {ledger.length > mostShown && (
        <button
          type="button"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
          className="text-sm font-medium text-accent hover:underline"
        >
          {whole ? 'Show fewer' : `Show all ${ledger.length} changes of mind`}
        </button>
      )}
      <Regrouped />
    </>
  )
}
