/** Tables to sit down at: those that were saved under a name, and those that come with the program. */
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { LineupReply } from '../../../api/index.ts'
import { removeLineup, saveLineup } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { FieldDialog } from '../../components/field-dialog.tsx'
import { useMutation } from '../../components/mutation.ts'
import { Problem } from '../../components/notice.tsx'
import { type SeatForm, sameTable, seatInput } from './form.ts'

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
