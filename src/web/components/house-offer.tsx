/** The model that comes with the program: its size, a person's consent, and how far the fetch is. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { HouseReply } from '../../api/index.ts'
import { fetchHouse, fetchWeights } from '../api.ts'
import { Button } from './button.tsx'
import { Problem } from './notice.tsx'

const pauseBetweenLooks = 700

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`

/** The house as it is now, followed while it is fetched. */
export const useHouse = (): HouseReply | undefined => {
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: ['house'],
    queryFn: fetchHouse,
    refetchInterval: query => (query.state.data?.state === 'fetching' ? pauseBetweenLooks : false),
  })
  const whole = data?.state === 'whole'
  useEffect(() => {
    if (whole) void queries.invalidateQueries({ queryKey: ['lineups'] })
  }, [whole, queries])
  return data
}

const Fetching = ({ house }: { house: HouseReply }) => {
  const fetched = house.fetched ?? 0
  return (
    <div>
      <progress
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
        max={house.bytes}
        value={fetched}
        aria-label={`Fetching ${house.name}`}
      />
      <p className="mt-1 text-sm text-soft tabular-nums">
        {megabytes(fetched)} of {megabytes(house.bytes)}
      </p>
    </div>
  )
}

/** Nothing is fetched before a person has seen what, how large it is, and under which licence. */
export const HouseOffer = ({ house }: { house: HouseReply }) => {
  const queries = useQueryClient()
  const [model, setModel] = useState(house.model)
  const wanted = house.choices.find(choice => choice.model === model) ?? house
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => fetchWeights(wanted.model),
    onSuccess: state => queries.setQueryData(['house'], state),
  })
  if (house.state === 'whole') {
    return (
      <p className="text-sm text-good">✓ {house.name} is here, and answers without a key or a network.</p>
    )
  }
  return (
    <div className="w-full space-y-3">
      <p className="text-sm text-soft">
        {wanted.name}, {megabytes(wanted.bytes)}, licence {wanted.licence}. It runs on this machine, and is
        demo-grade: it shows how a table works, and its opinions are no evidence.
      </p>
      {house.state === 'fetching' ? (
        <Fetching house={house} />
      ) : (
        <p className="flex flex-wrap gap-2">
          <Button kind="primary" disabled={isPending} onClick={() => mutate()}>
            {wanted.state === 'damaged' ? 'Mend it: fetch' : 'Fetch'} {megabytes(wanted.bytes)}
          </Button>
          {house.choices.length > 1 && (
            <select
              aria-label="Which model of the house"
              value={model}
              onChange={event => setModel(event.target.value)}
              className="min-w-0 flex-1 rounded-lg border border-line bg-surface px-2 text-sm"
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
