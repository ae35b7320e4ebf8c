/** What a step would take, or why it can't be taken. It has its room before it is known. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { VisibilityBody } from '../../api/common.ts'
import type { Accepted } from '../../api/sessions.ts'
import type { EstimateReply, ModelsReply } from '../../api/table.ts'
import { campsById } from '../../count/moves.ts'
import { EstimateFigures } from '../ask/question.tsx'
import {
  addRound,
  estimateRound,
  fetchSession,
  request,
  sessionPath,
  setVisibility,
  shareSession,
  unshareSession,
} from '../kit/api.ts'
import { CopyButton } from '../kit/controls.tsx'
import { Choice, TextField } from '../kit/fields.tsx'
import { Button, CampMark, Dialog, Problem } from '../kit/frame.tsx'
import { useMutation } from '../kit/mutation.ts'
import { useStage } from './stage.tsx'

export const Estimated = ({
  estimate,
  problem,
}: {
  estimate: EstimateReply | undefined
  problem: Error | null
}) => (
  <div className="my-4 min-h-12">
    {estimate ? <EstimateFigures estimate={estimate} /> : !problem && <p>Estimating…</p>}
    {estimate?.notes.map(note => (
      <p key={note} className="mt-1 text-sm text-soft">
        {note}
      </p>
    ))}
    {problem && <Problem error={problem} />}
  </div>
)

// modelField: A model's name, with a list of those that can be seated now.

interface ModelFieldProps {
  readonly label: string
  readonly value: string
  onChange(value: string): void
}

export const ModelField = ({ label, value, onChange }: ModelFieldProps) => {
  const list = useId()
  const { data } = useQuery({
    queryKey: ['models', 'configured'],
    queryFn: () => request<ModelsReply>('GET', '/api/models?configured=true&limit=500'),
  })
  return (
    <>
      <TextField
        label={label}
        list={list}
        value={value}
        required
        autoComplete="off"
        placeholder="Claude Sonnet 4.6, or lab/model-name"
        onChange={change => onChange(change.target.value)}
      />
      <datalist id={list}>
        {data?.models.map(model => (
          <option key={model.id} value={model.id}>
            {model.name}
          </option>
        ))}
      </datalist>
    </>
  )
}

// resolveDialog: The right answer became known: which camp had it, for the models' track record.

/** For an answer that nobody at the table gave. */
const elsewhere = 'elsewhere'

interface ChoiceProps {
  readonly checked: boolean
  onChoose(): void
  readonly children: ReactNode
}

const OutcomeChoice = ({ checked, onChoose, children }: ChoiceProps) => (
  <label className="flex items-start gap-2">
    <input
      type="radio"
      name="right"
      className="mt-1 size-4 shrink-0 accent-accent"
      checked={checked}
      onChange={onChoose}
    />
    {children}
  </label>
)

export const ResolveDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { session, numbers, live } = useStage()
  const [chosen, setChosen] = useState<string>()
  const [words, setWords] = useState('')
  const answer = chosen === elsewhere ? words : (chosen ?? '')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => request<Accepted>('POST', `${sessionPath(id)}/resolve`, { answer }),
    onSuccess: () => {
      live.watch()
      onClose()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mutate()
  }
  const choice = (value: string) => ({ checked: chosen === value, onChoose: () => setChosen(value) })
  return (
    <Dialog title="What was the right answer?" onClose={onClose}>
      <form onSubmit={submit} className="space-y-4">
        <fieldset className="space-y-2">
          <legend className="label">This counts for the track record of every model at the table</legend>
          {[...campsById(session).values()].map(camp => (
            <OutcomeChoice key={camp.id} {...choice(camp.id)}>
              <CampMark index={numbers.get(camp.id) ?? 0} />
              <span className="said">{camp.label}</span>
            </OutcomeChoice>
          ))}
          <OutcomeChoice {...choice(elsewhere)}>Another answer</OutcomeChoice>
        </fieldset>
        {chosen === elsewhere && (
          <TextField
            label="The right answer"
            value={words}
            required
            hint={session.question.format === 'open' ? 'If nobody had it, write “none”.' : undefined}
            onChange={change => setWords(change.target.value)}
          />
        )}
        {error && <Problem error={error} />}
        <p className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" disabled={isPending || answer.trim() === ''}>
            Resolve
          </Button>
        </p>
      </form>
    </Dialog>
  )
}

// roundDialog: One more round: what it would take, before anything is spent.

export const RoundDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { live } = useStage()
  const estimate = useQuery({
    queryKey: ['round-estimate', id],
    queryFn: () => estimateRound(id),
    ...{ retry: false, gcTime: 0 },
  })
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => addRound(id),
    onSuccess: () => {
      live.watch()
      onClose()
    },
  })
  return (
    <Dialog title="Add a round" onClose={onClose}>
      <p className="text-soft">
        Every seat reads the others once more and may change its mind. Then the verdict is counted anew.
      </p>
      <Estimated estimate={estimate.data} problem={error ?? estimate.error} />
      <p className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" disabled={isPending || !estimate.data} onClick={() => mutate()}>
          Add the round
        </Button>
      </p>
    </Dialog>
  )
}

// shareDialog: A link that shows this session to anyone who has it, until it is revoked.

const visibilities = [
  { value: 'private', label: 'Private' },
  { value: 'team', label: 'Shared with the team' },
] as const

/** Only with accounts, and for the owner. */
const WhoSeesIt = ({ id, visibility }: { id: string; visibility: VisibilityBody['visibility'] }) => {
  const queries = useQueryClient()
  const { mutate, error, isPending, variables } = useMutation({
    mutationFn: (next: VisibilityBody['visibility']) => setVisibility(id, { visibility: next }),
    onSuccess: () =>
      Promise.all(['session', 'sessions'].map(name => queries.invalidateQueries({ queryKey: [name] }))),
  })
  const shown = isPending ? variables : visibility
  return (
    <div className="mb-5 space-y-2 border-b border-line pb-5">
      <Choice label="Who sees it" value={shown} options={visibilities} onChange={mutate} />
      <p className="text-sm text-soft">
        {shown === 'private'
          ? 'Only you see this session.'
          : 'Everybody with an account on this server sees this session.'}
      </p>
      {error && <Problem error={error} />}
    </div>
  )
}

export const ShareDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const queries = useQueryClient()
  const { data } = useQuery({ queryKey: ['session', id], queryFn: () => fetchSession(id) })
  const { mutate, error, isPending } = useMutation({
    mutationFn: (shared: boolean): Promise<unknown> => (shared ? shareSession(id) : unshareSession(id)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['session', id] }),
  })
  const link = data?.share ? `${location.origin}${data.share.path}` : undefined
  return (
    <Dialog title="Share this session" onClose={onClose}>
      {data?.ownership?.own && <WhoSeesIt id={id} visibility={data.ownership.visibility} />}
      <p className="text-soft">
        {link
          ? 'Anyone with the link can read this session, and nothing else. You can revoke the link.'
          : 'Create a link, and anyone who has it can read this session, and nothing else. You can revoke it.'}
      </p>
      {link && (
        <div className="mt-4">
          <TextField label="Link" value={link} readOnly onFocus={focus => focus.target.select()} />
        </div>
      )}
      {error && <Problem error={error} />}
      <p className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Close</Button>
        {link ? (
          <>
            <Button kind="danger" disabled={isPending} onClick={() => mutate(false)}>
              Revoke
            </Button>
            {'share' in navigator && (
              <Button onClick={() => navigator.share({ title: data?.question, url: link }).catch(() => {})}>
                Send…
              </Button>
            )}
            <CopyButton kind="primary" label="Copy link" text={() => link} />
          </>
        ) : (
          <Button kind="primary" disabled={!data || isPending} onClick={() => mutate(true)}>
            Create link
          </Button>
        )}
      </p>
    </Dialog>
  )
}
