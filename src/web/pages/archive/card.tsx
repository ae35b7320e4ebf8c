/** A session of the archive: what came of it, how much the table agrees, how minds moved, and what it took. */
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { FoundReply } from '../../../api/index.ts'
import type { Session } from '../../../core/log/state.ts'
import { dayText } from '../../../core/wording/dates.ts'
import { models } from '../../../core/wording/numbers.ts'
import { isOnlyOne } from '../../../core/wording/verdict-line.ts'
import { useMay } from '../../account.ts'
import { LevelBadge } from '../../components/level.tsx'
import { SessionGlimpse } from '../../components/session-glimpse.tsx'
import { Passage, spentOn, useGlimpse } from './glimpse.tsx'
import { answerAlone, lineOf } from './headline.ts'
import { TagsDialog } from './tags-dialog.tsx'

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
  const imported = glimpse?.session.imported !== undefined
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
        {level && <LevelBadge level={level} alone={isOnlyOne(found.line ?? '')} />}
        <span className="line-clamp-2 min-w-0 text-soft [overflow-wrap:anywhere]">
          {outcome === null ? (
            <span className="breathing text-accent">Running</span>
          ) : (
            lineOf(found, glimpse?.session)
          )}
          {imported && ', as its transcript says'}
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
