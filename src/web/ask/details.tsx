/** The settings that most people don't change: rounds, names, language, moderator, budget. */

import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { ModelReply, ProtocolsReply, SharpenedReply } from '../../api/table.ts'
import { kindsFor } from '../../core/form.ts'
import { type AttachmentWish, longestQuestion } from '../../core/question.ts'
import { clearWords, exhibitSize, kindTitles, sharpenSpent, unseenNote } from '../../words/asking.ts'
import { readFiles, sharpen } from '../kit/api.ts'
import { FieldDialog } from '../kit/dialogs.tsx'
import { Choice, Field, inputClass, SelectField, TextField } from '../kit/fields.tsx'
import { Button, Dialog, Problem } from '../kit/frame.tsx'
import { useMutation } from '../kit/mutation.ts'
import { moderatorFrom, moderatorOptions, moderatorValue } from '../kit/offers.tsx'
import { type AskForm, bodyOf, type FormProps, useEstimate } from './form-data.ts'

// attachments: Files that are attached to the question. The server reads them as soon as they are here, and says what it can't read.

/** What the page knows of an attachment: what was read, and the bytes, which go along with the question. */
export interface AttachmentForm extends AttachmentWish {
  readonly text: string
}

interface Read {
  readonly attachments: readonly AttachmentForm[]
  /** Why a file was refused. */
  readonly problems: readonly string[]
}

const dataOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '')
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

const readOne = async (file: File): Promise<Read> => {
  try {
    const { exhibits, problems } = await readFiles([file])
    const data = exhibits.length > 0 ? await dataOf(file) : ''
    return { attachments: exhibits.map(exhibit => ({ ...exhibit, data })), problems }
  } catch (error) {
    return { attachments: [], problems: [`${file.name}: ${(error as Error).message}`] }
  }
}

/** One by one, so that the bytes of several files need not fit into one request. */
export const attachFiles = async (files: readonly File[]): Promise<Read> => {
  const read: Read[] = []
  for (const file of files) read.push(await readOne(file))
  return {
    attachments: read.flatMap(one => one.attachments),
    problems: read.flatMap(one => one.problems),
  }
}

interface AttachmentsProps {
  readonly attachments: readonly AttachmentForm[]
  onChange(attachments: readonly AttachmentForm[]): void
}

export const Attachments = ({ attachments, onChange }: AttachmentsProps) =>
  attachments.length > 0 && (
    <ul className="flex flex-wrap gap-2" aria-label="Attachments">
      {attachments.map((one, index) => (
        <li
          key={`${one.name} ${one.sha256 ?? one.text.length}`}
          className="flex max-w-full items-center rounded-lg bg-shade pl-3 text-sm"
        >
          {one.width !== undefined && one.data && (
            <img
              alt=""
              src={`data:${one.media};base64,${one.data}`}
              className="mr-2 size-8 shrink-0 rounded object-cover"
            />
          )}
          <span className="flex min-w-0 flex-wrap gap-x-2">
            <span className="truncate" title={one.name}>
              {one.name}
            </span>
            <span className="whitespace-nowrap text-soft">{exhibitSize(one)}</span>
          </span>
          <button
            type="button"
            aria-label={`Remove ${one.name}`}
            className="grid size-8 shrink-0 place-items-center text-soft hover:text-ink"
            onClick={() => onChange(attachments.filter((_, other) => other !== index))}
          >
            ✕
          </button>
        </li>
      ))}
    </ul>
  )

/** Languages to choose from. Without a choice, models answer in the language of the question. */
const languages = [
  'en',
  'fr',
  'de',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'tr',
  'ar',
  'hi',
  'ja',
  'ko',
  'zh',
  'ru',
  'uk',
]

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' })

interface DetailsProps extends FormProps {
  readonly protocol: ProtocolsReply['protocols'][number] | undefined
  readonly models: readonly ModelReply[]
}

const roundWords = (rounds: number): string =>
  rounds === 0 ? 'no open rounds' : rounds === 1 ? '1 open round' : `up to ${rounds} open rounds`

/** While the section is closed, its heading shows the current settings. */
const summaryOf = ({ form, protocol, models }: DetailsProps): string => {
  const rounds = form.rounds ?? protocol?.rounds.usual
  const moderator = models.find(({ id }) => id === form.moderator)?.name ?? form.moderator
  return [
    ...(rounds === undefined ? [] : [roundWords(rounds)]),
    `names ${form.names}`,
    form.language ? (languageNames.of(form.language) ?? form.language) : 'language of the question',
    moderator === null ? 'no moderator' : (moderator ?? 'automatic moderator'),
    form.budget.trim() ? `at most $${form.budget.trim()}` : 'no budget limit',
  ].join(' · ')
}

const Rounds = ({ form, change, protocol }: DetailsProps) => {
  const { usual = 1, most = 4 } = protocol?.rounds ?? {}
  const options = Array.from({ length: most + 1 }, (_, rounds) => String(rounds))
  if (most === 0) return null
  return (
    <div>
      <p className="label mb-1">Open rounds</p>
      <Choice
        label="Open rounds"
        value={String(form.rounds ?? usual)}
        options={options.map(value => ({ value, label: value }))}
        onChange={value => change({ rounds: Number(value) })}
      />
    </div>
  )
}

const Names = ({ form, change }: FormProps) => (
  <div>
    <p className="label mb-1">Names</p>
    <Choice
      label="Whether seats see each other’s names"
      value={form.names}
      options={[
        { value: 'hidden', label: 'Hidden' },
        { value: 'shown', label: 'Shown' },
      ]}
      onChange={names => change({ names })}
    />
  </div>
)

const Language = ({ form, change }: FormProps) => (
  <SelectField
    label="Language of the answers"
    value={form.language}
    options={[
      { value: '', label: 'Same as the question' },
      ...languages.map(code => ({ value: code, label: languageNames.of(code) ?? code })),
    ]}
    onChange={language => change({ language })}
  />
)

const KindOfQuestion = ({ form, change }: FormProps) => {
  const kinds = kindsFor(form.format)
  if (kinds.length < 2) return null
  const isNumber = form.format === 'number'
  return (
    <SelectField
      label="Fact, judgement or taste?"
      value={kinds.find(kind => kind === form.kind) ?? ''}
      options={[
        { value: '', label: isNumber ? 'An estimate' : 'The moderator decides' },
        ...kinds
          .filter(kind => !isNumber || kind !== 'estimate')
          .map(kind => ({ value: kind, label: kindTitles[kind] })),
      ]}
      onChange={value => change({ kind: kinds.find(kind => kind === value) ?? '' })}
    />
  )
}

const Moderator = ({ form, change, models }: DetailsProps) => (
  <SelectField
    label="Moderator"
    value={moderatorValue(form.moderator)}
    options={moderatorOptions(models)}
    onChange={value => change({ moderator: moderatorFrom(value) })}
  />
)

const patiences = [
  { value: '', label: 'Wait for every seat' },
  { value: '2', label: 'Go on after twice the usual time' },
  { value: '3', label: 'Go on after three times the usual time' },
  { value: '5', label: 'Go on after five times the usual time' },
]

const SlowSeats = ({ form, change }: FormProps) => (
  <SelectField
    label="Slow seats"
    value={form.patience}
    options={patiences}
    onChange={patience => change({ patience })}
  />
)

const searches = [
  { value: '', label: 'As configured, or off' },
  { value: 'off', label: 'No search' },
  { value: 'shared', label: 'One search for all seats' },
  { value: 'native', label: 'Each seat searches for itself' },
] as const

const WebSearch = ({ form, change }: FormProps) => (
  <SelectField
    label="Web search"
    value={form.search}
    options={searches}
    onChange={value => change({ search: searches.find(one => one.value === value)?.value ?? '' })}
  />
)

const personDeadlines = [
  { value: '900', label: '15 minutes' },
  { value: '', label: 'One hour' },
  { value: '14400', label: 'Four hours' },
  { value: '86400', label: 'One day' },
  { value: '259200', label: 'Three days' },
]

const PeoplesTime = ({ form, change }: FormProps) => (
  <SelectField
    label="Time for each answer of a person"
    value={form.personDeadline}
    options={personDeadlines}
    onChange={personDeadline => change({ personDeadline })}
  />
)

export const Details = (props: DetailsProps) => {
  const { form, change } = props
  return (
    <details className="card group p-4">
      <summary className="flex list-none items-baseline gap-x-3">
        <span className="label">Details</span>
        <span className="min-w-0 text-sm text-soft group-open:hidden">{summaryOf(props)}</span>
        <span aria-hidden="true" className="ml-auto text-soft group-open:rotate-180">
          ▾
        </span>
      </summary>
      <div className="mt-4 grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
        <Rounds {...props} />
        <Names {...props} />
        <Language {...props} />
        <KindOfQuestion {...props} />
        <Moderator {...props} />
        <SlowSeats {...props} />
        <WebSearch {...props} />
        {form.people.length > 0 && <PeoplesTime {...props} />}
        <TextField
          label="Budget in dollars"
          inputMode="decimal"
          placeholder="No limit"
          value={form.budget}
          onChange={event => change({ budget: event.target.value })}
        />
      </div>
    </details>
  )
}

// notesInSight: How many notes of an estimate are in sight without a click.

/** Characters that fit into the bar of a phone. */
const room = 140

/** Whole notes only: half a sentence says nothing, or the opposite. The first is always in sight. */
export const notesInSight = (notes: readonly string[]): number => {
  let length = 0
  const first = notes.findIndex((note, index) => {
    length += note.length
    return index > 0 && length > room
  })
  return first < 0 ? notes.length : first
}

// people: People at the table, beside the models: added by name, taken away again with a click.

export const People = ({ form, change }: FormProps) => {
  const [adding, setAdding] = useState(false)
  const { people } = form
  return (
    <section aria-label="People at the table" className="flex flex-wrap items-center justify-center gap-2">
      {people.map((name, index) => (
        <span
          key={`${index} ${name}`}
          className="inline-flex max-w-full items-center gap-1 rounded-full border border-line bg-surface py-0.5 pr-1 pl-3 text-sm font-medium"
        >
          <span dir="auto" className="min-w-0 truncate">
            {name}
          </span>
          <Button
            kind="quiet"
            className="min-h-7! rounded-full! px-2! py-0!"
            aria-label={`Remove ${name}`}
            title={`Remove ${name}`}
            onClick={() => change({ people: people.toSpliced(index, 1) })}
          >
            ×
          </Button>
        </span>
      ))}
      <Button onClick={() => setAdding(true)}>Add a person</Button>
      {adding && (
        <FieldDialog
          title="Add a person"
          label="Name"
          hint="They get a link for their seat when you ask. They answer on their own first, like every seat."
          required
          save={async name => change({ people: [...people, name.trim()] })}
          onClose={() => setAdding(false)}
        />
      )}
    </section>
  )
}

// sharpen: Has the moderator propose clearer wordings of the question: the person takes one, edits it, or keeps their own.

interface CardProps {
  readonly name: string
  readonly checked: boolean
  onChoose(): void
  readonly children: ReactNode
}

const Card = ({ name, checked, onChoose, children }: CardProps) => (
  <label className="flex cursor-pointer items-start gap-3 rounded-lg border border-line p-3 has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent">
    <input
      type="radio"
      name={name}
      className="mt-1 size-4 shrink-0 accent-accent"
      checked={checked}
      onChange={onChoose}
    />
    <span className="min-w-0 wrap-anywhere">{children}</span>
  </label>
)

interface ProposalsProps {
  readonly question: string
  readonly sharpened: SharpenedReply
  onTake(question: string): void
  onClose(): void
}

const Proposals = ({ question, sharpened, onTake, onClose }: ProposalsProps) => {
  const { unclear, wordings } = sharpened
  const name = useId()
  const [chosen, setChosen] = useState<number>()
  const [words, setWords] = useState('')
  const choose = (index: number | undefined): void => {
    setChosen(index)
    setWords(index === undefined ? '' : (wordings[index]?.wording ?? ''))
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (chosen === undefined) onClose()
    else onTake(words.trim())
  }
  return (
    <form onSubmit={submit} className="space-y-4">
      {unclear && (
        <p dir="auto" className="wrap-anywhere">
          {unclear}
        </p>
      )}
      <fieldset className="space-y-2">
        <legend className="label mb-2">Which question should be asked?</legend>
        {wordings.map(({ settles, wording }, index) => (
          <Card key={wording} name={name} checked={chosen === index} onChoose={() => choose(index)}>
            <span dir="auto" className="said block">
              {wording}
            </span>
            {settles && (
              <span dir="auto" className="mt-1 block text-sm text-soft">
                Settles: {settles}
              </span>
            )}
          </Card>
        ))}
        <Card name={name} checked={chosen === undefined} onChoose={() => choose(undefined)}>
          <span className="block text-sm text-soft">Keep mine</span>
          <span dir="auto" className="said line-clamp-3">
            {question}
          </span>
        </Card>
      </fieldset>
      {chosen !== undefined && (
        <Field label="Edit it if you like">
          {id => (
            <textarea
              id={id}
              dir="auto"
              rows={3}
              maxLength={longestQuestion}
              value={words}
              onChange={event => setWords(event.target.value)}
              className={inputClass}
            />
          )}
        </Field>
      )}
      <p className="text-sm wrap-anywhere text-soft">{sharpenSpent(sharpened)}</p>
      <p className="flex justify-end gap-2">
        <Button type="submit" kind="primary" disabled={chosen !== undefined && words.trim() === ''}>
          {chosen === undefined ? 'Keep mine' : 'Use this question'}
        </Button>
      </p>
    </form>
  )
}

const Clear = ({ sharpened, onClose }: Pick<ProposalsProps, 'sharpened' | 'onClose'>) => (
  <>
    <p>{clearWords}</p>
    <p className="mt-2 text-sm wrap-anywhere text-soft">{sharpenSpent(sharpened)}</p>
    <p className="mt-5 flex justify-end">
      <Button kind="primary" onClick={onClose}>
        Good
      </Button>
    </p>
  </>
)

interface SharpenProps {
  readonly form: AskForm
  change(change: Partial<AskForm>): void
}

export const Sharpen = ({ form, change }: SharpenProps) => {
  const { mutate, data, error, isPending, reset } = useMutation({ mutationFn: () => sharpen(bodyOf(form)) })
  const take = (question: string): void => {
    change({ question })
    reset()
  }
  return (
    <>
      <Button kind="quiet" disabled={isPending || form.question.trim() === ''} onClick={() => mutate()}>
        {isPending ? 'Sharpening…' : 'Sharpen the question'}
      </Button>
      {error && <Problem error={error} />}
      {data && (
        <Dialog title="Sharpen the question" onClose={reset}>
          {data.wordings.length === 0 ? (
            <Clear sharpened={data} onClose={reset} />
          ) : (
            <Proposals question={form.question} sharpened={data} onTake={take} onClose={reset} />
          )}
        </Dialog>
      )}
    </>
  )
}

// unseen: Which seats probably can't see the pictures that are attached, beside them.

/** It has its room from the start: the estimate comes a moment after the picture. */
export const Unseen = ({ form }: { form: AskForm }) => {
  const unseen = useEstimate(form).data?.unseen
  if (!form.attachments.some(({ width }) => width !== undefined)) return null
  return (
    <p role="status" className="min-h-10 text-sm font-medium text-bad sm:min-h-5">
      {unseen && (
        <>
          <span aria-hidden="true">⚠ </span>
          {unseenNote(unseen)}
        </>
      )}
    </p>
  )
}
