/** Above a running table that people sit at: the links of their seats, because the table waits for their answers. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { PersonLink } from '../../api/sessions.ts'
import type { Seat } from '../../core/opening.ts'
import { latestRound, type Session } from '../../core/session.ts'
import { fetchSession, linkSeat, unlinkSeat } from '../kit/api.ts'
import { CopyButton } from '../kit/controls.tsx'
import { Button, buttonClass, Problem } from '../kit/frame.tsx'
import { useMutation } from '../kit/mutation.ts'
import { useStage } from './stage.tsx'

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

export default function PeopleLinks() {
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
