/** Two sessions side by side: another table, another protocol, names on and off. */
import { useQuery } from '@tanstack/react-query'
import { capitalised } from '../../../core/wording/capital.ts'
import { fetchSession, findSessions } from '../../api.ts'
import { inputClass } from '../../components/field.tsx'
import { Notice, NoticeLink, Problem, Waiting } from '../../components/notice.tsx'
import { useSearchParams } from '../../components/search-params.ts'
import { useTitle } from '../../components/title.ts'
import { sharedRound } from './after-fork.tsx'
import { Column } from './column.tsx'
import { Differences } from './differences.tsx'

/** Without `retryOnMount`, a session that isn't there would be loaded again by every part that shows why, forever. */
const useSession = (id: string) =>
  useQuery({
    queryKey: ['session', id],
    queryFn: () => fetchSession(id),
    ...{ enabled: id !== '', retry: false, retryOnMount: false },
  })

interface SideProps {
  readonly label: string
  readonly id: string
  /** The last round that both sessions share, if one is a fork. */
  readonly shared?: number
  onChoose(id: string): void
}

const useChoice = () =>
  useQuery({
    queryKey: ['sessions', 'to compare'],
    queryFn: () => findSessions(new URLSearchParams({ limit: '100' })),
  }).data?.sessions

const Chooser = ({ label, id, onChoose }: SideProps) => {
  const sessions = useChoice() ?? []
  const known = id === '' || sessions.some(session => session.id === id)
  return (
    <select
      aria-label={label}
      value={id}
      onChange={event => onChoose(event.target.value)}
      className={inputClass}
    >
      <option value="">Choose a session</option>
      {!known && <option value={id}>{id}</option>}
      {sessions.map(session => (
        <option key={session.id} value={session.id}>
          {session.question.slice(0, 70)} · {capitalised(session.protocol)} · {session.openedAt.slice(0, 10)}
        </option>
      ))}
    </select>
  )
}

const Side = (props: SideProps) => {
  const { data, error, isFetching } = useSession(props.id)
  return (
    <section aria-label={props.label} className="min-w-0 space-y-5">
      <Chooser {...props} />
      {error && <Problem error={error} />}
      {isFetching && !data && <Waiting what="Loading the session" />}
      {data && (
        <Column
          key={props.id}
          id={props.id}
          side={props.label}
          known={data.events}
          {...(props.shared !== undefined && { shared: props.shared })}
        />
      )}
    </section>
  )
}

const TooFew = () => (
  <Notice title="Nothing to compare yet">
    <p>
      This page shows two sessions side by side. Ask the same question twice, with another table or protocol.
    </p>
    <NoticeLink to="/" kind="primary">
      Ask the table
    </NoticeLink>
  </Notice>
)

export const Page = () => {
  useTitle('Compare')
  const choice = useChoice()
  const [params, change] = useSearchParams()
  const [a, b] = [params.get('a') ?? '', params.get('b') ?? '']
  const [first, second] = [useSession(a), useSession(b)]
  const [one, other] = [first.data, second.data]
  const shared = one && other ? sharedRound(one.events, other.events) : undefined
  // What is different comes on top, and would push down what somebody has begun to read.
  if (first.isLoading || second.isLoading) return <Waiting what="Loading the sessions" />
  if (choice && choice.length < 2 && !a && !b) return <TooFew />
  return (
    <div className="mx-auto max-w-[100rem] space-y-5 px-4 pt-6 pb-16 sm:px-6 sm:pt-10">
      <h1 className="said text-3xl font-semibold tracking-tight">Compare</h1>
      {!a && !b && (
        <p className="text-soft">
          Choose two sessions to see what differs between them, and how each table got there.
        </p>
      )}
      {shared !== undefined && (
        <p className="text-soft">
          Both share everything up to {shared === 0 ? 'the sealed round' : `round ${shared}`}. They differ
          from there on.
        </p>
      )}
      {one && other && <Differences one={one.events} other={other.events} />}
      <div className="grid gap-8 md:grid-cols-2">
        <Side label="The first session" id={a} shared={shared} onChoose={id => change({ a: id })} />
        <Side label="The second session" id={b} shared={shared} onChoose={id => change({ b: id })} />
      </div>
    </div>
  )
}
