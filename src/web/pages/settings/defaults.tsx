/** What a question gets if it doesn't say otherwise: table, moderator, time for an answer, budget. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { DefaultsBody, LineupReply, SettingsReply } from '../../../api/index.ts'
import type { SeatInput } from '../../../core/question/seat-input.ts'
import { fetchLineups, fetchModels, saveDefaults } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Field, inputClass, TextField } from '../../components/field.tsx'
import { Problem } from '../../components/notice.tsx'
import { useSaving } from './saving.ts'

type Usual = SettingsReply['usual']

interface DefaultsForm {
  /** Empty: automatic. "now": the seats that are saved. */
  readonly table: string
  /** Empty: automatic. "none": nobody. */
  readonly moderator: string
  readonly deadline: string
  readonly budget: string
}

const modelsOf = (seats: readonly SeatInput[]): string =>
  JSON.stringify(seats.map(seat => (typeof seat === 'string' ? seat : [seat.model, seat.brief ?? ''])))

const formOf = ({ seats, moderator, deadline, budget }: Usual): DefaultsForm => ({
  table: seats ? 'now' : '',
  moderator: moderator === null ? 'none' : (moderator ?? ''),
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
    moderator: free('moderator', form.moderator === 'none' ? null : form.moderator || undefined),
    deadline: free('deadline', form.deadline.trim() ? Number(form.deadline) : undefined),
    budget: free('budget', form.budget.trim() ? Number(form.budget) : undefined),
  }
  return Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== undefined))
}

const fixedHint = 'Set by the environment or a configuration file.'

export const Defaults = ({ usual, changeable }: { usual: Usual; changeable: boolean }) => {
  const [form, setForm] = useState(() => formOf(usual))
  const [saved, setSaved] = useState(false)
  const { error, pending, run } = useSaving()
  const lineups = useQuery({ queryKey: ['lineups'], queryFn: fetchLineups }).data?.lineups ?? []
  const models = useQuery({ queryKey: ['models'], queryFn: fetchModels, staleTime: 60_000 }).data?.models
  const ready = (models ?? []).filter(({ configured }) => configured)
  const tables = lineups.filter(({ seats }) => seats.length > 0)
  const current = tables.find(({ seats }) => usual.seats && modelsOf(seats) === modelsOf(usual.seats))
  const change = (part: Partial<DefaultsForm>): void => {
    setForm({ ...form, ...part })
    setSaved(false)
  }
  const isFixed = (name: Usual['fixed'][number]): boolean => !changeable || usual.fixed.includes(name)
  const hintFor = (name: Usual['fixed'][number], hint: string): string =>
    usual.fixed.includes(name) ? fixedHint : hint
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
        <Field label="Table" hint={hintFor('seats', 'Who sits there if you choose nobody.')}>
          {id => (
            <select
              id={id}
              disabled={isFixed('seats')}
              className={inputClass}
              value={form.table}
              onChange={event => change({ table: event.target.value })}
            >
              <option value="">Automatic: the strongest models that can be reached</option>
              {usual.seats && (
                <option value="now">{current ? current.name : `Your table of ${usual.seats.length}`}</option>
              )}
              {tables
                .filter(lineup => lineup !== current)
                .map(({ name, seats }) => (
                  <option key={name} value={`lineup ${name}`}>
                    {name} ({seats.length})
                  </option>
                ))}
            </select>
          )}
        </Field>
        <Field label="Moderator" hint={hintFor('moderator', 'Groups the answers and writes the report.')}>
          {id => (
            <select
              id={id}
              disabled={isFixed('moderator')}
              className={inputClass}
              value={form.moderator}
              onChange={event => change({ moderator: event.target.value })}
            >
              <option value="">Automatic: a strong model that isn’t at the table</option>
              <option value="none">None: code writes the report</option>
              {form.moderator !== '' &&
                form.moderator !== 'none' &&
                !ready.some(model => model.id === form.moderator) && (
                  <option value={form.moderator}>{form.moderator}</option>
                )}
              {ready.map(model => (
                <option key={model.id} value={model.id}>
                  {model.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TextField
          label="Seconds for one answer"
          type="number"
          min={1}
          step="any"
          placeholder="120"
          hint={hintFor('deadline', 'A seat that takes longer counts as silent.')}
          disabled={isFixed('deadline')}
          value={form.deadline}
          onChange={event => change({ deadline: event.target.value })}
        />
        <TextField
          label="Budget of a session, in dollars"
          type="number"
          min={0.001}
          step="any"
          placeholder="No limit"
          hint={hintFor('budget', 'No call is made that would exceed it.')}
          disabled={isFixed('budget')}
          value={form.budget}
          onChange={event => change({ budget: event.target.value })}
        />
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
