/** A seat for one more person: the person who watches, or anyone with the link. */

import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { Session } from '../../core/session.ts'
import { stageOf } from '../../words/progress.ts'
import { joinTable, sayWord } from '../kit/api.ts'
import { inputClass } from '../kit/controls.tsx'
import { FieldDialog } from '../kit/dialogs.tsx'
import { Button, Problem } from '../kit/frame.tsx'
import { useMutation } from '../kit/mutation.ts'
import { useSeen, useStage } from './stage.tsx'

export const Join = ({ id, over }: { id: string; over: boolean }) => {
  const client = useQueryClient()
  const [joining, setJoining] = useState(false)
  return (
    <div>
      <Button disabled={over} onClick={() => setJoining(true)}>
        Join the next round
      </Button>
      {joining && (
        <FieldDialog
          title="Join the table"
          label="Name"
          hint="You, or anyone with the link. The seat is asked from the next round on."
          required
          save={async name => {
            await joinTable(id, { name })
            void client.invalidateQueries({ queryKey: ['people', id] })
            void client.invalidateQueries({ queryKey: ['session', id] })
          }}
          onClose={() => setJoining(false)}
        />
      )}
    </div>
  )
}

// say: A box under the table: the person who asked adds a fact, a constraint or a question for the next round.

export const Say = ({ session, over }: { session: Session; over: boolean }) => {
  const [words, setWords] = useState('')
  const [to, setTo] = useState('')
  const id = useId()
  const { mutate, error, isPending, isSuccess, reset } = useMutation({
    mutationFn: () => sayWord(session.id, { words, ...(to && { to }) }),
    onSuccess: () => setWords(''),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (words.trim() !== '' && !isPending) mutate()
  }
  return (
    <form onSubmit={submit} className="space-y-2">
      <label htmlFor={id} className="label block">
        A word to the table
      </label>
      <textarea
        id={id}
        rows={2}
        dir="auto"
        disabled={over}
        className={inputClass}
        placeholder="A fact, a constraint or a question"
        value={words}
        onChange={event => {
          reset()
          setWords(event.target.value)
        }}
      />
      <p className="flex flex-wrap items-center gap-2">
        <select
          aria-label="Who should read it"
          value={to}
          disabled={over}
          onChange={event => setTo(event.target.value)}
          className={`${inputClass} max-w-52 py-1! text-sm!`}
        >
          <option value="">To every seat</option>
          {session.seats.map(({ id: seat, alias, name }) => (
            <option key={seat} value={seat}>
              To {alias}, {name}
            </option>
          ))}
        </select>
        <Button type="submit" disabled={over || isPending || words.trim() === ''}>
          Say it
        </Button>
      </p>
      <p role="status" className="min-h-5 text-sm text-soft">
        {over
          ? 'No round follows.'
          : isSuccess
            ? 'Said. Seats read it in the next round, and the report tells it.'
            : 'Seats read it in the next round.'}
      </p>
      {error && <Problem error={error} />}
    </form>
  )
}

// people: Under the table, while a session runs: a word of the asker, and a seat for one more person.

export default function PeoplePanel() {
  const { live, session } = useStage()
  const latest = live.state().session ?? session
  // While the report is written, no round follows that a word or a person could be part of.
  const over = stageOf(useSeen(latest)) === 'report'
  return (
    <section aria-label="What you can add" className="space-y-4 border-t border-line pt-4 print:hidden">
      <Say session={latest} over={over} />
      <Join id={latest.id} over={over} />
    </section>
  )
}
