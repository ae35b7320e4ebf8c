/** What a person can use without a key, and who can moderate: agents of this machine, the built-in model. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { AgentsReply, HouseReply, ModelReply } from '../../api/table.ts'
import { agreeToAgents, downloadWeights, fetchHouse, useMay } from './api.ts'
import { useSaving } from './fields.tsx'
import { Button, Problem } from './frame.tsx'
import { useMutation } from './mutation.ts'

const list = new Intl.ListFormat('en')

const readyNames = ({ installed }: AgentsReply): string =>
  list.format(installed.filter(({ ready }) => ready).map(({ label }) => label))

/** There is something to agree to. */
export const isOffered = (agents: AgentsReply): boolean =>
  agents.installed.some(({ ready }) => ready) && agents.agreed !== true

export const AgentOffer = ({ agents, changeable }: { agents: AgentsReply; changeable: boolean }) => {
  const { error, pending, run } = useSaving()
  return (
    <div className="flex w-full grow flex-col items-start gap-3">
      <p className="grow text-sm text-soft">
        You are logged in to {readyNames(agents)} on this machine. They answer without their tools, in an
        empty folder, and your subscription pays.
      </p>
      {changeable && (
        <Button kind="primary" disabled={pending} onClick={() => run(() => agreeToAgents({ agreed: true }))}>
          {pending ? 'One moment…' : 'Ask them by default'}
        </Button>
      )}
      {error && <Problem error={error} />}
    </div>
  )
}

// houseOffer: The built-in model: what it is, the button that downloads it, and the progress.

const pauseBetweenRequests = 700

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`

/** The state of the built-in model, kept up to date during a download. */
export const useHouse = (): HouseReply | undefined => {
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: ['house'],
    queryFn: fetchHouse,
    refetchInterval: query => (query.state.data?.state === 'fetching' ? pauseBetweenRequests : false),
  })
  const whole = data?.state === 'whole'
  useEffect(() => {
    if (whole) void queries.invalidateQueries({ queryKey: ['lineups'] })
  }, [whole, queries])
  return data
}

const Downloading = ({ house }: { house: HouseReply }) => {
  const fetched = house.fetched ?? 0
  return (
    <div>
      <progress
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
        max={house.bytes}
        value={fetched}
        aria-label={`Downloading ${house.name}`}
      />
      <p className="mt-1 text-sm text-soft tabular-nums">
        {megabytes(fetched)} of {megabytes(house.bytes)}
      </p>
    </div>
  )
}

/** The person sees the model, its size and its licence before anything is downloaded. */
export const HouseOffer = ({ house }: { house: HouseReply }) => {
  const queries = useQueryClient()
  const [model, setModel] = useState(house.model)
  const mayDownload = useMay('change-settings')
  const wanted = house.choices.find(choice => choice.model === model) ?? house
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => downloadWeights(wanted.model),
    onSuccess: state => queries.setQueryData(['house'], state),
  })
  if (house.state === 'whole') {
    return (
      <p className="text-sm text-good">✓ {house.name} is downloaded. It needs no API key and no network.</p>
    )
  }
  return (
    <div className="w-full space-y-3">
      <p className="text-sm text-soft">
        The built-in model runs on this machine and needs no API key. It’s a demo: it shows how a table works,
        but don’t rely on its answers. {wanted.name}, {megabytes(wanted.bytes)}, licence {wanted.licence}; the
        engine that runs it has about 80 MB more (MIT).
      </p>
      {house.state === 'fetching' && <Downloading house={house} />}
      {house.state !== 'fetching' && !mayDownload && (
        <p className="text-sm">An admin of this server can download it.</p>
      )}
      {house.state !== 'fetching' && mayDownload && (
        <p className="flex flex-wrap gap-2">
          <Button disabled={isPending} onClick={() => mutate()}>
            {wanted.state === 'damaged' ? 'Download again' : 'Download'} ({megabytes(wanted.bytes)})
          </Button>
          {house.choices.length > 1 && (
            <select
              aria-label="Which built-in model"
              value={model}
              onChange={event => setModel(event.target.value)}
              className="min-h-9 min-w-40 flex-1 rounded-lg border border-line bg-surface px-2 text-sm"
            >
              {house.choices.map(choice => (
                <option key={choice.model} value={choice.model}>
                  {choice.name}
                </option>
              ))}
            </select>
          )}
        </p>
      )}
      {house.problem && <Problem error={new Error(house.problem)} />}
      {error && <Problem error={error} />}
    </div>
  )
}

// moderators: Who can moderate, to choose from.

/** Undefined: it is chosen when the question is asked. Null: nobody moderates. */
type Moderator = string | null | undefined

const nobody = 'none'

export const moderatorOptions = (models: readonly ModelReply[]) => [
  { value: '', label: 'Automatic' },
  { value: nobody, label: 'None: code writes the report' },
  ...models.filter(({ configured }) => configured).map(({ id, name }) => ({ value: id, label: name })),
]

export const moderatorValue = (moderator: Moderator): string =>
  moderator === null ? nobody : (moderator ?? '')

export const moderatorFrom = (value: string): Moderator => (value === nobody ? null : value || undefined)
