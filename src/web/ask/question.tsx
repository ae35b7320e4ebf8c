/** The question on the page: its box, what its format needs, the estimate, and the button that asks. */

import { Link } from '@tanstack/react-router'
import { type ClipboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { EstimateReply } from '../../api/table.ts'
import { usualCarry } from '../../core/opening.ts'
import { type Format, formats, longestQuestion, textWords } from '../../core/question.ts'
import { carryTitles, estimateText, passagesText, unseenNote } from '../../words/asking.ts'
import { DropZone, FileButton } from '../kit/dialogs.tsx'
import { Choice, Field, inputClass, TextField } from '../kit/fields.tsx'
import { Button, Problem } from '../kit/frame.tsx'
import { Attachments, attachFiles, notesInSight, Sharpen, Unseen } from './details.tsx'
import { type AskForm, emptyForm, type FormProps, keepsFiles, useEstimate } from './form-data.ts'

// estimate: The estimate of calls, tokens, cost and time. It follows every choice on the page.

const Notes = ({ notes }: { notes: readonly string[] }) => {
  const count = notesInSight(notes)
  const words = notes.slice(0, count).join(' ')
  if (count === notes.length) return words === '' ? null : <p className="mt-1 text-xs text-soft">{words}</p>
  return (
    <details className="group mt-1 text-xs text-soft">
      <summary className="list-none">
        {words}{' '}
        <span className="font-medium whitespace-nowrap underline underline-offset-2">
          {notes.length - count} more
          <span aria-hidden="true" className="ml-1 inline-block group-open:rotate-180">
            ▾
          </span>
        </span>
      </summary>
      {notes.slice(count).map(note => (
        <p key={note} className="mt-1">
          {note}
        </p>
      ))}
    </details>
  )
}

interface EstimateProps {
  readonly form: AskForm
  change(change: Partial<AskForm>): void
}

export const Estimate = ({ form, change }: EstimateProps) => {
  const { data, error, whole } = useEstimate(form)
  if ((form.seats?.length ?? 0) === 0) return null
  if (error && whole) return <p className="line-clamp-3 text-sm break-words text-bad">{error.message}</p>
  if (!data) return <p className="text-sm text-soft">{whole ? 'Estimating…' : ''}</p>
  // It stands beside the attachments.
  const unseen = data.unseen && unseenNote(data.unseen)
  return (
    <div>
      <EstimateFigures estimate={data} />
      {data.excerpts && (
        <label className="mt-1 flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={form.excerpts ?? false}
            onChange={event => change({ excerpts: event.target.checked })}
          />
          Give all seats excerpts: {passagesText(data.excerpts)}
        </label>
      )}
      <Notes notes={data.notes.filter(note => note !== unseen)} />
    </div>
  )
}

// askBar: The bar at the bottom of the window: the estimate, and the button that asks, or why it can't yet.

interface AskBarProps {
  readonly form: AskForm
  /** Why the question can't be asked yet. */
  readonly obstacle: string | undefined
  readonly pending: boolean
  readonly error: Error | null
  change(change: Partial<AskForm>): void
  onAsk(): void
  /** Nothing can answer yet: leads to the ways to start, which are far above. */
  readonly onWays: (() => void) | undefined
}

export const AskBar = ({ form, change, obstacle, onAsk, onWays, pending, error }: AskBarProps) => (
  <div className="sticky bottom-0 z-20 border-t border-line bg-paper/95 py-3 backdrop-blur">
    <div className="mx-auto max-w-5xl px-4 sm:px-6">
      {error && (
        <div className="mb-2">
          <Problem error={error} />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 grow basis-60">
          <Estimate form={form} change={change} />
        </div>
        <div className="ml-auto flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
          <p id="obstacle" className={`text-right text-sm text-soft ${error ? 'sr-only' : ''}`}>
            {obstacle ?? <kbd className="hidden font-sans text-xs md:inline">Ctrl + Enter</kbd>}
          </p>
          {onWays && (
            <button
              type="button"
              className="text-sm font-medium text-accent underline underline-offset-2"
              onClick={onWays}
            >
              See the ways to start
            </button>
          )}
          <Button
            kind="primary"
            className="min-h-11 shrink-0 px-6 text-base aria-disabled:opacity-50"
            disabled={pending}
            aria-disabled={obstacle !== undefined}
            aria-describedby="obstacle"
            onClick={onAsk}
          >
            {pending ? 'Asking…' : 'Ask the table'}
          </Button>
        </div>
      </div>
    </div>
  </div>
)

// examples: Questions to begin with, each in another format.

type Example = Pick<AskForm, 'question' | 'format'> & Partial<AskForm>

const examples: readonly Example[] = [
  { question: 'Should a team of five split its application into microservices?', format: 'open' },
  { question: 'Is a hot dog a sandwich?', format: 'choice', options: 'Yes\nNo' },
  {
    question: 'How many piano tuners work in Chicago?',
    format: 'number',
    unit: 'piano tuners',
    scale: 'log',
  },
]

const { options, unit, scale, tolerance, words } = emptyForm
/** An example belongs to no session and no template. */
const cleared = { forkedFrom: undefined, after: undefined, extra: undefined }

export const Examples = ({ onChoose }: { onChoose: (change: Partial<AskForm>) => void }) => (
  <div className="text-center text-sm">
    <h2 id="examples" className="label mb-2">
      Or try one of these
    </h2>
    <ul aria-labelledby="examples" className="flex flex-wrap justify-center gap-2">
      {examples.map(example => (
        <li key={example.question}>
          <button
            type="button"
            className="rounded-2xl border border-line px-3.5 py-1.5 text-left hover:border-edge"
            onClick={() => onChoose({ options, unit, scale, tolerance, words, ...cleared, ...example })}
          >
            {example.question}
          </button>
        </li>
      ))}
    </ul>
  </div>
)

// formatFields: What else a format asks for: options, a unit, a length.

interface FormatProps {
  readonly form: AskForm
  change(change: Partial<AskForm>): void
}

const OptionFields = ({ form, change }: FormatProps) => (
  <Field label={form.format === 'choice' ? 'Options, one per line' : 'Options to rank, one per line'}>
    {id => (
      <textarea
        id={id}
        rows={Math.max(3, form.options.split('\n').length)}
        value={form.options}
        placeholder={'Yes\nNo'}
        onChange={event => change({ options: event.target.value })}
        className={inputClass}
      />
    )}
  </Field>
)

const NumberFields = ({ form, change }: FormatProps) => (
  <div className="flex flex-wrap items-end gap-3">
    <div className="w-48">
      <TextField
        label="Unit"
        value={form.unit}
        placeholder="dollars, years, °C"
        onChange={event => change({ unit: event.target.value })}
      />
    </div>
    <div className="w-48">
      <TextField
        label="Tolerance"
        value={form.tolerance}
        placeholder="5 or 10%"
        title="Numbers this close count as the same."
        onChange={event => change({ tolerance: event.target.value })}
      />
    </div>
    <Choice
      label="Scale"
      value={form.scale}
      options={[
        { value: 'linear', label: 'Linear scale' },
        { value: 'log', label: 'Logarithmic scale' },
      ]}
      onChange={scale => change({ scale })}
    />
  </div>
)

const TextFields = ({ form, change }: FormatProps) => (
  <div className="flex flex-wrap items-end gap-3">
    <div className="w-48">
      <TextField
        label="Length in words"
        inputMode="numeric"
        value={form.words}
        placeholder={`about ${textWords.usual}`}
        onChange={event => change({ words: event.target.value })}
      />
    </div>
    <label className="flex items-center gap-2 py-2">
      <input
        type="checkbox"
        checked={form.byIntent}
        onChange={event => change({ byIntent: event.target.checked })}
      />
      Group the texts by what they want
    </label>
  </div>
)

export const FormatFields = ({ form, change }: FormatProps) => {
  switch (form.format) {
    case 'open':
      return null
    case 'choice':
    case 'ranking':
      return <OptionFields form={form} change={change} />
    case 'number':
      return <NumberFields form={form} change={change} />
    case 'text':
      return <TextFields form={form} change={change} />
    default:
      return form.format satisfies never
  }
}

// questionBox: The box for the question, in the middle of the table.

const formatWords: Record<Format, string> = {
  open: 'Open',
  choice: 'Choice',
  ranking: 'Ranking',
  number: 'Number',
  text: 'Text',
}

interface QuestionBoxProps extends FormProps {
  readonly focused: boolean
}

export const QuestionBox = ({ form, change, focused }: QuestionBoxProps) => {
  const [problems, setProblems] = useState<readonly string[]>([])
  /** Reading takes a moment, and the form may change meanwhile. */
  const latest = useRef(form)
  useLayoutEffect(() => {
    latest.current = form
  }, [form])
  const attach = async (files: readonly File[]): Promise<void> => {
    change({ reading: true })
    const read = await attachFiles(files)
    setProblems(read.problems)
    change({ attachments: [...latest.current.attachments, ...read.attachments], reading: false })
  }
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const files = [...event.clipboardData.files]
    // Office puts a picture of the text beside the text: then the text is meant.
    if (files.length === 0 || event.clipboardData.getData('text/plain') !== '') return
    event.preventDefault()
    void attach(files)
  }
  const lines = form.question.split('\n').length + Math.floor(form.question.length / 70)
  return (
    <DropZone
      hint="Drop to attach"
      onFiles={attach}
      className="card rounded-[2rem] border-2 px-4 py-8 shadow-sm focus-within:border-edge sm:rounded-[2.5rem] sm:px-8 sm:py-9"
    >
      <label htmlFor="question" className="sr-only">
        Your question
      </label>
      <textarea
        id="question"
        // biome-ignore lint/a11y/noAutofocus: the page is for asking, and this is where the question goes
        autoFocus={focused}
        dir="auto"
        rows={Math.min(14, Math.max(3, lines + 1))}
        maxLength={longestQuestion}
        value={form.question}
        onChange={event => change({ question: event.target.value })}
        onPaste={paste}
        placeholder="What do you want to know?"
        className="said field-sizing-content max-h-[60dvh] min-h-[3lh] w-full resize-y bg-transparent text-xl leading-snug outline-none placeholder:text-soft sm:text-[1.75rem]"
      />
      <div className="space-y-3">
        <FormatFields form={form} change={change} />
        <Attachments attachments={form.attachments} onChange={attachments => change({ attachments })} />
        <Unseen form={form} />
        {form.reading && (
          <p role="status" className="text-sm text-soft">
            Reading…
          </p>
        )}
        {!keepsFiles(form) && (
          <p className="text-sm text-soft">
            These files are large: attach them again if you reload the page.
          </p>
        )}
        {problems.map(problem => (
          <p key={problem} role="alert" className="text-sm text-bad">
            {problem}
          </p>
        ))}
        <div>
          <p aria-hidden="true" className="label mb-1">
            Format of the answer
          </p>
          <div className="flex flex-wrap items-center gap-2">
            <Choice
              label="Format of the answer"
              value={form.format}
              options={formats.map(value => ({ value, label: formatWords[value] }))}
              onChange={format => change({ format })}
            />
            <FileButton label="Attach" kind="quiet" onFiles={attach} />
            <Sharpen form={form} change={change} />
          </div>
        </div>
      </div>
    </DropZone>
  )
}

// formNotes: What the form holds without a field of its own: that it is a fork, and what a template asks of the seats.

const Note = ({
  label,
  onRemove,
  children,
}: {
  label: string
  onRemove: () => void
  children: ReactNode
}) => (
  <p className="flex items-start justify-center gap-2 text-sm text-soft">
    <span className="min-w-0 wrap-anywhere">{children}</span>
    <button type="button" aria-label={label} className="shrink-0 px-1 hover:text-bad" onClick={onRemove}>
      ✕
    </button>
  </p>
)

export const FormNotes = ({ form: { forkedFrom, after, extra }, change }: FormProps) => {
  const { instruction } = extra ?? {}
  return (
    <>
      {forkedFrom !== undefined && (
        <Note
          label="Don’t link this question to the other session"
          onRemove={() => change({ forkedFrom: undefined })}
        >
          This will be a fork of{' '}
          <Link to="/s/$id" params={{ id: forkedFrom }} className="font-medium text-accent hover:underline">
            session {forkedFrom}
          </Link>
          , from the start.
        </Note>
      )}
      {after && (
        <Note label="Don’t ask on after that session" onRemove={() => change({ after: undefined })}>
          A follow-up, too: the seats are told {carryTitles[after.carry ?? usualCarry]} of{' '}
          <Link
            to="/s/$id"
            params={{ id: after.session }}
            className="font-medium text-accent hover:underline"
          >
            the session before
          </Link>
          .
        </Note>
      )}
      {instruction !== undefined && (
        <Note
          label="Remove the instruction"
          onRemove={() => change({ extra: { ...extra, instruction: undefined } })}
        >
          Instruction to the seats: {instruction}
        </Note>
      )}
    </>
  )
}

// estimateFigures: Calls, tokens, cost and time of a session or a round, side by side.

export const EstimateFigures = ({ estimate }: { estimate: EstimateReply }) => (
  <>
    <p aria-hidden="true" className="label">
      Estimate
    </p>
    <dl aria-label="Estimate" className="grid grid-cols-2 gap-x-5 gap-y-1 sm:flex">
      {Object.entries(estimateText(estimate)).map(([label, value]) => (
        <div key={label} className="flex flex-col">
          <dd className="text-sm font-semibold whitespace-nowrap tabular-nums sm:text-base">{value}</dd>
          <dt className="order-last text-xs text-soft">{label}</dt>
        </div>
      ))}
    </dl>
  </>
)
