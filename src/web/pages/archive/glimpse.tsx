/** What a card shows from the log of its session: the table's answer, how minds moved, what it took, and what was searched for. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { answerIn, fold, type Session, seatOf } from '../../../core/log/state.ts'
import { usageOf } from '../../../core/log/usage.ts'
import { duration } from '../../../core/wording/durations.ts'
import { spentCost } from '../../../core/wording/money.ts'
import { passageOf } from '../../../core/wording/passage.ts'
import { reportTexts } from '../../../core/wording/report-parts.ts'
import { fetchSession } from '../../api.ts'
import { runningTime } from './running-time.ts'

export interface Glimpse {
  readonly session: Session
  /** Milliseconds that it ran; absent for what ran elsewhere. */
  readonly took?: number
}

/** A session that is over hardly changes; one under way is looked at on its own page. */
export const glimpseQuery = (id: string) => ({
  queryKey: ['glimpse', id],
  queryFn: async (): Promise<Glimpse> => {
    const { events } = await fetchSession(id)
    const session = fold(events)
    const took = session.imported ? undefined : runningTime(events)
    return { session, ...(took !== undefined && { took }) }
  },
  staleTime: 60_000,
})

export const useGlimpse = (id: string, near: boolean): Glimpse | undefined =>
  useQuery({ ...glimpseQuery(id), enabled: near }).data

/** "181 s · $0.12": nothing for what ran elsewhere, and no cost if nobody knows it. */
export const spentOn = ({ session, took }: Glimpse): string => {
  if (took === undefined) return ''
  const cost = spentCost(usageOf(session), '')
  // On a narrow card the unit alone would stand on the next line.
  const time = duration(took).replaceAll(' ', '\u00a0')
  return cost === '' ? time : `${time} · ${cost}`
}

interface Source {
  readonly who: string
  readonly text: string
}

/** The question comes last: it is on the card already. */
const sourcesOf = (session: Session): Source[] => [
  ...(session.report ? reportTexts(session.report) : []).map(text => ({ who: 'Report', text })),
  ...session.roundsSoFar.toReversed().flatMap(round =>
    session.seats.flatMap(({ id }) => {
      const answer = answerIn(round, id)
      const texts = answer ? [answer.headline, answer.reasoning, answer.text ?? ''] : []
      return texts.map(text => ({ who: seatOf(session, id).name, text }))
    }),
  ),
  { who: 'Question', text: session.question.text },
]

export const Passage = ({ session, words }: { session: Session; words: string }) => {
  const passage = useMemo(() => passageOf(sourcesOf(session), words), [session, words])
  if (!passage) return null
  return (
    <p className="said line-clamp-4 border-l-2 border-accent pl-3 text-sm" dir="auto">
      <span className="font-sans font-medium text-soft">{passage.source.who}: </span>
      {passage.parts.map(({ text, hit }, index) =>
        hit ? (
          <mark key={`${index} ${text}`} className="rounded-xs bg-wash px-0.5 font-semibold text-ink">
            {text}
          </mark>
        ) : (
          text
        ),
      )}
    </p>
  )
}
