/** The seats around the question: half of them above the table, half below. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import type { LineupReply, ModelReply } from '../../api/table.ts'
import { aliasFor } from '../../core/basics.ts'
import { fetchLineups, fetchModels, removeLineup, saveLineup } from '../kit/api.ts'
import { FieldDialog } from '../kit/dialogs.tsx'
import { Field, inputClass } from '../kit/fields.tsx'
import { Button, Dialog, Problem } from '../kit/frame.tsx'
import { useMutation } from '../kit/mutation.ts'
import { People } from './details.tsx'
import { type FormProps, type SeatForm, sameTable, seatedBy, seatForm, seatInput } from './form-data.ts'
import { ModelPicker } from './models.tsx'
import { QuestionBox } from './question.tsx'
import { Templates, TemplatesButton, useTemplates } from './templates.tsx'

// lineups: Tables to sit down at: those that were saved under a name, and those that come with the program.

const titleOf = ({ name, origin }: LineupReply): string => {
  if (origin === 'built-in' && name === 'house') return 'Built-in model'
  const words = name.replaceAll('-', ' ')
  return origin === 'built-in' ? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}` : name
}

/** Whether these seats are none of the tables below, and could become one. */
export const isNewTable = (lineups: readonly LineupReply[], seats: readonly SeatForm[]): boolean =>
  seats.length > 0 && !lineups.some(lineup => lineup.seats.length > 0 && sameTable(seats, lineup.seats))

const SaveDialog = ({ seats, onClose }: { seats: readonly SeatForm[]; onClose: () => void }) => {
  const queries = useQueryClient()
  const save = async (name: string): Promise<void> => {
    await saveLineup(name.trim(), { seats: seats.map(seatInput) })
    await queries.invalidateQueries({ queryKey: ['lineups'] })
  }
  return (
    <FieldDialog
      title="Save this table"
      label="Name"
      hint="A saved table with the same name is replaced."
      required
      save={save}
      onClose={onClose}
    />
  )
}

/** The button that saves the seats of the form under a name. */
export const SaveTable = ({ seats }: { seats: readonly SeatForm[] }) => {
  const [saving, setSaving] = useState(false)
  return (
    <>
      <Button onClick={() => setSaving(true)}>Save this table</Button>
      {saving && <SaveDialog seats={seats} onClose={() => setSaving(false)} />}
    </>
  )
}

interface RemoveProps {
  readonly name: string
  onRemoved(): void
}

const Remove = ({ name, onRemoved }: RemoveProps) => {
  const queries = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => removeLineup(name),
    onSuccess: () => {
      onRemoved()
      return queries.invalidateQueries({ queryKey: ['lineups'] })
    },
  })
  return (
    <button
      type="button"
      aria-label={`Delete the saved table ${name}`}
      title={`Delete the saved table ${name}`}
      disabled={isPending}
      onClick={() => mutate()}
      className="grid size-8 place-items-center text-soft hover:text-bad"
    >
      ✕
    </button>
  )
}

/** Stays until something else is done: a table that took a while to put together is deleted with one click. */
const Undo = ({ lineup, onDone }: { lineup: LineupReply; onDone: () => void }) => {
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => saveLineup(lineup.name, { seats: [...lineup.seats] }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['lineups'] })
      onDone()
    },
  })
  return (
    <div role="status" className="flex flex-wrap items-center justify-center gap-2 text-sm">
      <span>The saved table “{lineup.name}” was deleted.</span>
      <Button disabled={isPending} onClick={() => mutate()}>
        Undo
      </Button>
      {error && <Problem error={error} />}
    </div>
  )
}

interface GroupProps {
  readonly label: string
  readonly lineups: readonly LineupReply[]
  readonly current: LineupReply | undefined
  onChoose(lineup: LineupReply): void
  onRemoved(lineup: LineupReply): void
}

const Group = ({ label, lineups, current, onChoose, onRemoved }: GroupProps) => {
  const id = useId()
  if (lineups.length === 0) return null
  return (
    <div className="flex min-w-0 flex-wrap items-center justify-center gap-2">
      <span id={id} className="label">
        {label}
      </span>
      <ul className="contents" aria-labelledby={id}>
        {lineups.map(lineup => (
          <li
            key={lineup.name}
            className={`flex items-center rounded-full border ${
              lineup === current ? 'border-accent bg-wash' : 'border-line'
            }`}
          >
            <button
              type="button"
              aria-pressed={lineup === current}
              title={lineup.label}
              onClick={() => onChoose(lineup)}
              className="px-3.5 py-1.5 text-sm font-medium"
            >
              {titleOf(lineup)}
              <span className="ml-1.5 text-soft">{lineup.seats.length}</span>
            </button>
            {lineup.origin === 'saved' && lineup.mayDelete !== false && (
              <Remove name={lineup.name} onRemoved={() => onRemoved(lineup)} />
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

const isOwn = ({ origin }: LineupReply): boolean => origin !== 'built-in'

interface LineupsProps {
  readonly lineups: readonly LineupReply[]
  readonly seats: readonly SeatForm[]
  onChoose(lineup: LineupReply): void
}

export const Lineups = ({ lineups: all, seats, onChoose }: LineupsProps) => {
  // A table that nobody can sit at isn't offered; the settings page has what is missing.
  const lineups = all.filter(lineup => lineup.seats.length > 0)
  const current = lineups.find(lineup => sameTable(seats, lineup.seats))
  const [asked, setAsked] = useState<LineupReply>()
  const [removed, setRemoved] = useState<LineupReply>()
  const choose = (lineup: LineupReply): void => {
    setAsked(lineup)
    onChoose(lineup)
  }
  const missing = asked?.missing ?? []
  const of = { current, onChoose: choose, onRemoved: setRemoved }
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center justify-center gap-x-6 gap-y-3">
        <Group label="Saved tables" lineups={lineups.filter(isOwn)} {...of} />
        <Group label="Ready-made tables" lineups={lineups.filter(lineup => !isOwn(lineup))} {...of} />
      </div>
      {removed && <Undo lineup={removed} onDone={() => setRemoved(undefined)} />}
      {missing.length > 0 && (
        <details className="mx-auto max-w-xl text-center text-sm text-soft">
          <summary>{asked?.label}: some seats are empty</summary>
          <ul className="mt-1 space-y-0.5">
            {missing.map(words => (
              <li key={words}>{words}.</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

// seatNames: The names of seats on the page. Two seats of the same model get different names, as in the session.

export type KnownModels = ReadonlyMap<string, ModelReply>

export interface NamedSeat {
  readonly seat: SeatForm
  readonly name: string
  readonly maker: string
}

const nameOf = ({ model, name }: SeatForm, known: KnownModels): string =>
  name ?? known.get(model)?.name ?? model.split('/').at(-1) ?? model

export const namedSeats = (seats: readonly SeatForm[], known: KnownModels): NamedSeat[] => {
  const taken = new Map<string, number>()
  return seats.map(seat => {
    const base = nameOf(seat, known)
    const count = (taken.get(base) ?? 0) + 1
    taken.set(base, count)
    const maker = known.get(seat.model)?.makerLabel ?? seat.model.split('/')[0] ?? ''
    return { seat, name: count === 1 ? base : `${base} (${count})`, maker }
  })
}

// seatDialog: Edits a seat: gives it a brief, adds another seat of the same model, or removes it.

interface SeatDialogProps {
  readonly named: NamedSeat
  /** No seat, the changed seat, or the changed seat and another one. */
  onReplace(seats: readonly SeatForm[]): void
  onClose(): void
}

export const SeatDialog = ({ named, onReplace, onClose }: SeatDialogProps) => {
  const { seat, name } = named
  const [brief, setBrief] = useState(seat.brief ?? '')
  const done = (...seats: readonly SeatForm[]): void => {
    onReplace(seats)
    onClose()
  }
  const changed = { ...seat, brief }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    done(changed)
  }
  return (
    <Dialog title={name} onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <p className="font-mono text-sm break-all text-soft">{seat.model}</p>
        <Field label="Brief" hint="A role, a temperament or a field of expertise for this seat.">
          {id => (
            <textarea
              id={id}
              rows={3}
              value={brief}
              placeholder="You are the sceptic: look for what could go wrong."
              onChange={event => setBrief(event.target.value)}
              className={inputClass}
            />
          )}
        </Field>
        <p className="flex flex-wrap gap-2">
          <Button kind="danger" onClick={() => done()}>
            Remove
          </Button>
          <Button onClick={() => done(changed, seatForm({ model: seat.model }))}>Add another seat</Button>
          <Button type="submit" kind="primary" className="ml-auto">
            Done
          </Button>
        </p>
      </form>
    </Dialog>
  )
}

interface ChairProps {
  readonly label: string
  readonly small?: string
  readonly initial: string
  readonly dashed?: boolean
  readonly marked?: boolean
  /** Above the table: the name is above the circle. */
  readonly above?: boolean
  onPress(): void
}

const Chair = ({ label, small, initial, dashed, marked, above, onPress }: ChairProps) => (
  <button
    type="button"
    onClick={onPress}
    title={small ? `${label}, ${small}` : label}
    className={`group flex w-20 items-center gap-1 rounded-xl sm:w-30 ${above ? 'flex-col-reverse' : 'flex-col'}`}
  >
    <span
      aria-hidden="true"
      className={`said relative grid size-11 place-items-center rounded-full border text-lg font-semibold transition-colors group-hover:border-accent sm:size-12 ${
        dashed ? 'border-dashed border-edge bg-paper text-soft' : 'border-line bg-surface text-accent'
      }`}
    >
      {initial}
      {marked && <span className="absolute -top-0.5 -right-0.5 size-3 rounded-full bg-accent" />}
    </span>
    <span className="line-clamp-2 text-center text-xs leading-tight font-medium break-words sm:text-[0.8125rem]">
      {label}
      {marked && <span className="sr-only">, with its own brief</span>}
    </span>
  </button>
)

interface SeatsProps {
  readonly seats: readonly NamedSeat[]
  readonly children: ReactNode
  onOpen(key: string): void
  onAdd(): void
}

/** Half of each circle overlaps the edge of the table. */
const row = 'relative z-10 flex flex-wrap justify-center gap-x-1 gap-y-2 sm:justify-evenly'

export const Seats = ({ seats, children, onOpen, onAdd }: SeatsProps) => {
  const half = Math.ceil((seats.length + 1) / 2)
  const chairs = seats.map(({ seat, name, maker }, index) => (
    <li key={seat.key} className="settling">
      <Chair
        above={index < half}
        label={name}
        small={maker}
        initial={aliasFor(index)}
        marked={Boolean(seat.brief)}
        onPress={() => onOpen(seat.key)}
      />
    </li>
  ))
  return (
    <section aria-label="The table" className={seats.length > 0 ? '' : 'pt-2'}>
      {seats.length > 0 && (
        <ul className={`${row} -mb-5 items-end sm:-mb-6`} aria-label="Seats above">
          {chairs.slice(0, half)}
        </ul>
      )}
      {children}
      <ul className={`${row} -mt-5 items-start sm:-mt-6`} aria-label="Seats below">
        {chairs.slice(half)}
        <li>
          <Chair label="Add a model" initial="+" dashed onPress={onAdd} />
        </li>
      </ul>
    </section>
  )
}

// table: The table: its seats around the question, line-ups to choose, models to seat.

const useTable = ({ form, change }: FormProps) => {
  const { data } = useQuery({ queryKey: ['lineups'], queryFn: fetchLineups })
  const models = useQuery({ queryKey: ['models'], queryFn: fetchModels, staleTime: 60_000 }).data?.models
  const known = useMemo(() => new Map((models ?? []).map(model => [model.id, model])), [models])
  const empty = form.seats === undefined || form.seats.length === 0
  // Only when the line-ups arrive: a table that the person cleared must stay empty.
  useEffect(() => {
    if (data && empty) change(seatedBy(data.usual, form))
  }, [data])
  // A table of last time may hold models whose key is gone. A question that was being written keeps its seats.
  useEffect(() => {
    const reached = form.seats?.filter(({ model }) => known.get(model)?.configured !== false) ?? []
    if (!form.seats || form.question !== '' || reached.length === form.seats.length) return
    change(reached.length > 0 || !data ? { seats: reached } : seatedBy(data.usual, form))
  }, [known, data])
  const seats = useMemo(() => namedSeats(form.seats ?? [], known), [form.seats, known])
  return { lineups: data?.lineups ?? [], models: models ?? [], seats }
}

/** `focused`: the question gets the focus, and the page scrolls there. */
export const Table = ({ form, change, focused }: FormProps & { focused: boolean }) => {
  const { lineups, models, seats } = useTable({ form, change })
  const [opened, setOpened] = useState<string>()
  const [adding, setAdding] = useState(false)
  const templates = useTemplates()
  const current: readonly SeatForm[] = form.seats ?? []
  const seated = useMemo(
    () => new Map([...Map.groupBy(current, seat => seat.model)].map(([id, own]) => [id, own.length])),
    [current],
  )
  const open: NamedSeat | undefined = seats.find(({ seat }) => seat.key === opened)
  return (
    <>
      <Seats seats={seats} onOpen={setOpened} onAdd={() => setAdding(true)}>
        <QuestionBox form={form} change={change} focused={focused} />
      </Seats>
      <div className="space-y-4">
        <div className="flex flex-wrap items-center justify-center gap-2">
          <People form={form} change={change} />
          <TemplatesButton {...templates} />
          {isNewTable(lineups, current) && <SaveTable seats={current} />}
        </div>
        <Templates {...templates} form={form} change={change} />
        <Lineups lineups={lineups} seats={current} onChoose={lineup => change(seatedBy(lineup, form))} />
      </div>
      {adding && (
        <ModelPicker
          models={models}
          seated={seated}
          onSeat={model => change({ seats: [...current, seatForm(model)] })}
          onClose={() => setAdding(false)}
        />
      )}
      {open && (
        <SeatDialog
          named={open}
          onReplace={own => change({ seats: current.flatMap(seat => (seat.key === opened ? own : [seat])) })}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}
