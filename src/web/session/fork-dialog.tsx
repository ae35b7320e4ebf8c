/** Goes on from the close of a round with another table or protocol: only what comes after it is asked and paid. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { ForkBody } from '../../api/sessions.ts'
import { closedRounds } from '../../core/fold.ts'
import { roundAt, type Session, seatOf } from '../../core/session.ts'
import { roundName } from '../../words/moves.ts'
import { estimateFork, forkSession, replaceSeat } from '../kit/api.ts'
import { useSettled } from '../kit/controls.tsx'
import { SelectField, useProtocols } from '../kit/fields.tsx'
import { Button, Dialog, Problem } from '../kit/frame.tsx'
import { useMutation } from '../kit/mutation.ts'
import { Estimated, ModelField } from './dialogs.tsx'
import { useStage } from './stage.tsx'

interface Changes {
  readonly at: number
  readonly models: readonly string[]
  readonly protocol: string
  readonly names: 'hidden' | 'shown'
}

/** Only what was changed is sent: the rest stays as it is. */
const bodyOf = (session: Session, { at, models, protocol, names }: Changes): ForkBody => {
  const before = session.seats.filter(({ outside }) => !outside).map(({ model }) => model)
  return {
    at,
    ...(models.some((model, index) => model.trim() !== before[index]) && {
      seats: models.map(model => model.trim()),
    }),
    ...(protocol !== session.protocol && { protocol }),
    ...(names !== session.names && { names }),
  }
}

const Seats = ({
  session,
  models,
  onChange,
}: {
  session: Session
  models: readonly string[]
  onChange: (models: string[]) => void
}) => (
  <details className="rounded-lg border border-line px-3 py-2">
    <summary className="cursor-pointer font-medium">Change who sits at the table</summary>
    <div className="mt-3 space-y-3">
      {session.seats
        .filter(({ outside }) => !outside)
        .map((seat, index) => (
          <ModelField
            key={seat.id}
            label={`Seat ${seat.alias}: ${seat.name}`}
            value={models[index] ?? ''}
            onChange={model => onChange(models.map((one, place) => (place === index ? model : one)))}
          />
        ))}
    </div>
  </details>
)

export const ForkDialog = ({ onClose }: { onClose: () => void }) => {
  const { session: shown, live } = useStage()
  const navigate = useNavigate()
  const protocols = useProtocols()
  const latest = live.state().session ?? shown
  const closed = closedRounds(latest)
  const here = closedRounds(shown).filter(round => closed.includes(round))
  const [changes, setChanges] = useState<Changes>({
    at: here.at(-1) ?? closed[0] ?? 0,
    models: shown.seats.filter(({ outside }) => !outside).map(({ model }) => model),
    protocol: latest.protocol,
    names: latest.names,
  })
  const change = (some: Partial<Changes>): void => setChanges(before => ({ ...before, ...some }))
  const body = bodyOf(latest, useSettled(changes))
  const estimate = useQuery({
    queryKey: ['fork-estimate', latest.id, body],
    queryFn: () => estimateFork(latest.id, body),
    enabled: closed.length > 0,
    placeholderData: keepPreviousData,
    ...{ retry: false, gcTime: 0 },
  })
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => forkSession(latest.id, bodyOf(latest, changes)),
    onSuccess: ({ id }) => navigate({ to: '/s/$id', params: { id } }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate()
  }
  const known = protocols.some(({ id }) => id === changes.protocol)
  return (
    <Dialog title="Fork this session" onClose={onClose}>
      {closed.length === 0 ? (
        <p className="text-soft">No round is closed yet: there is nothing to go on from.</p>
      ) : (
        <form onSubmit={submit} className="space-y-4 **:scroll-mb-20">
          <p className="text-soft">
            Copies the session up to this round and continues differently. Earlier answers cost nothing again.
            This session stays as it is.
          </p>
          <SelectField
            label="Go on after"
            value={String(changes.at)}
            options={closed.map(index => ({
              value: String(index),
              label: roundName(roundAt(latest, index) ?? { index, sealed: index === 0 }),
            }))}
            onChange={at => change({ at: Number(at) })}
          />
          <Seats session={shown} models={changes.models} onChange={models => change({ models })} />
          <SelectField
            label="Protocol"
            value={changes.protocol}
            options={[
              ...(known ? [] : [{ value: changes.protocol, label: changes.protocol }]),
              ...protocols.map(({ id, label }) => ({ value: id, label })),
            ]}
            onChange={protocol => change({ protocol })}
          />
          <SelectField
            label="Names"
            value={changes.names}
            options={[
              { value: 'hidden', label: 'Seats don’t know who is who' },
              { value: 'shown', label: 'Seats see each other’s names' },
            ]}
            onChange={names => change({ names: names as Changes['names'] })}
          />
          <Estimated estimate={estimate.data} problem={error ?? estimate.error} />
          <p className="sticky -bottom-6 -mx-6 -mb-6 flex justify-end gap-2 border-t border-line bg-surface px-6 py-3">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" kind="primary" disabled={isPending}>
              {isPending ? 'Forking…' : 'Fork'}
            </Button>
          </p>
        </form>
      )}
    </Dialog>
  )
}

// Seats another model instead of one that gave no answer.

export function ReplaceDialog({ seat, onClose }: { seat: string; onClose: () => void }) {
  const { session, live } = useStage()
  const [model, setModel] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => replaceSeat(session.id, seat, { seat: model }),
    onSuccess: () => {
      live.watch()
      onClose()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog title={`Replace ${seatOf(session, seat).name}`} onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <ModelField label="Model" value={model} onChange={setModel} />
        {error && <Problem error={error} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={isPending || model.trim() === ''}>
            Seat it
          </Button>
        </p>
      </form>
    </Dialog>
  )
}
