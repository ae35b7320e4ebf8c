/** A session in small: how much its table agrees, and what leads a card. */

import { lazy, Suspense } from 'react'
import type { FoundReply } from '../../api/sessions.ts'
import type { Session } from '../../core/session.ts'
import { type Level, levelTitle, lineBeside } from '../../count/tally.ts'
import { verdictOf } from '../../count/verdict.ts'
import { shortVerdictLine } from '../../count/verdict-line.ts'
import { levelColour } from '../../words/drawing.ts'
import { importedMark } from '../../words/story.ts'

// level: How much a table agrees, in a shape and a colour of its own. Neither is a camp's.

/** A piece of a disc that begins at the top, as a share of the whole. */
const slice = (share: number): string => {
  const angle = share * 2 * Math.PI
  const [x, y] = [10 + 8 * Math.sin(angle), 10 - 8 * Math.cos(angle)]
  return `M10 10 L10 2 A8 8 0 ${share > 0.5 ? 1 : 0} 1 ${x.toFixed(2)} ${y.toFixed(2)}Z`
}

const disc = 'M10 2a8 8 0 1 1 0 16a8 8 0 1 1 0-16Z'

/** A whole, a whole with a hole, slices of it, two halves, three pieces, and an empty circle. */
const shapes: Record<Level, string> = {
  unanimous: disc,
  'unanimous-with-caveats': `${disc}M13 5.2a1.8 1.8 0 1 0 0 3.6a1.8 1.8 0 1 0 0-3.6Z`,
  supermajority: slice(5 / 6),
  majority: slice(0.6),
  plurality: slice(0.36),
  tie: 'M9 2.1a8 8 0 0 0 0 15.8ZM11 2.1a8 8 0 0 1 0 15.8Z',
  split:
    'M10 1.6a3.6 3.6 0 1 1 0 7.2a3.6 3.6 0 1 1 0-7.2ZM5 10.6a3.6 3.6 0 1 1 0 7.2a3.6 3.6 0 1 1 0-7.2ZM15 10.6a3.6 3.6 0 1 1 0 7.2a3.6 3.6 0 1 1 0-7.2Z',
  'no-quorum': '',
}

/** Their missing part is drawn, too. */
const slices: readonly Level[] = ['supermajority', 'majority', 'plurality']

export const LevelMark = ({ level, className = 'size-4' }: { level: Level; className?: string }) => (
  <svg viewBox="0 0 20 20" className={`inline-block shrink-0 ${className}`} aria-hidden="true">
    {shapes[level] === '' ? (
      <circle
        cx="10"
        cy="10"
        r="7"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeDasharray="3 2.5"
      />
    ) : (
      <>
        {slices.includes(level) && (
          <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeWidth="1.5" />
        )}
        <path d={shapes[level]} fill="currentColor" fillRule="evenodd" />
      </>
    )}
  </svg>
)

interface LevelBadgeProps {
  readonly level: Level | null
  readonly alone: boolean
  readonly words?: string | undefined
  /** Nothing stands behind a transcript's claim but the transcript. */
  readonly imported: boolean
}

/** "◕ Large majority", or other words for why there is no verdict; `alone` if the table has one seat. */
export const LevelBadge = ({ level, alone, words, imported }: LevelBadgeProps) => {
  if (imported)
    return (
      <span className="rounded-full border border-edge px-3 py-0.5 text-sm font-medium">{importedMark}</span>
    )
  if (!level) return null
  return (
    <span
      className="inline-flex items-center gap-2 rounded-full px-3 py-1 text-sm font-semibold"
      style={{ background: levelColour(level), color: 'var(--on-level)' }}
    >
      <LevelMark level={level} />
      {words ?? levelTitle(level, alone)}
    </span>
  )
}

// headline: What a card or a column leads with, and how many stand behind it.

/** A median or a common order is the answer of all, whatever most of them said. */
const isCombined = (session: Session): boolean => {
  const { final } = verdictOf(session)
  return final?.median !== undefined || final?.figure !== undefined || final?.ranking !== undefined
}

/** Alone, "A hot dog is not a sandwich." would read like the answer of a table that has none. */
export const answerAlone = (session: Session): string | undefined => {
  const answer = session.report?.answer
  if (answer === undefined || session.imported || verdictOf(session).level !== 'plurality') return answer
  return isCombined(session) || /\bmajority\b/i.test(answer)
    ? answer
    : `Leading, without a majority: ${answer}`
}

/** The positions of an open question are sentences: the line of a divided table would be all of them in one. */
export const lineOf = ({ level, line }: FoundReply, session: Session | undefined): string => {
  if (session?.question.format === 'open') return shortVerdictLine(session, verdictOf(session))
  const beside = lineBeside(level, line ?? '')
  return session && level === 'plurality'
    ? beside.replace(/^\d+(?= for )/, count => `${count} of ${verdictOf(session).of}`)
    : beside
}
// lateMarkdown: Markdown whose parser loads after the page: until then the same text is shown as it was written.

const Rich = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }))

interface LateMarkdownProps {
  readonly text: string
  readonly language?: string | null
}

export const LateMarkdown = ({ text, language }: LateMarkdownProps) => (
  <Suspense
    fallback={
      <div className="said prose whitespace-pre-wrap" dir="auto">
        {text}
      </div>
    }
  >
    <Rich text={text} language={language} />
  </Suspense>
)
