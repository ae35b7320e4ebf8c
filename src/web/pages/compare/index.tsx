/** Two sessions side by side: another table, another protocol, names on and off. */
import { useQuery } from '@tanstack/react-query'
import { fold } from '../../../core/log/state.ts'
import { fetchSession, findSessions, RequestRefused } from '../../api.ts'
import { inputClass } from '../../components/field.tsx'
import { Notice, NoticeLink, Problem, Waiting } from '../../components/notice.tsx'
import { useSearchParams } from '../../components/search-params.ts'
import { useTitle } from '../../components/title.ts'
import { sharedRound } from './after-fork.tsx'
import { choiceWords } from './choice-words.ts'
import { Column } from './column.tsx'
import { Differences } from './differences.tsx'

/** Without `retryOnMount`, a session that isn't there would be loaded again by every part that shows why, forever. */
const useSession = (id: string) =>
  useQuery({
    queryKey: ['session', id],
    queryFn: () => fetchSession(id),
    ...{ enabled: id !== '', retry: false, retryOnMount: false },
  })

const sides = [{ label: 'The first session' }, { label: 'The second session' }] as const

/** If the server is away, another session helps no more than this one. */
const withAdvice = (error: Error): Error =>
  RequestRefused.isUnreachable(error)
    ? error
    : new Error(`${error.message.replace(/\.$/, '')}. Choose another one.`)

interface SideProps {
  readonly label: string
  readonly id: string
}

const useChoice = () =>
  useQuery({
    queryKey: ['sessions', 'to compare'],
    queryFn: () => findSessions(new URLSearchParams({ limit: '100' })),
  }).data?.sessions

interface ChooserProps extends SideProps {
  onChoose(id: string): void
}

const Chooser = ({ label, id, onChoose }: ChooserProps) => {
  const sessions = useChoice() ?? []
  const { data, error } = useSession(id)
  const own = data && !sessions.some(session => session.id === id) ? fold(data.events) : undefined
  return (
    <div className="min-w-0 space-y-2">
      <select
        aria-label={label}
        value={error ? '' : id}
        onChange={event => onChoose(event.target.value)}
        className={inputClass}
      >
        <option value="">Choose a session</option>
        {own && <option value={id}>{choiceWords({ ...own, question: own.question.text })}</option>}
        {sessions.map(session => (
          <option key={session.id} value={session.id}>
            {choiceWords(session)}
          </option>
        ))}
      </select>
      {error && <Problem error={withAdvice(error)} />}
    </div>
  )
}

const Side = ({ label, id, shared }: SideProps & { readonly shared?: number | undefined }) => {
  const { data, isFetching } = useSession(id)
  if (!data && !isFetching) return null
  return (
    <section aria-label={label} className="min-w-0">
      {data ? (
        <Column key={id} id={id} side={label} known={data.events} {...(shared !== undefined && { shared })} />
      ) : (
        <Waiting what="Loading the session" />
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
      <div className="grid gap-x-8 gap-y-3 md:grid-cols-2">
        <Chooser {...sides[0]} id={a} onChoose={id => change({ a: id })} />
        <Chooser {...sides[1]} id={b} onChoose={id => change({ b: id })} />
      </div>
      {shared !== undefined && (
        <p className="text-soft">
          Both share everything up to {shared === 0 ? 'the sealed round' : `round ${shared}`}. They differ
          from there on.
        </p>
      )}
      {one && other && <Differences one={one.events} other={other.events} />}
      <div className="grid gap-8 md:grid-cols-2">
        <Side {...sides[0]} id={a} shared={shared} />
        <Side {...sides[1]} id={b} shared={shared} />
      </div>
    </div>
  )
}
