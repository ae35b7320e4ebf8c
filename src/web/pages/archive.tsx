/** How long a session ran. */

import {
  keepPreviousData,
  useInfiniteQuery,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { FoundReply } from '../../api/sessions.ts'
import { dayText, duration, models, spentCost } from '../../core/basics.ts'
import type { SessionEvent } from '../../core/event.ts'
import { fold, usageOf } from '../../core/fold.ts'
import { answerIn, type Session, seatOf } from '../../core/session.ts'
import { campNumbers, flowLayout, groupsOf, numberOf } from '../../count/moves.ts'
import { levels, levelTitle } from '../../count/tally.ts'
import { isOnlyOne } from '../../count/verdict-line.ts'
import { campColour, campFill } from '../../words/camp-patterns.ts'
import { flowWords, ribbonPath } from '../../words/drawing.ts'
import { passageOf } from '../../words/passage.ts'
import { isTranscript } from '../../words/story.ts'
import { reportTexts } from '../../words/words.ts'
import { fetchSession, findSessions, importSession, tagSession, useMay } from '../kit/api.ts'
import { AppLink, useSearchParams, useTitle } from '../kit/controls.tsx'
import { DropZone, FieldDialog, FileButton } from '../kit/dialogs.tsx'
import { inputClass, useProtocols } from '../kit/fields.tsx'
import { Button, buttonClass, Failed, Notice, NoticeLink, Problem, Waiting } from '../kit/frame.tsx'
import { answerAlone, LevelBadge, lineOf } from '../kit/session-parts.tsx'

/** Milliseconds until it finished; a person may come back days later, and that pause isn't counted. Undefined: not yet. */
export const runningTime = (events: readonly SessionEvent[]): number | undefined => {
  let sum: number | undefined
  let since: number | undefined
  for (const { type, at } of events) {
    since ??= Date.parse(at)
    if (type !== 'session-finished') continue
    sum = (sum ?? 0) + Date.parse(at) - since
    since = undefined
  }
  return sum
}

// glimpse: What a card shows from the log of its session: the table's answer, how minds moved, what it took, and what was searched for.

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

// tagsDialog: The tags of a session.

interface TagsDialogProps {
  readonly id: string
  readonly tags: readonly string[]
  onClose(): void
}

const tagsIn = (text: string): string[] => [
  ...new Set(text.split(',').flatMap(tag => (tag.trim() === '' ? [] : [tag.trim()]))),
]

export const TagsDialog = ({ id, tags, onClose }: TagsDialogProps) => {
  const queries = useQueryClient()
  const save = async (text: string): Promise<void> => {
    await tagSession(id, tagsIn(text))
    await queries.invalidateQueries({ queryKey: ['sessions'] })
  }
  return (
    <FieldDialog
      title="Tags"
      label="Tags"
      hint="Separate tags with commas."
      value={tags.join(', ')}
      save={save}
      onClose={onClose}
    />
  )
}

// card: A session of the archive: what came of it, how much the table agrees, how minds moved, and what it took.

/** A card loads its log when it is nearly on the screen: a long archive must not load all of them. */
const useNear = () => {
  const element = useRef<HTMLElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(
      entries => entries.some(entry => entry.isIntersecting) && setNear(true),
      { rootMargin: '600px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, near] as const
}

/** The largest text of a card: the table's answer, or the question while there is none. */
const asTitle = 'said text-xl leading-snug font-semibold'

/** Nobody grouped the answers of a transcript, and after one round nothing could have moved. */
const couldMove = ({ imported, roundsSoFar }: Session): boolean => !imported && roundsSoFar.length > 1

interface CardProps {
  readonly found: FoundReply
  /** What was searched for. */
  readonly words: string
  readonly chosen: boolean
  onChoose(): void
}

export const Card = ({ found, words, chosen, onChoose }: CardProps) => {
  const { id, question, level, outcome, tags, protocol } = found
  const [element, near] = useNear()
  const glimpse = useGlimpse(id, near)
  const answer = glimpse && answerAlone(glimpse.session)
  const spent = glimpse && spentOn(glimpse)
  const imported = isTranscript(found)
  const moved = glimpse && couldMove(glimpse.session) ? glimpse.session : undefined
  const [tagging, setTagging] = useState(false)
  const mayTag = useMay('change-session')
  return (
    <article
      ref={element}
      aria-label={question.slice(0, 80)}
      className={`card group relative flex min-w-0 flex-col gap-3 p-5 hover:border-edge ${chosen ? 'border-accent!' : ''}`}
    >
      <h2 className={answer ? 'line-clamp-2 text-soft' : `${asTitle} line-clamp-3`}>
        <Link
          to="/s/$id"
          params={{ id }}
          dir="auto"
          className="outline-none after:absolute after:inset-0 after:rounded-[inherit] focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          {question}
        </Link>
      </h2>
      {answer && (
        <p className={`${asTitle} line-clamp-4`} dir="auto">
          {answer}
        </p>
      )}
      {glimpse && words && <Passage session={glimpse.session} words={words} />}
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <LevelBadge level={level} alone={isOnlyOne(found.line ?? '')} imported={imported} />
        <span className="line-clamp-2 min-w-0 text-soft [overflow-wrap:anywhere]">
          {outcome === null ? (
            <span className="breathing text-accent">Running</span>
          ) : (
            <>
              {imported && 'The transcript says: '}
              {lineOf(found, glimpse?.session)}
            </>
          )}
        </span>
      </p>
      <div className="mt-auto">{moved && <SessionGlimpse session={moved} />}</div>
      <p className="text-sm text-soft">
        <time dateTime={found.openedAt}>{dayText(found.openedAt)}</time> · {models(found.models.length)} ·{' '}
        {protocol}
        {spent && ` · ${spent}`}
        {found.by && ` · ${found.by}’s`}
        {found.visibility === 'private' && ' · private'}
      </p>
      <div className="relative flex flex-wrap items-center gap-1.5 text-sm">
        {tags.map(tag => (
          <span key={tag} className="rounded bg-shade px-2 py-0.5 break-all">
            {tag}
          </span>
        ))}
        {mayTag && (
          <button
            type="button"
            onClick={() => setTagging(true)}
            className="rounded px-2 py-0.5 text-soft hover:bg-shade hover:text-ink"
          >
            {tags.length > 0 ? 'Edit tags' : '+ Tag'}
          </button>
        )}
        <label className="ml-auto flex cursor-pointer items-center gap-1.5 text-soft hover:text-ink">
          <input type="checkbox" className="size-4 accent-accent" checked={chosen} onChange={onChoose} />
          Compare
        </label>
      </div>
      {tagging && <TagsDialog id={id} tags={tags} onClose={() => setTagging(false)} />}
    </article>
  )
}

// filters: Narrows the archive; every choice is in the address, so that a search can be kept as a link.

/** The filters in the address; `words` belongs to the search field. */
export const filterNames = ['model', 'protocol', 'level', 'tag', 'from', 'before'] as const

interface FiltersProps {
  readonly params: URLSearchParams
  readonly found: readonly FoundReply[]
  onChange(change: Readonly<Record<string, string | undefined>>): void
}

const controlClass =
  'min-h-9 w-full min-w-0 rounded-lg sm:w-auto sm:max-w-44 border border-line bg-surface px-2 text-sm'

interface ListedProps {
  readonly label: string
  readonly all: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  onChange(value: string): void
}

/** A value in the address is offered even if nothing found has it. */
const Listed = ({ label, all, value, options, onChange }: ListedProps) => {
  const known = value === '' || options.some(option => option.value === value)
  return (
    <select
      aria-label={label}
      value={value}
      onChange={event => onChange(event.target.value)}
      className={`${controlClass} ${value ? 'border-accent bg-wash' : ''}`}
    >
      <option value="">{all}</option>
      {!known && <option value={value}>{value}</option>}
      {options.map(option => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

const distinct = (values: readonly string[]): { value: string; label: string }[] =>
  [...new Set(values)].toSorted().map(value => ({ value, label: value }))

const DateField = ({ label, value, onChange }: Pick<ListedProps, 'label' | 'value' | 'onChange'>) => (
  <label className="flex flex-col gap-1 text-sm text-soft sm:flex-row sm:items-center sm:gap-2">
    {label}
    <input
      type="date"
      value={value}
      onChange={event => onChange(event.target.value)}
      className={`${controlClass} text-ink ${value ? 'border-accent bg-wash' : ''}`}
    />
  </label>
)

export const Filters = ({ params, found, onChange }: FiltersProps) => {
  const protocols = useProtocols()
  const of = (name: (typeof filterNames)[number]) => ({
    value: params.get(name) ?? '',
    onChange: (value: string) => onChange({ [name]: value }),
  })
  const count = filterNames.filter(name => params.has(name)).length
  // On a phone the sessions come first; whoever follows a link with filters sees them at once.
  const [unfolded, setUnfolded] = useState(count > 0)
  return (
    <div>
      <Button
        className="w-full sm:hidden"
        aria-expanded={unfolded}
        aria-controls="filters"
        onClick={() => setUnfolded(!unfolded)}
      >
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </Button>
      <div
        id="filters"
        className={`${unfolded ? 'grid' : 'hidden'} mt-2 grid-cols-1 items-center gap-2 min-[22rem]:grid-cols-2 sm:mt-0 sm:flex sm:flex-wrap`}
      >
        <Listed
          label="Model"
          all="All models"
          options={distinct(found.flatMap(({ models }) => models))}
          {...of('model')}
        />
        <Listed
          label="Protocol"
          all="All protocols"
          options={protocols.map(({ id, label }) => ({ value: id, label }))}
          {...of('protocol')}
        />
        <Listed
          label="Agreement"
          all="Any agreement"
          options={levels.map(value => ({ value, label: levelTitle(value) }))}
          {...of('level')}
        />
        <Listed
          label="Tag"
          all="All tags"
          options={distinct(found.flatMap(({ tags }) => tags))}
          {...of('tag')}
        />
        <DateField label="From" {...of('from')} />
        <DateField label="Before" {...of('before')} />
        {count > 0 && (
          <Button
            kind="quiet"
            onClick={() => onChange(Object.fromEntries(filterNames.map(name => [name, undefined])))}
          >
            Clear
          </Button>
        )}
      </div>
    </div>
  )
}

// importing: Sessions from files: those that this program exported, and transcripts.

export interface Imported {
  readonly name: string
  readonly id?: string
  readonly problem?: string
}

const importFile = async (file: File): Promise<Imported> => {
  try {
    return { name: file.name, ...(await importSession(await file.text())) }
  } catch (error) {
    return { name: file.name, problem: error instanceof Error ? error.message : String(error) }
  }
}

/** A single file is opened at once; of several, the result of each is listed. */
export const useImports = () => {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [imports, setImports] = useState<readonly Imported[]>([])
  const take = async (files: readonly File[]): Promise<void> => {
    const taken: Imported[] = []
    for (const file of files) taken.push(await importFile(file))
    setImports(taken)
    await queries.invalidateQueries({ queryKey: ['sessions'] })
    const [first] = taken
    if (taken.length === 1 && first?.id !== undefined)
      await navigate({ to: '/s/$id', params: { id: first.id } })
  }
  return [imports, take] as const
}

export const Imports = ({ imports }: { imports: readonly Imported[] }) =>
  imports.length > 0 && (
    <ul aria-label="Imported files" className="card space-y-1 p-4 text-sm" aria-live="polite">
      {imports.map(({ name, id, problem }) => (
        <li key={name} className="break-words">
          {id === undefined ? (
            <span className="text-bad">
              {name}: {problem}
            </span>
          ) : (
            <>
              <span className="text-good">✓</span>{' '}
              <Link to="/s/$id" params={{ id }} className="underline">
                {name}
              </Link>
            </>
          )}
        </li>
      ))}
    </ul>
  )

// archive: The archive: every session, found as one types.

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

// A session in a small picture: its position flow, without words.

const glimpseSize = { width: 200, height: 64, blockWidth: 12, gap: 4 }

const SessionGlimpse = ({ session }: { session: Session }) => {
  const columns = useMemo(() => groupsOf(session, campNumbers(session)), [session])
  const { blocks, ribbons } = useMemo(() => flowLayout(columns, glimpseSize), [columns])
  return (
    <svg
      viewBox={`0 0 ${glimpseSize.width} ${glimpseSize.height}`}
      className="h-16 w-full max-w-50"
      role="img"
      aria-label={flowWords(session, columns)}
    >
      {ribbons.map(ribbon => {
        const { seat, from, to, x0 } = ribbon
        const number = numberOf(to) ?? numberOf(from)
        const fill = number === undefined ? 'var(--edge)' : campColour(number)
        return (
          <path key={`${seat} ${x0}`} d={ribbonPath(ribbon)} fill={fill} opacity={from === to ? 0.24 : 0.7} />
        )
      })}
      {blocks.map(({ key, column, x, y, height }) => {
        const number = numberOf(key)
        return (
          <rect
            key={`${column} ${key}`}
            x={x}
            y={y}
            width={glimpseSize.blockWidth}
            height={Math.max(1, height - 0.5)}
            rx="2.5"
            fill={number === undefined ? 'var(--edge)' : campFill(number)}
            opacity={number === undefined ? 0.4 : 1}
          />
        )
      })}
    </svg>
  )
}
