/** A session of the archive: what was asked, what came of it, and how minds moved. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { FoundReply } from '../../../api/index.ts'
import { fold } from '../../../core/log/state.ts'
import { levelTitle, lineBeside } from '../../../core/wording/level-words.ts'
import { models } from '../../../core/wording/numbers.ts'
import { fetchSession } from '../../api.ts'
import { SessionGlimpse } from '../../components/session-glimpse.tsx'
import { TagsDialog } from './tags-dialog.tsx'

/** A card loads its log when it is nearly on the screen: a long archive must not load all of them. */
const useNear = () => {
  const element = useRef<HTMLElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(
      entries => entries.some(entry => entry.isIntersecting) && setNear(true),
      { rootMargin: '200px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, near] as const
}

/** A session that is over hardly changes; one under way is looked at on its own page. */
const Glimpse = ({ id, near }: { id: string; near: boolean }) => {
  const { data } = useQuery({
    queryKey: ['glimpse', id],
    queryFn: async () => fold((await fetchSession(id)).events),
    enabled: near,
    staleTime: 60_000,
  })
  return (
    <div className="h-16">{data && data.roundsSoFar.length > 0 && <SessionGlimpse session={data} />}</div>
  )
}

const when = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })

interface CardProps {
  readonly found: FoundReply
  readonly chosen: boolean
  onChoose(): void
}

export const Card = ({ found, chosen, onChoose }: CardProps) => {
  const { id, question, line, level, outcome, tags, protocol } = found
  const [element, near] = useNear()
  const [tagging, setTagging] = useState(false)
  const date = useMemo(() => when.format(new Date(found.openedAt)), [found.openedAt])
  return (
    <article
      ref={element}
      aria-label={question.slice(0, 80)}
      className={`card group relative flex min-w-0 flex-col gap-3 p-5 hover:border-edge ${chosen ? 'border-accent!' : ''}`}
    >
      <p className="text-sm text-soft">
        <time dateTime={found.openedAt}>{date}</time> · {models(found.models.length)} · {protocol}
      </p>
      <h2 className="said line-clamp-3 text-xl leading-snug font-semibold">
        <Link
          to="/s/$id"
          params={{ id }}
          dir="auto"
          className="outline-none after:absolute after:inset-0 after:rounded-[inherit] focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          {question}
        </Link>
      </h2>
      <Glimpse id={id} near={near} />
      <p className="mt-auto flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        {level && <span className="rounded-full bg-wash px-2.5 py-0.5 font-medium">{levelTitle(level)}</span>}
        <span className="line-clamp-3 min-w-0 text-soft [overflow-wrap:anywhere]">
          {outcome === null ? (
            <span className="breathing text-accent">Running</span>
          ) : (
            lineBeside(level, line ?? '')
          )}
        </span>
      </p>
      <div className="relative flex flex-wrap items-center gap-1.5 text-sm">
        {tags.map(tag => (
          <span key={tag} className="rounded bg-shade px-2 py-0.5 break-all">
            {tag}
          </span>
        ))}
        <button
          type="button"
          onClick={() => setTagging(true)}
          className="rounded px-2 py-0.5 text-soft hover:bg-shade hover:text-ink"
        >
          {tags.length > 0 ? 'Edit tags' : '+ Tag'}
        </button>
        <label className="ml-auto flex cursor-pointer items-center gap-1.5 text-soft hover:text-ink">
          <input type="checkbox" className="size-4 accent-accent" checked={chosen} onChange={onChoose} />
          Compare
        </label>
      </div>
      {tagging && <TagsDialog id={id} tags={tags} onClose={() => setTagging(false)} />}
    </article>
  )
}
