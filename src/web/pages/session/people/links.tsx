/** The people at the table with the links of their seats, and a way for one more person to join. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PersonLink } from '../../../../api/index.ts'
import { latestRound, type Session } from '../../../../core/log/state.ts'
import { fetchSession, joinTable, linkSeat, unlinkSeat } from '../../../api.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { FieldDialog } from '../../../components/field-dialog.tsx'
import { useMutation } from '../../../components/mutation.ts'
import { Problem } from '../../../components/notice.tsx'

const stateOf = (session: Session, seat: string): string => {
  const round = latestRound(session)
  const handedIn = round?.handedIn[seat]
  if ((session.seats.find(({ id }) => id === seat)?.since ?? 0) > (round?.index ?? 0))
    return 'from the next round on'
  if (!handedIn) return 'is being asked'
  return handedIn.status === 'given' ? 'has answered' : 'was too late'
}

const small = 'min-h-7! px-1.5! py-0.5!'

interface EntryProps {
  readonly session: Session
  readonly link: PersonLink
  readonly over: boolean
  onChanged(): void
}

const Entry = ({ session, link, over, onChanged }: EntryProps) => {
  const { seat, name, path } = link
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      await (path === null ? linkSeat(session.id, seat) : unlinkSeat(session.id, seat))
    },
    onSuccess: onChanged,
  })
  return (
    <li className="py-2">
      <p className="wrap-anywhere">
        <span className="font-semibold" dir="auto">
          {name}
        </span>{' '}
        <span className="text-sm text-soft">{over ? '' : stateOf(session, seat)}</span>
      </p>
      {!over && (
        <p className="mt-1 flex flex-wrap gap-1">
          {path !== null && (
            <>
              <CopyButton
                kind="plain"
                label="Copy link"
                described={`Copy link of ${name}`}
                className={small}
                text={() => `${location.origin}${path}`}
              />
              <a href={path} target="_blank" rel="noreferrer" className={buttonClass('quiet', small)}>
                Open
              </a>
            </>
          )}
          <Button kind="quiet" className={small} disabled={isPending} onClick={() => mutate()}>
            {path === null ? 'New link' : 'Revoke'}
          </Button>
        </p>
      )}
      {error && <Problem error={error} />}
    </li>
  )
}

export const People = ({ session, over }: { session: Session; over: boolean }) => {
  const client = useQueryClient()
  const [joining, setJoining] = useState(false)
  const { data, refetch } = useQuery({
    // One more when somebody joins, from whichever page.
    queryKey: ['people', session.id, session.seats.length],
    queryFn: async () => (await fetchSession(session.id)).people,
    placeholderData: before => before,
  })
  const changed = (): void => {
    void refetch()
    void client.invalidateQueries({ queryKey: ['session', session.id] })
  }
  const people = data ?? []
  return (
    <div>
      {people.length > 0 && (
        <>
          <h2 className="label">People</h2>
          <ul className="divide-y divide-line">
            {people.map(link => (
              <Entry key={link.seat} session={session} link={link} over={over} onChanged={changed} />
            ))}
          </ul>
        </>
      )}
      <Button disabled={over} onClick={() => setJoining(true)}>
        Join the next round
      </Button>
      {joining && (
        <FieldDialog
          title="Join the table"
          label="Name"
          hint="You, or whoever gets the link. The seat is asked from the next round on."
          required
          save={async name => {
            await joinTable(session.id, { name })
            changed()
          }}
          onClose={() => setJoining(false)}
        />
      )}
    </div>
  )
}
