/** One book: a letter at a time in a readable column, with its reading order and the common thread. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { isSealedBook } from '../../../core/letters/book.ts'
import { bookLine, bookTitle } from '../../../core/letters/book-words.ts'
import { lettersIn } from '../../../core/letters/letters.ts'
import { fold, type Session } from '../../../core/log/state.ts'
import { fetchSession, sessionPath } from '../../api.ts'
import { buttonClass } from '../../components/button.tsx'
import { Failed, Notice, Waiting } from '../../components/notice.tsx'
import { useTitle } from '../../components/title.ts'
import { OpenBook } from './open-book.tsx'
import { Reader } from './reader.tsx'

const Exports = ({ id, sealed }: { id: string; sealed: boolean }) => (
  <p className="flex flex-wrap gap-2 print:hidden">
    {(sealed ? [] : (['html', 'markdown'] as const)).map(format => (
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
  const sealed = isSealedBook(session)
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
          <Exports id={session.id} sealed={sealed} />
        </div>
      </header>
      {sealed ? <OpenBook id={session.id} /> : <Reader session={session} letters={letters} />}
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
