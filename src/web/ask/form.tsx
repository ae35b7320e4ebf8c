/** The form on the page, and the request that is made from it. */

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ClipboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { AskBody } from '../../api/sessions.ts'
import type { EstimateReply, LineupsReply } from '../../api/table.ts'
import type { SeatInput } from '../../core/ask.ts'
import { type Kind, kindsFor } from '../../core/form.ts'
import { usualCarry } from '../../core/opening.ts'
import {
  type AttachmentWish,
  type Format,
  formats,
  isLength,
  longestQuestion,
  textWords,
} from '../../core/question.ts'
import { toleranceFrom } from '../../core/reply.ts'
import { carryTitles } from '../../words/story.ts'
import { passagesText, unseenNote } from '../../words/words.ts'
import { estimate } from '../kit/api.ts'
import { Choice, Field, inputClass, TextField, useSettled } from '../kit/controls.tsx'
import { DropZone, FileButton } from '../kit/dialogs.tsx'
import { Button, Problem } from '../kit/frame.tsx'
import { EstimateFigures } from '../kit/parts.tsx'
import { type AttachmentForm, Attachments, attachFiles, notesInSight, Sharpen, Unseen } from './details.tsx'
import { keepsFiles } from './draft.ts'

export type SeatWish = Exclude<SeatInput, string>

export interface SeatForm extends SeatWish {
  /** Tells two seats of the same model apart. */
  readonly key: string
}

export interface AskForm {
  readonly question: string
  readonly format: Format
  /** One per line. */
  readonly options: string
  readonly unit: string
  readonly scale: 'linear' | 'log'
  /** As written: "5" or "10%". Empty: it follows from the scale. */
  readonly tolerance: string
  /** The length of a text, as written. Empty: about 400. */
  readonly words: string
  /** Texts are grouped by what they want. */
  readonly byIntent: boolean
  /** Empty: the moderator decides. */
  readonly kind: Kind | ''
  readonly attachments: readonly AttachmentForm[]
  /** If they don't fit a model, all seats get passages of them. */
  readonly excerpts?: boolean
  /** A file is being read by the server. */
  readonly reading?: boolean
  /** Undefined until the default table is known. */
  readonly seats?: readonly SeatForm[]
  /** Names of people who get a seat beside the models. */
  readonly people: readonly string[]
  /** Seconds for a person's answer, as written; empty: an hour. */
  readonly personDeadline: string
  /** Empty: the default one. */
  readonly protocol: string
  /** Undefined: the protocol's default. */
  readonly rounds?: number
  readonly names: 'hidden' | 'shown'
  /** Empty: the language of the question. */
  readonly language: string
  /** Undefined: chosen by the server. Null: code writes the report. */
  readonly moderator?: string | null
  /** Dollars, as written. */
  readonly budget: string
  /** How many times as long as the others a seat may take; empty: the table waits for every seat. */
  readonly patience: string
  /** How the web is searched; empty: as it is configured. */
  readonly search: '' | 'off' | 'shared' | 'native'
  /** The session that this is a fork of, from its start. */
  readonly forkedFrom?: string
  /** The session that the forked one asked on after, and what its seats were told. */
  readonly after?: Pick<AskBody, 'carry'> & { readonly session: string }
  /** What a template says that has no field of its own here. */
  readonly extra?: Extra
  /** What the chosen line-up set besides its seats. Tells it apart from what the person changed since. */
  readonly brought?: Brought
}

export type Extra = Pick<AskBody, 'instruction' | 'deadline' | 'temperature' | 'effort' | 'fetch'>

/** What a line-up may set besides the seats. */
type Brought = Pick<AskForm, 'moderator' | 'rounds' | 'protocol'>

export const emptyForm: AskForm = {
  question: '',
  format: 'open',
  options: '',
  unit: '',
  scale: 'linear',
  tolerance: '',
  words: '',
  byIntent: false,
  kind: '',
  attachments: [],
  people: [],
  personDeadline: '',
  protocol: '',
  names: 'hidden',
  language: '',
  budget: '',
  patience: '',
  search: '',
}

let seated = 0

export const seatForm = (input: SeatInput): SeatForm => ({
  ...(typeof input === 'string' ? { model: input } : input),
  key: `seat ${seated++}`,
})

export const seatInput = ({ key: _key, brief, ...wish }: SeatForm): SeatWish => ({
  ...wish,
  ...(brief?.trim() && { brief: brief.trim() }),
})

/** A line-up replaces what the last line-up set, but never what the person chose. */
export const seatedBy = (
  { seats, moderator, rounds, protocol = '' }: LineupsReply['usual'],
  form: AskForm,
): Partial<AskForm> => {
  const brought: Brought = { moderator, rounds, protocol }
  const before: Brought = { protocol: '', ...form.brought }
  const kept = <Field extends keyof Brought>(field: Field): Brought[Field] =>
    form[field] === before[field] ? brought[field] : form[field]
  return {
    seats: seats.map(seatForm),
    moderator: kept('moderator'),
    rounds: kept('rounds'),
    protocol: kept('protocol'),
    brought,
  }
}

export const linesOf = (text: string): string[] =>
  text.split('\n').flatMap(line => (line.trim() === '' ? [] : [line.trim()]))

export const hasOptions = (format: Format): boolean => format === 'choice' || format === 'ranking'

const budgetOf = (text: string): number | undefined => {
  const dollars = Number(text.replace(/[$\s]/g, '').replace(',', '.'))
  return text.trim() !== '' && dollars > 0 ? dollars : undefined
}

/** The server reads a file again from its bytes: what was read before need not go along. */
const attachmentWish = (one: AttachmentForm): AttachmentWish =>
  one.data === undefined ? one : { name: one.name, data: one.data }

/** For an estimate, what was read is enough: the bytes stay here. */
export const withoutBytes = (form: AskForm): AskForm => ({
  ...form,
  attachments: form.attachments.map(({ data: _data, session: _session, ...read }) => read),
})

/** Fields that are left empty are left out: the server knows the defaults. */
export const bodyOf = (form: AskForm): AskBody => {
  const { format, unit, scale, attachments, seats = [], protocol, rounds, names, moderator } = form
  const budget = budgetOf(form.budget)
  return {
    question: form.question,
    format,
    names,
    ...(hasOptions(format) && { options: linesOf(form.options) }),
    ...(format === 'number' && { scale, ...(unit.trim() && { unit: unit.trim() }) }),
    ...(format === 'number' && form.tolerance.trim() && { tolerance: toleranceFrom(form.tolerance) }),
    ...(format === 'text' && form.words.trim() && { length: Number(form.words) }),
    ...(format === 'text' && form.byIntent && { camps: 'intent' as const }),
    ...(form.kind && kindsFor(format).includes(form.kind) && { kind: form.kind }),
    ...(attachments.length > 0 && { attachments: attachments.map(attachmentWish) }),
    ...(attachments.length > 0 && form.excerpts && { excerpts: true }),
    ...(seats.length > 0 && { seats: seats.map(seatInput) }),
    ...(form.people.length > 0 && { people: form.people }),
    ...(form.people.length > 0 && form.personDeadline && { personDeadline: Number(form.personDeadline) }),
    ...(protocol && { protocol }),
    ...(rounds !== undefined && { rounds }),
    ...(form.language && { language: form.language }),
    ...(moderator !== undefined && { moderator }),
    ...(budget !== undefined && { budget }),
    ...(form.patience !== '' && { patience: Number(form.patience) }),
    ...(form.search !== '' && { search: form.search }),
    ...(form.forkedFrom !== undefined && { forkedFrom: form.forkedFrom }),
    ...(form.after && { after: form.after.session, carry: form.after.carry }),
    ...form.extra,
  }
}

/** Why the question can't be asked yet; undefined if it can. */
export const obstacleOf = (form: AskForm): string | undefined => {
  if (form.question.trim() === '') return 'Write a question first.'
  if (form.reading) return 'Wait until the attached file is read.'
  if (form.seats?.length === 0) return 'Add at least one seat.'
  if (hasOptions(form.format) && linesOf(form.options).length < 2) return 'Give at least two options.'
  if (form.format === 'number' && form.tolerance.trim() !== '' && toleranceFrom(form.tolerance) === undefined)
    return 'Write the tolerance as an amount such as 5, or a percentage such as 10%.'
  if (form.format === 'text' && form.words.trim() !== '' && !isLength(Number(form.words)))
    return `Write the length as a number of words, ${textWords.least} to ${textWords.most}.`
  if (form.budget.trim() !== '' && budgetOf(form.budget) === undefined)
    return 'Write the budget in dollars, such as 0.50.'
  return undefined
}

/** Whether the table is that of a line-up: the same seats in the same order. */
export const sameTable = (seats: readonly SeatForm[], others: readonly SeatInput[]): boolean => {
  const plain = (list: readonly SeatInput[]): string =>
    JSON.stringify(
      list.map(seat => {
        const { model, name, brief } = typeof seat === 'string' ? { model: seat } : seat
        return [model, name, brief]
      }),
    )
  return plain(seats.map(seatInput)) === plain(others)
}

// useEstimate: The estimate of the form as it is now. Several parts of the page show something of it; it is asked for once.

/** Before a question is written, the estimate is that of a short one. */
const asked = (form: AskForm): AskForm => ({ ...form, question: form.question.trim() || '…' })

interface Estimated {
  readonly data: EstimateReply | undefined
  readonly error: Error | null
  /** The server would refuse a form that isn't filled in yet, and nobody made a mistake. */
  readonly whole: boolean
}

export const useEstimate = (form: AskForm): Estimated => {
  const settled = useSettled(form)
  const body = bodyOf(withoutBytes(asked(settled)))
  const whole = obstacleOf(asked(settled)) === undefined
  const { data, error } = useQuery({
    queryKey: ['estimate', body],
    queryFn: () => estimate(body),
    enabled: whole && (body.seats?.length ?? 0) > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return { data, error, whole }
}

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

export interface FormProps {
  readonly form: AskForm
  change(change: Partial<AskForm>): void
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
