/** What a question gets if it doesn't say otherwise: table, moderator, time for an answer, budget. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { DefaultsBody, LineupReply, SettingsReply } from '../../../api/index.ts'
import type { SeatInput } from '../../../core/question/seat-input.ts'
import { fetchLineups, fetchModels, saveDefaults } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { moderatorFrom, moderatorOptions, moderatorValue } from '../../components/moderators.ts'
import { Problem } from '../../components/notice.tsx'
import { useSaving } from './saving.ts'
import { tableWords } from './table-words.ts'

type Usual = SettingsReply['usual']

interface DefaultsForm {
  /** Empty: none of one's own. "now": the seats that are saved. */
  readonly table: string
  readonly moderator: string
  readonly deadline: string
  readonly budget: string
}

const modelsOf = (seats: readonly SeatInput[]): string =>
  JSON.stringify(seats.map(seat => (typeof seat === 'string' ? seat : [seat.model, seat.brief ?? ''])))

const formOf = ({ seats, moderator, deadline, budget }: Usual): DefaultsForm => ({
  table: seats ? 'now' : '',
  moderator: moderatorValue(moderator),
  deadline: deadline === undefined ? '' : String(deadline),
  budget: budget === undefined ? '' : String(budget),
})

const bodyOf = (form: DefaultsForm, usual: Usual, lineups: readonly LineupReply[]): DefaultsBody => {
  const chosen = lineups.find(({ name }) => `lineup ${name}` === form.table)?.seats
  const seats = chosen ?? (form.table === 'now' ? usual.seats : null)
  const free = <Value,>(name: Usual['fixed'][number], value: Value): Value | undefined =>
    usual.fixed.includes(name) ? undefined : value
  const defaults = {
    seats: free('seats', seats ? [...seats] : undefined),
    moderator: free('moderator', moderatorFrom(form.moderator)),
    deadline: free('deadline', form.deadline.trim() ? Number(form.deadline) : undefined),
    budget: free('budget', form.budget.trim() ? Number(form.budget) : undefined),
  }
  return Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== undefined))
}

const useTables = (usual: Usual) => {
  const { data } = useQuery({ queryKey: ['lineups'], queryFn: fetchLineups })
  const { data: known } = useQuery({ queryKey: ['models'], queryFn: fetchModels, staleTime: 60_000 })
  const models = known?.models ?? []
  const lineups = data?.lineups.filter(({ seats }) => seats.length > 0) ?? []
  const current = lineups.find(({ seats }) => usual.seats && modelsOf(seats) === modelsOf(usual.seats))
  const saved = usual.seats && [
    { value: 'now', label: current ? current.name : `Your table of ${usual.seats.length}` },
  ]
  const none = tableWords(data?.usual.seats, usual.seats !== null, models)
  const options = [
    { value: '', label: none.label },
    ...(saved ?? []),
    ...lineups
      .filter(lineup => lineup !== current)
      .map(({ name, seats }) => ({ value: `lineup ${name}`, label: `${name} (${seats.length})` })),
  ]
  return { lineups, options, models, none }
}

const amounts = [
  {
    name: 'deadline',
    label: 'Seconds for one answer',
    ...{ min: 1, placeholder: '120' },
    hint: 'A seat that takes longer counts as silent.',
  },
  {
    name: 'budget',
    label: 'Budget of a session, in dollars',
    ...{ min: 0.001, placeholder: 'No limit' },
    hint: 'The session stops before it would cost more.',
  },
] as const

const fixedHint = 'Set by the environment or a configuration file.'

export const Defaults = ({ usual, changeable }: { usual: Usual; changeable: boolean }) => {
  const [form, setForm] = useState(() => formOf(usual))
  const [saved, setSaved] = useState(false)
  const { error, pending, run } = useSaving()
  const { lineups, options, models, none } = useTables(usual)
  const change = (part: Partial<DefaultsForm>): void => {
    setForm({ ...form, ...part })
    setSaved(false)
  }
  const common = (name: Usual['fixed'][number], hint: string) => ({
    disabled: !changeable || usual.fixed.includes(name),
    hint: usual.fixed.includes(name) ? fixedHint : hint,
  })
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const done = await run(() => saveDefaults(bodyOf(form, usual, lineups)))
    // The chosen line-up is now the table that is saved.
    if (done && form.table !== '') setForm({ ...form, table: 'now' })
    setSaved(done)
  }
  return (
    <form onSubmit={submit} className="space-y-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Table"
          {...common('seats', form.table === '' ? none.hint : 'Who sits there if you choose nobody.')}
          value={form.table}
          options={options}
          onChange={table => change({ table })}
        />
        <SelectField
          label="Moderator"
          {...common(
            'moderator',
            'Groups the answers and writes the report. Automatic takes a model that isn’t at the table, or else one that is.',
          )}
          value={form.moderator}
          options={moderatorOptions(models)}
          onChange={moderator => change({ moderator })}
        />
        {amounts.map(({ name, hint, ...field }) => (
          <TextField
            key={name}
            type="number"
            step="any"
            {...field}
            {...common(name, hint)}
            value={form[name]}
            onChange={event => change({ [name]: event.target.value })}
          />
        ))}
      </div>
      {error && <Problem error={error} />}
      <p className="flex items-center gap-3">
        <Button type="submit" kind="primary" disabled={pending || !changeable}>
          Save the defaults
        </Button>
        <span role="status" className="text-sm text-good">
          {saved ? '✓ Saved. The next question uses them.' : ''}
        </span>
      </p>
    </form>
  )
}
