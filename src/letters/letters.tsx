/** Asks a table for a new book of letters. */

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { FoundReply } from '../api/sessions.ts'
import { counted, dayText } from '../core/basics.ts'
import { letterTask } from '../core/opening.ts'
import { askTable, fetchLineups, findSessions, useMay } from '../web/kit/api.ts'
import { useTitle } from '../web/kit/controls.tsx'
import { Field, inputClass, SelectField } from '../web/kit/fields.tsx'
import { Button, Dialog, Failed, Problem, Waiting } from '../web/kit/frame.tsx'
import { useMutation } from '../web/kit/mutation.ts'

const usual = ''

export const AskForLetters = ({ onClose }: { onClose: () => void }) => {
  const navigate = useNavigate()
  const [about, setAbout] = useState('')
  const [lineup, setLineup] = useState(usual)
  const { data } = useQuery({ queryKey: ['lineups'], queryFn: fetchLineups })
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      askTable({
        question: letterTask(about),
        book: {},
        ...(lineup !== usual && { lineup }),
      }),
    onSuccess: ({ id }) => navigate({ to: '/s/$id', params: { id } }),
  })
  const tables = (data?.lineups ?? []).filter(({ seats }) => seats.length > 0)
  return (
    <Dialog title="Ask for letters" onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={event => {
          event.preventDefault()
          mutate()
        }}
      >
        <p className="text-soft">
          Each model writes a letter to its successor, reads the others’, and may rewrite its own.
        </p>
        <SelectField
          label="Who writes"
          value={lineup}
          options={[
            { value: usual, label: 'The default table' },
            ...tables.map(({ name, label }) => ({ value: name, label })),
          ]}
          onChange={setLineup}
        />
        <Field label="What about (optional)">
          {id => (
            <textarea
              id={id}
              rows={3}
              value={about}
              maxLength={10_000}
              onChange={event => setAbout(event.target.value)}
              className={inputClass}
            />
          )}
        </Field>
        {error && <Problem error={error} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={isPending}>
            Ask
          </Button>
        </p>
      </form>
    </Dialog>
  )
}

// letters: The reading room: every book of letters, and a way to ask for a new one.

const Book = ({ found }: { found: FoundReply }) => (
  <li>
    <Link to="/letters/$id" params={{ id: found.id }} className="card block p-4 hover:border-edge sm:p-5">
      <span className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm text-soft">
        <time dateTime={found.openedAt}>{dayText(found.openedAt)}</time>
        <span>
          {counted(found.models.length, 'model')}
          {found.outcome === null && ' · being written'}
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
