/** People at a session under way: the links of their seats, a word of the asker, and a seat for one more person. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { PersonLink } from '../../api/sessions.ts'
import type { Seat } from '../../core/opening.ts'
import { latestRound, type Session } from '../../core/session.ts'
import { saidReply } from '../../words/moves.ts'
import { stageOf } from '../../words/stages.ts'
import { fetchSession, joinTable, linkSeat, sayWord, unlinkSeat } from '../kit/api.ts'
import { CopyButton } from '../kit/controls.tsx'
import { FieldDialog } from '../kit/dialogs.tsx'
import { inputClass } from '../kit/fields.tsx'
import { Button, buttonClass, Problem } from '../kit/frame.tsx'
import { useMutation } from '../kit/mutation.ts'
import { useSeen, useStage } from './stage.tsx'

export const Join = ({ id, over }: { id: string; over: boolean }) => {
  const client = useQueryClient()
  const [joining, setJoining] = useState(false)
  return (
    <div>
      <Button disabled={over} onClick={() => setJoining(true)}>
        Join the next round
      </Button>
      {joining && (
        <FieldDialog
          title="Join the table"
          label="Name"
          hint="You, or anyone with the link. The seat is asked from the next round on."
          required
          save={async name => {
            await joinTable(id, { name })
            void client.invalidateQueries({ queryKey: ['people', id] })
            void client.invalidateQueries({ queryKey: ['session', id] })
          }}
          onClose={() => setJoining(false)}
        />
      )}
    </div>
  )
}

// say: A box under the table: the person who asked adds a fact, a constraint or a question for the next round.

export const Say = ({ session, over }: { session: Session; over: boolean }) => {
  const [words, setWords] = useState('')
  const [to, setTo] = useState('')
  const id = useId()
  const { mutate, error, isPending, data, reset } = useMutation({
    mutationFn: async () => {
      await sayWord(session.id, { words, ...(to && { to }) })
      return saidReply(session)
    },
    onSuccess: () => setWords(''),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (words.trim() !== '' && !isPending) mutate()
  }
  return (
    <form onSubmit={submit} className="space-y-2">
      <label htmlFor={id} className="label block">
        A word to the table
      </label>
      <textarea
        id={id}
        rows={2}
        dir="auto"
        disabled={over}
        className={inputClass}
        placeholder="A fact, a constraint or a question"
        value={words}
        onChange={event => {
          reset()
          setWords(event.target.value)
        }}
      />
      <p className="flex flex-wrap items-center gap-2">
        <select
          aria-label="Who should read it"
          value={to}
          disabled={over}
          onChange={event => setTo(event.target.value)}
          className={`${inputClass} max-w-52 py-1! text-sm!`}
        >
          <option value="">To every seat</option>
          {session.seats.map(({ id: seat, alias, name }) => (
            <option key={seat} value={seat}>
              To {alias}, {name}
            </option>
          ))}
        </select>
        <Button type="submit" disabled={over || isPending || words.trim() === ''}>
          Say it
        </Button>
      </p>
      <p role="status" className="min-h-5 text-sm text-soft">
        {over ? 'No round follows.' : data ? `Said. ${data}` : saidReply(session)}
      </p>
      {error && <Problem error={error} />}
    </form>
  )
}

// people: Under the table, while a session runs: a word of the asker, and a seat for one more person.

export function PeoplePanel() {
  const { live, session } = useStage()
  const latest = live.state().session ?? session
  // While the report is written, no round follows that a word or a person could be part of.
  const over = stageOf(useSeen(latest)) === 'report'
  // Whoever comes later doesn't see it. Its room stays, so that nothing moves.
  const gone = latest.outcome === undefined ? '' : 'invisible'
  return (
    <section
      aria-label="What you can add"
      className={`space-y-4 border-t border-line pt-4 print:hidden ${gone}`}
    >
      <Say session={latest} over={over} />
      <Join id={latest.id} over={over} />
    </section>
  )
}

// Above a running table that people sit at: the links of their seats, because the table waits for their answers.

const stateOf = (session: Session, { id, since }: Seat): string => {
  const round = latestRound(session)
  const handedIn = round?.handedIn[id]
  if ((since ?? 0) > (round?.index ?? 0)) return 'from the next round on'
  if (!handedIn) return 'is being asked'
  return handedIn.status === 'given' ? 'has answered' : 'was too late'
}

const small = 'min-h-7! px-1.5! py-0.5!'

interface EntryProps {
  readonly session: Session
  readonly seat: Seat
  /** Undefined until it is loaded. */
  readonly link: PersonLink | undefined
  onChanged(): void
}

/** Its lines have fixed heights: the links come a moment after the names, and must move nothing. */
const Entry = ({ session, seat, link, onChanged }: EntryProps) => {
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      await (link?.path === null ? linkSeat(session.id, seat.id) : unlinkSeat(session.id, seat.id))
    },
    onSuccess: onChanged,
  })
  const { name } = seat
  return (
    <li>
      <div className="gap-x-3 sm:flex sm:items-center">
        <p className="flex h-9 min-w-0 items-center gap-x-2 whitespace-nowrap">
          <span className="truncate font-semibold" dir="auto">
            {name}
          </span>
          <span className="shrink-0 text-sm text-soft">{stateOf(session, seat)}</span>
        </p>
        <p className="-ml-1.5 flex h-9 shrink-0 items-center gap-1 sm:ml-0">
          {link && link.path !== null && (
            <>
              <CopyButton
                kind="plain"
                label="Copy link"
                described={`Copy link of ${name}`}
                className={`${small} ml-1.5 sm:ml-0`}
                text={() => `${location.origin}${link.path}`}
              />
              <a href={link.path} target="_blank" rel="noreferrer" className={buttonClass('quiet', small)}>
                Open
              </a>
            </>
          )}
          {link && (
            <Button kind="quiet" className={small} disabled={isPending} onClick={() => mutate()}>
              {link.path === null ? 'New link' : 'Revoke'}
            </Button>
          )}
        </p>
      </div>
      {error && <Problem error={error} />}
    </li>
  )
}

export function PeopleLinks() {
  const { live, session: shown, may } = useStage()
  const client = useQueryClient()
  const session = live.state().session ?? shown
  const people = session.seats.filter(({ person }) => person)
  const { data, refetch } = useQuery({
    // One more when somebody joins, from whichever page.
    queryKey: ['people', session.id, session.seats.length],
    queryFn: async () => (await fetchSession(session.id)).people ?? [],
    placeholderData: before => before,
    enabled: people.length > 0 && may('change-session'),
  })
  if (people.length === 0 || !may('change-session')) return null
  const changed = (): void => {
    void refetch()
    void client.invalidateQueries({ queryKey: ['session', session.id] })
  }
  return (
    <section aria-label="People" className="print:hidden">
      <h2 className="label">People</h2>
      <ul>
        {people.map(seat => (
          <Entry
            key={seat.id}
            {...{ session, seat }}
            link={data?.find(link => link.seat === seat.id)}
            onChanged={changed}
          />
        ))}
      </ul>
    </section>
  )
}
