/** A box under the table: the person who asked adds a fact, a constraint or a question for the next round. */
import { type FormEvent, useId, useState } from 'react'
import type { Session } from '../../../../core/log/state.ts'
import { sayWord } from '../../../api.ts'
import { Button } from '../../../components/button.tsx'
import { inputClass } from '../../../components/field.tsx'
import { useMutation } from '../../../components/mutation.ts'
import { Problem } from '../../../components/notice.tsx'

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
