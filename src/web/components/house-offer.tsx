/** The built-in model: what it is, the button that downloads it, and the progress. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { HouseReply } from '../../api/index.ts'
import { useMay } from '../account.ts'
import { downloadWeights, fetchHouse } from '../api.ts'
import { Button } from './button.tsx'
import { useMutation } from './mutation.ts'
import { Problem } from './notice.tsx'

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
