/** One book: a letter at a time in a readable column, with its reading order and the common thread. */

import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { fold } from '../core/fold.ts'
import { type Session, seatOf } from '../core/session.ts'
import { type BookLetter, lettersIn } from '../count/letters.ts'
import { fetchSession, sessionPath } from '../web/kit/api.ts'
import { useTitle } from '../web/kit/controls.tsx'
import { Button, buttonClass, Failed, Notice, Waiting } from '../web/kit/frame.tsx'
import { LateMarkdown } from '../web/kit/session-parts.tsx'
import {
  bookLine,
  bookTitle,
  commonThread,
  letterNote,
  readingOrder,
  readingOrderHint,
} from '../words/story.ts'

// reader: The letters of a book, one at a time: by links, by the arrow keys, or all on paper.

interface ReaderProps {
  readonly session: Session
  readonly letters: readonly BookLetter[]
}

/** Keys belong to whoever types, and to an open dialog. */
const isTaken = (event: KeyboardEvent): boolean =>
  event.defaultPrevented ||
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  event.shiftKey ||
  (event.target instanceof Element && event.target.closest('input, textarea, select, dialog') !== null)

/** A place in the book: a letter, or after all of them the common thread. */
const usePlace = (count: number) => {
  const [place, setPlace] = useState(0)
  const shown = useRef(0)
  const top = useRef<HTMLElement>(null)
  useEffect(() => {
    if (shown.current === place) return
    shown.current = place
    top.current?.focus({ preventScroll: true })
    top.current?.scrollIntoView({ block: 'start' })
  }, [place])
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      if (step === undefined || isTaken(event)) return
      event.preventDefault()
      // A second key may come before the first is drawn: it turns from the place that is to be shown.
      setPlace(from => Math.min(Math.max(from + step, 0), count - 1))
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [count])
  return { place, go: setPlace, top }
}

const Letter = ({
  session,
  letter,
  number,
  of,
}: {
  readonly session: Session
  readonly letter: BookLetter
  readonly number: number
  readonly of: number
}) => {
  const note = letterNote(letter, seat => seatOf(session, seat).name)
  return (
    <>
      <p className="text-sm text-soft">
        Letter {number} of {of}
      </p>
      <h2 className="said mt-1 text-2xl font-semibold wrap-anywhere">{letter.from}</h2>
      <div className="mt-5 text-lg leading-relaxed">
        <LateMarkdown text={letter.text} language={letter.language} />
      </div>
      {note && <p className="mt-5 text-sm text-soft">{note}.</p>}
    </>
  )
}

const Thread = ({ session: { report } }: { readonly session: Session }) => (
  <>
    <h2 className="said text-2xl font-semibold">{commonThread}</h2>
    <div className="mt-5 text-lg leading-relaxed">
      <LateMarkdown text={report?.answer ?? 'The book is still being written.'} />
    </div>
    {report?.summary && (
      <div className="mt-5 leading-relaxed">
        <LateMarkdown text={report.summary} />
      </div>
    )}
  </>
)

export const Reader = ({ session, letters }: ReaderProps) => {
  const titles = [...letters.map(({ from }) => from), commonThread]
  const { place, go, top } = usePlace(titles.length)
  const letter = letters[place]
  return (
    <>
      <nav aria-label={readingOrder} className="mt-8 print:hidden">
        <h2 className="label">{readingOrder}</h2>
        <p className="mt-1 text-sm text-soft">{readingOrderHint}</p>
        <ol className="mt-3 divide-y divide-line border-y border-line">
          {titles.map((title, index) => (
            <li key={letters[index]?.seat ?? 'thread'}>
              <button
                type="button"
                aria-current={index === place ? 'true' : undefined}
                onClick={() => go(index)}
                className={`flex w-full gap-3 px-2 py-2.5 text-left hover:text-accent ${index === place ? 'bg-shade' : ''}`}
              >
                <span className="w-5 shrink-0 text-soft tabular-nums">
                  {index < letters.length ? index + 1 : ''}
                </span>
                <span className="min-w-0">
                  <span className="block font-medium wrap-anywhere">{title}</span>
                  {letters[index] && (
                    <span className="block text-sm wrap-anywhere text-soft" dir="auto">
                      {letters[index].headline}
                    </span>
                  )}
                </span>
              </button>
            </li>
          ))}
        </ol>
        <p className="mt-2 hidden text-sm text-soft sm:block">Turn pages with the arrow keys ← and →.</p>
      </nav>
      <article
        ref={top}
        tabIndex={-1}
        aria-label={titles[place]}
        className="mt-10 scroll-mt-20 outline-none print:hidden"
      >
        {letter ? (
          <Letter session={session} letter={letter} number={place + 1} of={letters.length} />
        ) : (
          <Thread session={session} />
        )}
      </article>
      <p className="mt-10 flex justify-between gap-3 border-t border-line pt-4 print:hidden">
        <Button disabled={place === 0} onClick={() => go(place - 1)}>
          ← Previous
        </Button>
        <Button disabled={place === titles.length - 1} onClick={() => go(place + 1)}>
          Next →
        </Button>
      </p>
      <div className="hidden print:block">
        {letters.map((one, index) => (
          <article key={one.seat} className="break-before-page">
            <Letter session={session} letter={one} number={index + 1} of={letters.length} />
          </article>
        ))}
        <article className="break-before-page">
          <Thread session={session} />
        </article>
      </div>
    </>
  )
}

const Exports = ({ id }: { id: string }) => (
  <p className="flex flex-wrap gap-2 print:hidden">
    {(['html', 'markdown'] as const).map(format => (
      <a key={format} className={buttonClass('quiet')} href={`${sessionPath(id)}/export/${format}`}>
        {format === 'html' ? 'Save as web page' : 'Save as Markdown'}
      </a>
    ))}
    <Link to="/s/$id" params={{ id }} className={buttonClass('quiet')}>
      Go to the session
    </Link>
  </p>
)

const Book = ({ session }: { session: Session }) => {
  const letters = useMemo(() => lettersIn(session), [session])
  useTitle(bookTitle(session))
  return (
    <div className="mx-auto max-w-2xl px-4 pt-6 pb-20 sm:px-6 sm:pt-10">
      <header className="border-b border-line pb-6">
        <p className="text-sm print:hidden">
          <Link to="/letters" className="text-accent underline underline-offset-2">
            All books
          </Link>
        </p>
        <h1 className="said mt-3 text-3xl font-semibold tracking-tight">{bookTitle(session)}</h1>
        <p className="mt-2 wrap-anywhere text-soft">{bookLine(letters)}</p>
        <details className="mt-3">
          <summary className="text-sm font-medium text-soft">What they were asked</summary>
          <p className="said mt-2 whitespace-pre-wrap wrap-anywhere" dir="auto">
            {session.question.text}
          </p>
        </details>
        <div className="mt-3">
          <Exports id={session.id} />
        </div>
      </header>
      <Reader session={session} letters={letters} />
    </div>
  )
}

export const Page = () => {
  const { id = '' } = useParams({ strict: false })
  const { data, error } = useQuery({ queryKey: ['session', id], queryFn: () => fetchSession(id) })
  const session = useMemo(() => data && fold(data.events), [data])
  if (error && !session) return <Failed title="This book can’t be shown" error={error} />
  if (!session) return <Waiting what="Opening the book" />
  if (session.book) return <Book key={id} session={session} />
  return (
    <Notice title="This session isn’t a book">
      <Link to="/s/$id" params={{ id }} className="text-accent underline underline-offset-2">
        Show the session
      </Link>
    </Notice>
  )
}
