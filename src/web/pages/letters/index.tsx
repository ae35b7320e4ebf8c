/** The reading room: every book of letters, and a way to ask for a new one. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { FoundReply } from '../../../api/index.ts'
import { dayText } from '../../../core/wording/dates.ts'
import { counted } from '../../../core/wording/numbers.ts'
import { useMay } from '../../account.ts'
import { findSessions } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Failed, Waiting } from '../../components/notice.tsx'
import { useTitle } from '../../components/title.ts'
import { AskForLetters } from './ask-for-letters.tsx'

const stateWords = ({ outcome, book }: FoundReply): string => {
  if (outcome === null) return 'being written'
  return book === 'sealed' ? 'sealed' : 'open'
}

const Book = ({ found }: { found: FoundReply }) => (
  <li>
    <Link to="/letters/$id" params={{ id: found.id }} className="card block p-4 hover:border-edge sm:p-5">
      <span className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm text-soft">
        <time dateTime={found.openedAt}>{dayText(found.openedAt)}</time>
        <span>
          {counted(found.models.length, 'model')} · {stateWords(found)}
        </span>
      </span>
      <span className="said mt-2 line-clamp-3 block wrap-anywhere" dir="auto">
        {found.question}
      </span>
      <span className="mt-2 block text-sm wrap-anywhere text-soft">{found.models.join(', ')}</span>
    </Link>
  </li>
)

const Empty = () => (
  <p className="card max-w-prose p-6 text-soft">
    There are no books yet. Ask your models for letters to their successors: each writes alone, reads the
    others, and may rewrite its own.
  </p>
)

export const Page = () => {
  useTitle('Letters')
  const [asking, setAsking] = useState(false)
  const mayAsk = useMay('ask')
  const { data, error } = useQuery({
    queryKey: ['books'],
    queryFn: () => findSessions(new URLSearchParams({ books: 'true', limit: '200' })),
  })
  if (error && !data) return <Failed title="The books can’t be read" error={error} />
  if (!data) return <Waiting what="Looking for books" />
  return (
    <div className="mx-auto max-w-3xl space-y-6 px-4 pt-6 pb-16 sm:px-6 sm:pt-10">
      <header className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h1 className="said text-3xl font-semibold tracking-tight">Letters</h1>
          <p className="mt-1 text-soft">Books that models wrote for their successors.</p>
        </div>
        {mayAsk && (
          <Button kind="primary" onClick={() => setAsking(true)}>
            Ask for letters
          </Button>
        )}
      </header>
      {data.sessions.length === 0 ? (
        <Empty />
      ) : (
        <ul aria-label="Books" className="space-y-3">
          {data.sessions.map(found => (
            <Book key={found.id} found={found} />
          ))}
        </ul>
      )}
      {asking && <AskForLetters onClose={() => setAsking(false)} />}
    </div>
  )
}
