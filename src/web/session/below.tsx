/** What a reader comes to after the verdict: how minds moved, what was said, and the numbers. */

import { type RefObject, useEffect, useRef, useState } from 'react'
import { usageOf } from '../../core/fold.ts'
import { canBeRight } from '../../core/form.ts'
import type { Source } from '../../core/question.ts'
import { hasCamps } from '../../count/moves.ts'
import { failureWords, sourceHead, sourcesTitle } from '../../words/words.ts'
import { Between, TranscriptClaims } from './between.tsx'
import { Confidence, CostTable, confidentRounds, hasInfluence, Influence } from './charts.tsx'
import { Flow, TallyTable } from './flow.tsx'
import { hasMoved, Ledger } from './quotes.tsx'
import { hasBars } from './result.tsx'
import { ExpandButton, ExpandedProvider, SeatList } from './seats.tsx'
import { StageProvider, useStage } from './stage.tsx'
import { AskOn, Thread } from './thread.tsx'

const Section = ({
  title,
  children,
  className = '',
}: {
  title: string
  children: React.ReactNode
  className?: string
}) => (
  <section aria-label={title} className={`card min-w-0 p-4 sm:p-6 ${className}`}>
    <h3 className="label mb-4">{title}</h3>
    {children}
  </section>
)

/** How minds moved: left out if all seats stayed where they were, which the verdict says in one sentence. */
const Movement = () => {
  const { session } = useStage()
  if (session.question.format === 'text' || !hasMoved(session)) return null
  return (
    <section aria-labelledby="movement" className="space-y-4">
      <h2 id="movement" className="said text-2xl font-semibold">
        How minds moved
      </h2>
      <div className="grid items-start gap-4 lg:grid-cols-5">
        <Section title="Position flow" className="lg:col-span-3">
          <Flow />
        </Section>
        <Section title="Changes of mind" className="lg:col-span-2">
          <Ledger />
        </Section>
      </div>
    </section>
  )
}

const Numbers = () => {
  const { session } = useStage()
  // A transcript has no figures of its own.
  if (session.imported && usageOf(session).outputTokens === 0) return null
  return (
    <section aria-labelledby="numbers" className="space-y-4">
      <h2 id="numbers" className="said text-2xl font-semibold">
        In numbers
      </h2>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,19rem),1fr))] gap-4">
        {!session.imported && hasCamps(session) && !hasBars(session) && (
          <Section title="Tally, sealed → last">
            <TallyTable />
          </Section>
        )}
        {hasInfluence(session) && (
          <Section title="Who moved whom">
            <Influence />
          </Section>
        )}
        {canBeRight(session) && confidentRounds(session) > 1 && (
          <Section title="Confidence by round">
            <Confidence />
          </Section>
        )}
        <Section title="Tokens and cost">
          <CostTable />
        </Section>
      </div>
    </section>
  )
}

const Answers = () => {
  const { session } = useStage()
  const [expanded, setExpanded] = useState(false)
  return (
    <section aria-labelledby="answers" className="space-y-4">
      <div className="flex flex-wrap items-center gap-x-4">
        <h2 id="answers" className="said text-2xl font-semibold">
          {session.question.format === 'text' ? 'The texts' : 'What they said'}
        </h2>
        <ExpandButton expanded={expanded} onChange={() => setExpanded(!expanded)} />
      </div>
      <Sources />
      <ExpandedProvider value={expanded}>
        <SeatList />
      </ExpandedProvider>
    </section>
  )
}

/**
 * Once a session is over that was watched, its page gets the order that everybody else sees, unless somebody is reading
 * there: then nothing may move.
 */
const useSettled = (place: RefObject<HTMLElement | null>): boolean => {
  const { session, calm } = useStage()
  const [settled, setSettled] = useState(!calm)
  const over = session.outcome !== undefined
  useEffect(() => {
    const top = place.current?.getBoundingClientRect().top
    if (over && top !== undefined && top >= window.innerHeight) setSettled(true)
  }, [over, place])
  return settled
}

/** What comes later stands below, so that it moves nothing that is being read. */
const Watched = () => {
  const { session } = useStage()
  return (
    <>
      <Answers />
      <Between />
      {session.outcome && (
        <>
          <Movement />
          <Numbers />
        </>
      )}
      <Thread />
    </>
  )
}

const Settled = () => (
  <StageProvider value={{ ...useStage(), calm: false }}>
    <Movement />
    <TranscriptClaims />
    <Between />
    <Answers />
    <Numbers />
    <Thread />
  </StageProvider>
)

export default function Below() {
  const place = useRef<HTMLDivElement>(null)
  const settled = useSettled(place)
  return (
    <div className="space-y-12">
      <AskOn />
      <div ref={place} className="space-y-12">
        {settled ? <Settled /> : <Watched />}
      </div>
    </div>
  )
}

// What the web search found for all seats. Titles and quotes are strangers' words, and stay text.

const Entry = ({ source, head }: { source: Source; head: string }) => (
  <li className="wrap-anywhere" dir="auto">
    {head}:{' '}
    <a
      className="underline decoration-soft underline-offset-3 hover:text-ink"
      href={source.address}
      target="_blank"
      rel="noopener noreferrer"
    >
      {source.address}
    </a>
    {source.quotes.map((quote, index) => (
      <p key={index} className="said ps-4 italic">
        “{quote}”
      </p>
    ))}
    {source.unchecked !== undefined && <p className="ps-4">Quotes not looked up: {source.unchecked}</p>}
  </li>
)

export const Sources = () => {
  const { session } = useStage()
  const { sources = [], searchFailed, question } = session
  if (searchFailed)
    return <p className="text-sm text-soft">The web search failed: {failureWords(searchFailed)}</p>
  if (sources.length === 0) return null
  return (
    <details className="text-sm text-soft">
      <summary>
        {sourcesTitle}: {sources.length}
      </summary>
      <ul className="mt-1 space-y-2">
        {sources.map((one, index) => (
          <Entry key={one.address} source={one} head={sourceHead(one, index, question.attachments.length)} />
        ))}
      </ul>
    </details>
  )
}
