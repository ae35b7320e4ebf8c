/** The table: its seats around the question, line-ups to choose, models to seat. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { fetchLineups, fetchModels } from '../../api.ts'
import { type SeatForm, seatedBy, seatForm } from './form.ts'
import { isNewTable, Lineups, SaveTable } from './lineups.tsx'
import { ModelPicker } from './model-picker.tsx'
import { People } from './people.tsx'
import { type FormProps, QuestionBox } from './question-box.tsx'
import { SeatDialog } from './seat-dialog.tsx'
import { type NamedSeat, namedSeats } from './seat-names.ts'
import { Seats } from './seats.tsx'
import { Templates, TemplatesButton, useTemplates } from './templates.tsx'

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
