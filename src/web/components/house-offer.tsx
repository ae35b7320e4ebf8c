/** The model that comes with the program: its size, a person's consent, and how far the fetch is. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { HouseReply } from '../../server/api.ts'
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
        className="h-2 w-full accent-accent"
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

export const HouseOffer = ({ house }: { house: HouseReply }) => {
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: fetchWeights,
    onSuccess: state => queries.setQueryData(['house'], state),
  })
  if (house.state === 'whole') {
    return (
      <p className="text-sm text-good">✓ {house.name} is here, and answers without a key or a network.</p>
    )
  }
  return (
    <div className="space-y-3">
      <p className="text-sm text-soft">
        {house.name}, {megabytes(house.bytes)}, licence {house.licence}. It runs on this machine. It is
        demo-grade: it shows how a table works, and its opinions are no evidence.
      </p>
      {house.state === 'fetching' ? (
        <Fetching house={house} />
      ) : (
        <Button kind="primary" disabled={isPending} onClick={() => mutate()}>
          {house.state === 'damaged' ? 'Mend it: fetch' : 'Fetch'} {megabytes(house.bytes)}
        </Button>
      )}
      {house.problem && <Problem error={new Error(house.problem)} />}
      {error && <Problem error={error} />}
    </div>
  )
}
