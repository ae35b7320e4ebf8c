/** Where every seat stood in a round, in one line each. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { capitalised, dayText, spentCost } from '../../core/basics.ts'
import type { SessionEvent } from '../../core/event.ts'
import { fold, usageOf } from '../../core/fold.ts'
import type { Round, Session } from '../../core/session.ts'
import { campNumbers, hasCamps, standingsIn } from '../../count/moves.ts'
import { levelTitle } from '../../count/tally.ts'
import { shownRound, verdictOf } from '../../count/verdict.ts'
import { shortVerdictLine } from '../../count/verdict-line.ts'
import { roundName, wayText } from '../../words/moves.ts'
import { importedMark } from '../../words/story.ts'
import { handedInWords } from '../../words/words.ts'
import { fetchSession, findSessions, RequestRefused, sessionPath } from '../kit/api.ts'
import { useSearchParams, useTitle } from '../kit/controls.tsx'
import { inputClass } from '../kit/fields.tsx'
import { CampMark, Notice, NoticeLink, Problem, Waiting } from '../kit/frame.tsx'
import { useLiveSession, useLiveState } from '../kit/live.ts'
import { answerAlone, LevelBadge } from '../kit/session-parts.tsx'
import { Flow, TallyTable } from '../session/flow.tsx'
import { type Stage, StageProvider, useStage } from '../session/stage.tsx'

export const SeatAnswers = ({ round }: { round: Round | undefined }) => {
  const { session, numbers } = useStage()
  return (
    <ul className="space-y-4">
      {standingsIn(session, round, numbers).map(standing => (
        <li key={standing.seat.id} className="flex gap-3">
          {standing.number === undefined ? (
            <span className="w-5 shrink-0" />
          ) : (
            <CampMark index={standing.number} />
          )}
          <div className="min-w-0">
            <p className="text-sm break-words">
              <span className="font-medium">{standing.seat.name}</span>{' '}
              <span className="text-soft">{wayText(standing, session)}</span>
            </p>
            <p className="said line-clamp-3" dir="auto">
              {standing.handedIn ? handedInWords(session.question, standing.handedIn) : 'is being asked'}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}

// afterFork: What two sessions with the same beginning did after it, round by round.

const sharedWith = (fork: Session, other: Session): number | undefined => {
  const { forkedFrom } = fork
  if (forkedFrom?.round === undefined) return undefined
  if (forkedFrom.session === other.id) return forkedFrom.round
  const both = other.forkedFrom
  return both?.session === forkedFrom.session && both.round !== undefined
    ? Math.min(both.round, forkedFrom.round)
    : undefined
}

/** The last round that two sessions share: one is a fork of the other, or both are forks of a third. */
export const sharedRound = (
  one: readonly SessionEvent[],
  other: readonly SessionEvent[],
): number | undefined => {
  const [first, second] = [fold(one), fold(other)]
  return sharedWith(first, second) ?? sharedWith(second, first)
}

export const AfterFork = ({ round: shared }: { round: number }) => {
  const { session } = useStage()
  const rounds = session.roundsSoFar.filter(({ index }) => index > shared)
  if (rounds.length === 0) return <p className="text-soft">No further round was held.</p>
  return (
    <div className="space-y-5">
      {rounds.map(round => (
        <div key={round.index}>
          <h4 className="mb-2 text-sm font-semibold">{roundName(round)}</h4>
          <SeatAnswers round={round} />
        </div>
      ))}
    </div>
  )
}

// choiceWords: How a session is called among others to choose from.

interface Choosable {
  readonly question: string
  readonly protocol: string
  readonly openedAt: string
}

/** Sessions with the same question are told apart by what comes first: the end is cut off on a phone. */
export const choiceWords = ({ question, protocol, openedAt }: Choosable): string =>
  `${dayText(openedAt)} · ${capitalised(protocol)} · ${question.slice(0, 70)}`

// column: One of the two sessions: its verdict, how minds moved, the count, and where every seat ended.

/** Both sides have the same parts, and landmarks need names of their own. */
const SideContext = createContext('')

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={`${title}, ${useContext(SideContext)}`} className="card min-w-0 p-4 sm:p-6">
    <h3 className="label mb-3">{title}</h3>
    {children}
  </section>
)

const Head = () => {
  const { session } = useStage()
  const verdict = verdictOf(session)
  return (
    <header className="space-y-3">
      <h2 className="said line-clamp-3 text-xl leading-snug font-semibold" dir="auto">
        <Link to="/s/$id" params={{ id: session.id }} className="hover:underline">
          {session.question.text}
        </Link>
      </h2>
      {session.report && (
        <p className="said text-lg leading-snug" dir="auto">
          {answerAlone(session)}
        </p>
      )}
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <LevelBadge
          level={verdict.level}
          alone={verdict.of === 1}
          imported={session.imported !== undefined}
        />
        <span className="min-w-0 break-words text-soft">
          {session.imported && 'The transcript says: '}
          {shortVerdictLine(session, verdict)}
        </span>
      </p>
    </header>
  )
}

const Seats = () => {
  const { session } = useStage()
  return <SeatAnswers round={shownRound(session)} />
}

/** Nothing is done to a session from here. */
const idle = {
  streaming: false,
  calm: false,
  goOn: () => {},
  readOnly: true,
  may: () => false,
  reveal: () => {},
  retry: () => {},
  replace: () => {},
}

interface ColumnProps {
  readonly id: string
  /** "the first session" */
  readonly side: string
  readonly known: readonly SessionEvent[]
  /** The last round that both sessions share. */
  readonly shared?: number
}

export const Column = ({ id, side, known, shared }: ColumnProps) => {
  const live = useLiveSession(`${sessionPath(id)}/events`, known)
  const { session } = useLiveState(live)
  const numbers = useMemo(() => (session ? campNumbers(session) : new Map<string, number>()), [session])
  if (!session) return null
  const stage: Stage = { session, numbers, live, atEnd: true, ...idle }
  return (
    <StageProvider value={stage}>
      <SideContext.Provider value={side}>
        <div className="space-y-5">
          <Head />
          {shared !== undefined && (
            <Part title="From the fork on">
              <AfterFork round={shared} />
            </Part>
          )}
          {session.roundsSoFar.length > 1 && hasCamps(session) && (
            <Part title="Position flow">
              <Flow />
            </Part>
          )}
          {!session.imported && hasCamps(session) && (
            <Part title="Tally, sealed and final">
              <TallyTable />
            </Part>
          )}
          <Part title="Where they ended">
            <Seats />
          </Part>
        </div>
      </SideContext.Provider>
    </StageProvider>
  )
}

// difference: In what two sessions differ, and what came of it.

export interface Difference {
  readonly label: string
  readonly one: string
  readonly other: string
}

const tableOf = ({ seats }: Session): string => seats.map(({ name }) => name).join(', ')

const openRounds = ({ roundsSoFar }: Session): number => roundsSoFar.filter(({ sealed }) => !sealed).length

/** A transcript's own figures stand beside counted ones here. */
const claimed = ({ imported }: Session, words: string): string =>
  imported ? `${words} (${importedMark.toLowerCase()})` : words

const facts: readonly { readonly label: string; readonly of: (session: Session) => string }[] = [
  { label: 'Question', of: ({ question }) => question.text },
  { label: 'Table', of: tableOf },
  { label: 'Protocol', of: ({ protocol }) => protocol },
  { label: 'Names', of: ({ names }) => names },
  { label: 'Open rounds', of: session => String(openRounds(session)) },
  { label: 'Moderator', of: ({ moderator }) => moderator ?? 'none' },
  {
    label: 'Agreement',
    of: session => {
      const { level, agree, of } = verdictOf(session)
      return claimed(session, `${level ? levelTitle(level, of === 1) : 'none'}, ${agree} of ${of}`)
    },
  },
  { label: 'Changed minds', of: session => claimed(session, String(verdictOf(session).flips)) },
  {
    label: 'Cost',
    of: session => {
      return spentCost(usageOf(session))
    },
  },
]

/** What is the same in both says nothing about why they came out differently. */
export const differencesOf = (one: Session, other: Session): Difference[] =>
  facts
    .map(({ label, of }) => ({ label, one: of(one), other: of(other) }))
    .filter(difference => difference.one !== difference.other)

// differences: What is different, in one table, before the sessions themselves.

interface DifferencesProps {
  readonly one: readonly SessionEvent[]
  readonly other: readonly SessionEvent[]
}

export const Differences = ({ one, other }: DifferencesProps) => {
  const found = useMemo(() => differencesOf(fold(one), fold(other)), [one, other])
  return (
    <section aria-label="What is different" className="card p-4 sm:p-6">
      <h2 className="label mb-2">What is different</h2>
      {found.length === 0 && <p className="text-soft">Nothing that is compared here.</p>}
      <table className="w-full table-fixed text-sm">
        <tbody>
          {found.map(difference => (
            <tr
              key={difference.label}
              className="grid grid-cols-2 border-t border-line align-top first:border-0 sm:table-row"
            >
              <th
                scope="row"
                className="col-span-2 pt-2 text-left font-normal text-soft sm:w-40 sm:py-2 sm:pr-3"
              >
                {difference.label}
              </th>
              <td className="pt-0.5 pr-4 pb-2 break-words sm:py-2">
                <span className="line-clamp-4">{difference.one}</span>
              </td>
              <td className="pt-0.5 pb-2 break-words sm:py-2">
                <span className="line-clamp-4">{difference.other}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

// compare: Two sessions side by side: another table, another protocol, names on and off.

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
