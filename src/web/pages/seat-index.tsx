/** The form of a person's answer: sealed at first, then with what became of the last one. */

import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { PersonSeatReply } from '../../api/sessions.ts'
import { weekdayTime } from '../../core/basics.ts'
import type { Format } from '../../core/question.ts'
import { formatNote, instructionNote } from '../../words/asking.ts'
import { answerSeat, fetchSeat, RequestRefused } from '../kit/api.ts'
import { useTitle } from '../kit/controls.tsx'
import { Field, inputClass, SelectField, TextField } from '../kit/fields.tsx'
import { Button, Failed, Notice, Problem, Waiting } from '../kit/frame.tsx'
import { useMutation } from '../kit/mutation.ts'
import { answerForm, missingIn, rawAnswer, reasonsFor, type Turn } from './seat.tsx'
import { type AnswerProps, Citations, Quotes, Reads, ValueField } from './seat-reads.tsx'

const reasonWords: Readonly<Record<string, string>> = {
  "a peer's point": 'What another seat said',
  'the objection': 'The objection',
  'my own error': 'I found a mistake of my own',
  'another reading': 'I read the question in another way',
  other: 'Something else',
}

/** What stays as it is, and what may still be worded anew. */
const keptWords: Readonly<Record<Format, string>> = {
  choice: 'Your choice stays. You may reword your sentence and your reasons.',
  ranking: 'Your order stays. You may reword your sentence and your reasons.',
  number: 'Your number stays. You may reword your sentence and your reasons.',
  text: 'Your text stays. You may reword your sentence and your reasons.',
  open: 'Your answer stays. You may reword it, and your reasons.',
}

const Decision = ({ form, change, asked }: AnswerProps) => (
  <fieldset>
    <legend className="label mb-2">Your last answer</legend>
    <div className="flex flex-wrap gap-2">
      {(['kept', 'changed'] as const).map(decision => (
        <label
          key={decision}
          className="flex cursor-pointer items-center gap-2 rounded-lg border border-line bg-surface px-3 py-2 has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="decision"
            className="accent-(--accent)"
            checked={form.decision === decision}
            onChange={() => change({ decision })}
          />
          {decision === 'kept' ? 'I keep it' : 'I change it'}
        </label>
      ))}
    </div>
    {form.decision === 'kept' && <p className="mt-2 text-sm text-soft">{keptWords[asked.format]}</p>}
    {form.decision === 'changed' && (
      <div className="mt-3 max-w-sm">
        <SelectField
          label="What changed your mind?"
          value={form.reason}
          options={reasonsFor(asked.format).map(value => ({ value, label: reasonWords[value] ?? value }))}
          onChange={reason => change({ reason })}
        />
      </div>
    )}
  </fieldset>
)

const Words = ({ form, change, asked }: AnswerProps) => (
  <>
    <TextField
      label={asked.format === 'text' ? 'What your text says, in one sentence' : 'Your answer in one sentence'}
      dir="auto"
      maxLength={400}
      value={form.headline}
      onChange={event => change({ headline: event.target.value })}
    />
    <Field label="Your reasons">
      {id => (
        <textarea
          id={id}
          rows={6}
          dir="auto"
          className={inputClass}
          value={form.reasoning}
          onChange={event => change({ reasoning: event.target.value })}
        />
      )}
    </Field>
    {asked.format !== 'text' && (
      <div className="grid gap-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
        <TextField
          label="How sure, in %"
          type="number"
          min={0}
          max={100}
          placeholder="–"
          value={form.confidence}
          onChange={event => change({ confidence: event.target.value })}
        />
        <TextField
          label="What would change your mind (if you like)"
          dir="auto"
          value={form.wouldChangeMind}
          onChange={event => change({ wouldChangeMind: event.target.value })}
        />
      </div>
    )}
  </>
)

interface AnswerFormProps {
  readonly token: string
  readonly question: PersonSeatReply['question']
  readonly turn: Turn
  onHandedIn(): Promise<unknown>
}

export const AnswerForm = ({ token, question: asked, turn, onHandedIn }: AnswerFormProps) => {
  const open = turn.last !== null
  const [form, setForm] = useState(() => answerForm(turn.last, asked))
  const [tried, setTried] = useState(false)
  const change = (part: Partial<typeof form>): void => setForm(before => ({ ...before, ...part }))
  const missing = missingIn(form, asked)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => answerSeat(token, { round: turn.round, answer: rawAnswer(form, asked, open) }),
    onSuccess: onHandedIn,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if (missing === undefined && !isPending) mutate()
  }
  const props = { form, change, asked }
  const shown = tried && missing !== undefined ? new Error(missing) : error
  return (
    <form onSubmit={submit} noValidate className="card space-y-5 p-4 sm:p-6" aria-label="Your answer">
      <h2 className="said text-xl font-semibold">{open ? 'Your answer now' : 'Your answer'}</h2>
      {open && <Decision {...props} />}
      {turn.round > 0 && <Quotes {...props} />}
      <fieldset disabled={open && form.decision === 'kept'} className="space-y-5 disabled:opacity-70">
        <legend className="sr-only">What you answer</legend>
        <ValueField {...props} />
      </fieldset>
      <Words {...props} />
      <Citations {...props} turn={turn} />
      {shown && <Problem error={shown} />}
      <p className="flex flex-wrap items-center gap-3">
        <Button type="submit" kind="primary" disabled={isPending}>
          Hand it in
        </Button>
        <span className="text-sm text-soft">
          You can’t edit it later, but you may change your mind in the next round.
        </span>
      </p>
    </form>
  )
}

// seat: A person's seat behind its link: what they are asked, and their answer. It shows nothing else of the session.

/** Milliseconds. The table takes its time, so nobody needs to know sooner. */
const lookEvery = 3_000

const isGone = (error: Error | null): boolean => error instanceof RequestRefused && error.status === 404

/** What is going on while there is nothing to answer. */
const Pause = ({ handedIn }: Pick<PersonSeatReply, 'handedIn'>) => (
  <section className="card p-6" aria-live="polite">
    <h2 className="said text-xl font-semibold">{handedIn ? 'Your answer is in' : 'Nothing to answer now'}</h2>
    <p className="mt-2 text-soft">
      {handedIn
        ? 'The table goes on. If there is another round, it appears here. You may close this page and come back with the same link.'
        : 'The round has not begun, or its time is over. If there is another round, it appears here.'}
    </p>
  </section>
)

const turnWords = (round: number): string =>
  round === 0
    ? 'Answer on your own first. Nobody has read anybody yet: you see the others once you have handed in your answer.'
    : 'Read what the others think, then keep your answer or change it.'

const Seat = ({
  token,
  seat,
  again,
}: {
  token: string
  seat: PersonSeatReply
  again(): Promise<unknown>
}) => {
  const { question, turn } = seat
  useTitle(question.text)
  const notes = [formatNote(question), instructionNote(question)].filter(Boolean)
  return (
    <div className="mx-auto max-w-4xl space-y-6 px-4 pt-6 pb-24 sm:px-6 sm:pt-10">
      <header className="space-y-3">
        <p className="text-sm text-soft">
          {seat.name}, you hold Seat {seat.letter} at this table.
        </p>
        <h1 dir="auto" className="said text-2xl leading-tight font-semibold whitespace-pre-wrap sm:text-3xl">
          {question.text}
        </h1>
        {notes.map(note => (
          <p key={note} dir="auto" className="text-soft">
            {note}
          </p>
        ))}
        {turn && (
          <p>
            {turnWords(turn.round)}{' '}
            <span className="text-soft">You have until {weekdayTime(turn.deadline)}.</span>
          </p>
        )}
      </header>
      {turn ? (
        <>
          <Reads turn={turn} token={token} />
          <AnswerForm key={turn.round} token={token} question={question} turn={turn} onHandedIn={again} />
        </>
      ) : (
        <Pause handedIn={seat.handedIn} />
      )}
    </div>
  )
}

export const Page = () => {
  const { token = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery({
    queryKey: ['seat', token],
    queryFn: () => fetchSeat(token),
    refetchInterval: query => (isGone(query.state.error) ? false : lookEvery),
    retry: (failures, failure) => failures < 1 && !isGone(failure),
  })
  if (isGone(error))
    return (
      <Notice title="This seat is done">
        The session is over, the link was revoked, or it is incomplete. Ask whoever sent it to you.
      </Notice>
    )
  if (error && !data) return <Failed title="This seat can’t be loaded" error={error} />
  if (!data) return <Waiting what="Loading your seat" />
  return <Seat token={token} seat={data} again={refetch} />
}
