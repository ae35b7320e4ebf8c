/** A person's seat behind its link: what they are asked, and their answer. It shows nothing else of the session. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { PersonSeatReply } from '../../../api/index.ts'
import { weekdayTime } from '../../../core/wording/dates.ts'
import { formatNote, instructionNote } from '../../../core/wording/session-title.ts'
import { fetchSeat, RequestRefused } from '../../api.ts'
import { Failed, Notice, Waiting } from '../../components/notice.tsx'
import { useTitle } from '../../components/title.ts'
import { AnswerForm } from './answer-form.tsx'
import { Reads } from './reads.tsx'

/** Milliseconds. The table takes its time, so nobody needs to know sooner. */
const lookEvery = 3_000

const isGone = (error: Error | null): boolean => error instanceof RequestRefused && error.status === 404

/** What is going on while there is nothing to answer. */
const Pause = ({ handedIn }: Pick<PersonSeatReply, 'handedIn'>) => (
  <section className="card p-6" aria-live="polite">
    <h2 className="said text-xl font-semibold">{handedIn ? 'Your answer is in' : 'Nothing to answer now'}</h2>
    <p className="mt-2 text-soft">
      {handedIn
        ? 'The table goes on. If there is another round, it appears here. You may close this page and come back with the same link.'
        : 'The round has not begun, or its time is over. If there is another round, it appears here.'}
    </p>
  </section>
)

const turnWords = (round: number): string =>
  round === 0
    ? 'Answer on your own first. Nobody has read anybody yet: you see the others once you have handed in your answer.'
    : 'Read what the others think, then keep your answer or change it.'

const Seat = ({
  token,
  seat,
  again,
}: {
  token: string
  seat: PersonSeatReply
  again(): Promise<unknown>
}) => {
  const { question, turn } = seat
  useTitle(question.text)
  const notes = [formatNote(question), instructionNote(question)].filter(Boolean)
  return (
    <div className="mx-auto max-w-4xl space-y-6 px-4 pt-6 pb-24 sm:px-6 sm:pt-10">
      <header className="space-y-3">
        <p className="text-sm text-soft">
          {seat.name}, you hold Seat {seat.letter} at this table.
        </p>
        <h1 dir="auto" className="said text-2xl leading-tight font-semibold whitespace-pre-wrap sm:text-3xl">
          {question.text}
        </h1>
        {notes.map(note => (
          <p key={note} dir="auto" className="text-soft">
            {note}
          </p>
        ))}
        {turn && (
          <p>
            {turnWords(turn.round)}{' '}
            <span className="text-soft">You have until {weekdayTime(turn.deadline)}.</span>
          </p>
        )}
      </header>
      {turn ? (
        <>
          <Reads turn={turn} token={token} />
          <AnswerForm key={turn.round} token={token} question={question} turn={turn} onHandedIn={again} />
        </>
      ) : (
        <Pause handedIn={seat.handedIn} />
      )}
    </div>
  )
}

export const Page = () => {
  const { token = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['seat', token],
    queryFn: () => fetchSeat(token),
    refetchInterval: query => (isGone(query.state.error) ? false : lookEvery),
    retry: (failures, failure) => failures < 1 && !isGone(failure),
  })
  if (isGone(error))
    return (
      <Notice title="This seat is done">
        The session is over, the link was revoked, or it is incomplete. Ask whoever sent it to you.
      </Notice>
    )
  if (error && !data) return <Failed title="This seat can’t be loaded" error={error} />
  if (!data) return <Waiting what="Loading your seat" />
  return <Seat token={token} seat={data} again={refetch} />
}
