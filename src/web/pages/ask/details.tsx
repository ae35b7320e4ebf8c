/** The settings that most people don't change: rounds, names, language, moderator, budget. */
import type { ModelReply, ProtocolsReply } from '../../../api/index.ts'
import { kindsFor } from '../../../core/question/kind.ts'
import { kindTitles } from '../../../core/wording/kind-words.ts'
import { Choice } from '../../components/choice.tsx'
import { Field, inputClass, TextField } from '../../components/field.tsx'
import type { FormProps } from './question-box.tsx'

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
  <Field label="Language of the answers">
    {id => (
      <select
        id={id}
        value={form.language}
        onChange={event => change({ language: event.target.value })}
        className={inputClass}
      >
        <option value="">Same as the question</option>
        {languages.map(code => (
          <option key={code} value={code}>
            {languageNames.of(code)}
          </option>
        ))}
      </select>
    )}
  </Field>
)

const KindOfQuestion = ({ form, change }: FormProps) => {
  const kinds = kindsFor(form.format)
  if (kinds.length < 2) return null
  return (
    <Field label="Kind of question">
      {id => (
        <select
          id={id}
          value={kinds.find(kind => kind === form.kind) ?? ''}
          onChange={event => change({ kind: kinds.find(kind => kind === event.target.value) ?? '' })}
          className={inputClass}
        >
          <option value="">{form.format === 'number' ? 'An estimate' : 'The moderator says so'}</option>
          {kinds
            .filter(kind => form.format !== 'number' || kind !== 'estimate')
            .map(kind => (
              <option key={kind} value={kind}>
                {kindTitles[kind]}
              </option>
            ))}
        </select>
      )}
    </Field>
  )
}

const Moderator = ({ form, change, models }: DetailsProps) => {
  const ready = models.filter(model => model.configured)
  const known = !form.moderator || ready.some(({ id }) => id === form.moderator)
  return (
    <Field label="Moderator">
      {id => (
        <select
          id={id}
          value={form.moderator === null ? 'nobody' : (form.moderator ?? '')}
          onChange={event => {
            const { value } = event.target
            change({ moderator: value === 'nobody' ? null : value || undefined })
          }}
          className={inputClass}
        >
          <option value="">Automatic: a strong model</option>
          <option value="nobody">None: code writes the report</option>
          {!known && <option value={form.moderator ?? ''}>{form.moderator}</option>}
          {ready.map(model => (
            <option key={model.id} value={model.id}>
              {model.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

const patiences = [
  { value: '', label: 'Wait for every seat' },
  { value: '2', label: 'Go on after twice the usual time' },
  { value: '3', label: 'Go on after three times the usual time' },
  { value: '5', label: 'Go on after five times the usual time' },
]

const SlowSeats = ({ form, change }: FormProps) => (
  <Field label="Slow seats">
    {id => (
      <select
        id={id}
        value={form.patience}
        onChange={event => change({ patience: event.target.value })}
        className={inputClass}
      >
        {patiences.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Field>
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
