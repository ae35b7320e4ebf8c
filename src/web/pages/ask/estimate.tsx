/** What asking would take, as it changes with every choice. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { EstimateReply } from '../../../api/index.ts'
import { estimate } from '../../api.ts'
import { type AskForm, bodyOf } from './form.ts'

type Range = EstimateReply['calls']

const pause = 250

/** Typing would ask the server for every letter. */
const useSettled = <Value,>(value: Value): Value => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

const short = (value: number): string => {
  if (value >= 1_000_000) return `${(value / 1_000_000).toFixed(1)}M`
  return value >= 1_000 ? `${Math.round(value / 1_000)}k` : String(Math.round(value))
}

const range = ({ low, high }: Range, word: (value: number) => string): string => {
  const [least, most] = [word(low), word(high)]
  return least === most ? least : `${least}–${most}`
}

const cents = (value: number): string => value.toFixed(value < 0.1 && value > 0 ? 3 : 2)
const time = (value: number): string =>
  value < 90 ? `${Math.round(value)} s` : `${Math.round(value / 60)} min`

const figuresOf = ({ calls, inputTokens, outputTokens, costUsd, seconds }: EstimateReply) => [
  { label: 'calls', value: range(calls, short) },
  {
    label: 'tokens',
    value: range(
      { low: inputTokens.low + outputTokens.low, high: inputTokens.high + outputTokens.high },
      short,
    ),
  },
  { label: 'cost', value: costUsd ? `$${range(costUsd, cents)}` : 'unknown' },
  { label: 'time', value: range(seconds, time) },
]

/** A question that is not written yet is taken to be short. */
const asked = (form: AskForm): AskForm => ({ ...form, question: form.question.trim() || '…' })

export const Estimate = ({ form }: { form: AskForm }) => {
  const settled = useSettled(form)
  const body = bodyOf(asked(settled))
  const { data, error } = useQuery({
    queryKey: ['estimate', body],
    queryFn: () => estimate(body),
    enabled: (body.seats?.length ?? 0) > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  if ((form.seats?.length ?? 0) === 0)
    return <p className="text-sm text-soft">Nobody sits at the table yet.</p>
  if (error) return <p className="line-clamp-3 text-sm break-words text-bad">{error.message}</p>
  if (!data) return <p className="text-sm text-soft">Working out what it takes…</p>
  return (
    <div>
      <dl aria-label="Estimate" className="grid grid-cols-2 gap-x-5 gap-y-1 sm:flex">
        {figuresOf(data).map(({ label, value }) => (
          <div key={label} className="flex flex-col">
            <dd className="text-sm font-semibold whitespace-nowrap tabular-nums sm:text-base">{value}</dd>
            <dt className="order-last text-xs text-soft">{label}</dt>
          </div>
        ))}
      </dl>
      {data.notes.length > 0 && (
        <p className="mt-1 line-clamp-2 text-xs text-soft" title={data.notes.join(' ')}>
          {data.notes.join(' ')}
        </p>
      )}
    </div>
  )
}
