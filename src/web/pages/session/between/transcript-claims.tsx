/** What an imported transcript claims beside what its own texts say, if a moderator has read them. */
import { transcriptCheckOf } from '../../../../core/verdict/transcript-check.ts'
import { verdictOf } from '../../../../core/verdict/verdict.ts'
import {
  holdsText,
  type TranscriptClaim,
  transcriptClaims,
} from '../../../../core/wording/transcript-claims.ts'
import { useStage } from '../stage.ts'

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
