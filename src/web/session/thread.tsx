/** The whole thread at the end of the page: what this session follows, and what follows it. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { type Carry, carries, usualCarry } from '../../core/opening.ts'
import { longestQuestion } from '../../core/question.ts'
import { verdictOf } from '../../count/verdict.ts'
import { depthIn, linkTitles, threadTitle } from '../../words/asking.ts'
import { askTable, fetchThread } from '../kit/api.ts'
import { inputClass } from '../kit/fields.tsx'
import { Button, Problem } from '../kit/frame.tsx'
import { useMutation } from '../kit/mutation.ts'
import { useStage } from './stage.tsx'

// askOn: The box under the verdict: the next question to the same table, and what its seats are told of this one.

/** Short enough for the narrowest phone, which would cut them. */
const carryWords: Readonly<Record<Carry, string>> = {
  camps: 'Verdict, camps, dissent',
  verdict: 'The verdict',
  none: 'Nothing',
}

interface CarryFieldProps {
  readonly value: Carry
  /** Otherwise there are neither camps nor dissent to tell of. */
  readonly hasVerdict: boolean
  onChange(carry: Carry): void
}

const CarryField = ({ value, hasVerdict, onChange }: CarryFieldProps) => {
  const id = useId()
  const told = (carry: Carry): string =>
    hasVerdict || carry === 'none' ? carryWords[carry] : 'What came of it'
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <label htmlFor={id} className="text-soft">
        The seats are told
      </label>
      <select
        id={id}
        value={value}
        onChange={event => onChange(event.target.value as Carry)}
        className="min-h-9 max-w-full rounded-lg border border-edge bg-surface px-2"
      >
        {['camps' as const, ...carries.filter(carry => carry !== 'camps')]
          .filter(carry => hasVerdict || carry !== 'verdict')
          .map(carry => (
            <option key={carry} value={carry}>
              {told(carry)}
            </option>
          ))}
      </select>
    </p>
  )
}

/** It stands there while the session runs, too, so that nothing moves when it is over. */
export const AskOn = () => {
  const { live, session: shown, may } = useStage()
  const latest = live.state().session ?? shown
  const navigate = useNavigate()
  const queries = useQueryClient()
  const id = useId()
  const [question, setQuestion] = useState('')
  const [carry, setCarry] = useState<Carry>(usualCarry)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => askTable({ question, after: latest.id, carry }),
    onSuccess: async opened => {
      await queries.invalidateQueries({ queryKey: ['thread'] })
      await navigate({ to: '/s/$id', params: { id: opened.id } })
    },
  })
  if (!may('fork-session')) return null
  const isOver = latest.outcome !== undefined
  const { level } = verdictOf(latest)
  const hasVerdict = level !== null && level !== 'no-quorum'
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isOver && question.trim() !== '') mutate()
  }
  return (
    <section aria-labelledby={`${id}-title`} className="card p-4 sm:p-6 print:hidden">
      <h2 id={`${id}-title`} className="label mb-2">
        Ask a follow-up
      </h2>
      <form onSubmit={submit} className="space-y-3">
        <label htmlFor={id} className="sr-only">
          The next question to this table
        </label>
        <textarea
          id={id}
          dir="auto"
          rows={2}
          maxLength={longestQuestion}
          value={question}
          disabled={!isOver}
          onChange={event => setQuestion(event.target.value)}
          placeholder={
            isOver
              ? 'The next question, to the same table'
              : 'You can ask a follow-up when the session is over'
          }
          className={`${inputClass} said resize-y text-lg disabled:opacity-70`}
        />
        {error && <Problem error={error} />}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <CarryField value={carry} hasVerdict={hasVerdict} onChange={setCarry} />
          <Button type="submit" kind="primary" disabled={!isOver || isPending || question.trim() === ''}>
            {isPending ? 'Asking…' : 'Ask'}
          </Button>
        </div>
      </form>
    </section>
  )
}

/** Rem. Deeper ones would leave no room for words on a phone. */
const deepest = 6

export const Thread = () => {
  const { session, readOnly } = useStage()
  const { data } = useQuery({
    queryKey: ['thread', session.id],
    queryFn: () => fetchThread(session.id),
    enabled: !readOnly,
  })
  const thread = data?.sessions ?? []
  if (thread.length < 2) return null
  return (
    <section aria-labelledby="thread" className="space-y-4">
      <h2 id="thread" className="said text-2xl font-semibold">
        {threadTitle}
      </h2>
      <ol className="card divide-y divide-line">
        {thread.map(one => {
          const isHere = one.id === session.id
          return (
            <li
              key={one.id}
              aria-current={isHere ? 'page' : undefined}
              className="p-3 sm:p-4"
              style={{ paddingInlineStart: `${1 + Math.min(deepest, depthIn(thread, one))}rem` }}
            >
              <p className="text-xs text-soft">
                {one.link ? linkTitles[one.link] : 'First question'}
                {isHere && ' · this session'}
              </p>
              <p className="said wrap-anywhere" dir="auto">
                {isHere ? (
                  <span className="font-semibold">{one.question}</span>
                ) : (
                  <Link to="/s/$id" params={{ id: one.id }} className="hover:underline">
                    {one.question}
                  </Link>
                )}
              </p>
              <p className="text-sm wrap-anywhere text-soft">{one.line ?? 'still running'}</p>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
