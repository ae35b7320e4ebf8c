/** The archive: every session, found as one types. */
import { keepPreviousData, useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import type { FoundReply } from '../../../api/index.ts'
import { useMay } from '../../account.ts'
import { findSessions } from '../../api.ts'
import { AppLink } from '../../components/app-link.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { DropZone } from '../../components/drop-zone.tsx'
import { inputClass } from '../../components/field.tsx'
import { FileButton } from '../../components/file-button.tsx'
import { Failed, Notice, NoticeLink, Problem, Waiting } from '../../components/notice.tsx'
import { useSearchParams } from '../../components/search-params.ts'
import { useTitle } from '../../components/title.ts'
import { Card } from './card.tsx'
import { Filters, filterNames } from './filters.tsx'
import { glimpseQuery } from './glimpse.tsx'
import { Imports, useImports } from './importing.tsx'

const pageSize = 30

const queryOf = (params: URLSearchParams, cursor: string): URLSearchParams => {
  const query = new URLSearchParams({ limit: String(pageSize) })
  for (const name of ['words', ...filterNames]) {
    const value = params.get(name)?.trim()
    if (value) query.set(name, value)
  }
  if (cursor) query.set('cursor', cursor)
  return query
}

const useFound = (params: URLSearchParams) => {
  const result = useInfiniteQuery({
    queryKey: ['sessions', String(queryOf(params, ''))],
    queryFn: ({ pageParam }) => findSessions(queryOf(params, pageParam)),
    initialPageParam: '',
    getNextPageParam: page => page.next ?? undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return { ...result, found: result.data?.pages.flatMap(({ sessions }) => sessions) }
}

/** For somebody who may only read. */
const NothingShared = () => (
  <Notice title="No sessions yet">
    <p>Sessions that people share with the team appear here.</p>
  </Notice>
)

const Nothing = ({ searched, onClear }: { searched: boolean; onClear: () => void }) =>
  searched ? (
    <Notice title="No session found">
      <p>Try fewer words, or other filters.</p>
      <p className="mt-4">
        <Button onClick={onClear}>Show all sessions</Button>
      </p>
    </Notice>
  ) : (
    <Notice title="No sessions yet">
      <p>Your sessions are kept here. “Import” adds an exported session or a transcript from a file.</p>
      <NoticeLink to="/" kind="primary">
        Ask the first question
      </NoticeLink>
    </Notice>
  )

/** Compares two chosen sessions. */
const CompareBar = ({ chosen, onClear }: { chosen: readonly string[]; onClear: () => void }): ReactNode =>
  chosen.length > 0 && (
    <div className="card sticky bottom-4 z-20 mx-auto flex w-fit max-w-full flex-wrap items-center gap-3 px-4 py-3 shadow-lg">
      <span className="text-sm">{chosen.length === 1 ? 'Choose one more to compare' : 'Two chosen'}</span>
      {chosen.length === 2 && (
        <AppLink href={`/compare?a=${chosen[0]}&b=${chosen[1]}`} className={buttonClass('primary')}>
          Compare
        </AppLink>
      )}
      <Button kind="quiet" onClick={onClear}>
        Clear
      </Button>
    </div>
  )

/** So many cards are on the largest first screen. */
const firstScreen = 12

/** The first list waits for what its cards show: otherwise each of them would grow and push the next one down. */
const useFirstCards = (found: readonly FoundReply[] | undefined): readonly FoundReply[] | undefined => {
  const shown = useRef(false)
  const glimpses = useQueries({
    queries: (shown.current ? [] : (found ?? []).slice(0, firstScreen)).map(({ id }) => glimpseQuery(id)),
  })
  if (found && glimpses.every(glimpse => !glimpse.isPending)) shown.current = true
  return shown.current ? found : undefined
}

interface CardsProps {
  readonly found: readonly FoundReply[]
  readonly words: string
  /** They are those of the search before: the new ones aren't there yet. */
  readonly outdated: boolean
}

const Cards = ({ found, words, outdated }: CardsProps) => {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const choose = (id: string): void =>
    setChosen(chosen.includes(id) ? chosen.filter(other => other !== id) : [...chosen, id].slice(-2))
  return (
    <>
      <ul aria-busy={outdated} className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 wide:grid-cols-4">
        {found.map(one => (
          <li key={one.id} className="grid min-w-0">
            <Card
              found={one}
              words={words}
              chosen={chosen.includes(one.id)}
              onChoose={() => choose(one.id)}
            />
          </li>
        ))}
      </ul>
      <CompareBar chosen={chosen} onClear={() => setChosen([])} />
    </>
  )
}

export const Page = () => {
  useTitle('Sessions')
  const [params, change] = useSearchParams()
  const [imports, take] = useImports()
  const mayAsk = useMay('ask')
  const {
    found: all,
    error,
    isPlaceholderData,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
  } = useFound(params)
  const found = useFirstCards(all)
  const clear = (): void => change(Object.fromEntries(['words', ...filterNames].map(name => [name, ''])))
  const searched = ['words', ...filterNames].some(name => params.get(name))
  // While a search is being cleared, its result is still shown: that it is empty says nothing about the archive.
  const empty = found?.length === 0 && !searched && !isPlaceholderData
  return (
    <DropZone hint="Drop sessions or transcripts to import them" onFiles={take} className="min-h-[80dvh]">
      <div className="mx-auto max-w-[100rem] space-y-5 px-4 pt-6 pb-16 sm:px-6 sm:pt-10">
        <header className="flex flex-wrap items-center gap-3">
          <h1 className="said mr-auto text-3xl font-semibold tracking-tight">Sessions</h1>
          <Link to="/letters" className={buttonClass('quiet')}>
            Letters
          </Link>
          {mayAsk && (
            <FileButton label="Import" accept=".json,.txt,.md,text/*,application/json" onFiles={take} />
          )}
        </header>
        {!empty && (
          <>
            <input
              id="search-sessions"
              type="search"
              aria-label="Search sessions"
              placeholder="Search all sessions"
              value={params.get('words') ?? ''}
              onChange={event => change({ words: event.target.value })}
              className={inputClass}
            />
            <Filters params={params} found={found ?? []} onChange={change} />
          </>
        )}
        <Imports imports={imports} />
        {error &&
          (found ? <Problem error={error} /> : <Failed title="The sessions can’t be loaded" error={error} />)}
        {!found && !error && <Waiting what="Loading sessions" />}
        {found?.length === 0 &&
          (mayAsk || !empty ? <Nothing searched={!empty} onClear={clear} /> : <NothingShared />)}
        {found && found.length > 0 && (
          <Cards found={found} words={params.get('words') ?? ''} outdated={isPlaceholderData} />
        )}
        {hasNextPage && (
          <p className="text-center">
            <Button disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
              Show more
            </Button>
          </p>
        )}
      </div>
    </DropZone>
  )
}
