/** The settings that most people don't change: rounds, names, language, moderator, budget. */
import type { ModelReply, ProtocolsReply } from '../../../api/index.ts'
import { kindsFor } from '../../../core/question/kind.ts'
import { kindTitles } from '../../../core/wording/kind-words.ts'
import { Choice } from '../../components/choice.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { moderatorFrom, moderatorOptions, moderatorValue } from '../../components/moderators.ts'
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
