/** The estimate of calls, tokens, cost and time. It follows every choice on the page. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { EstimateReply } from '../../../api/index.ts'
import { estimateText } from '../../../core/wording/estimate.ts'
import { estimate } from '../../api.ts'
import { type AskForm, bodyOf } from './form.ts'

const pause = 250

/** Without this, typing would send a request for every letter. */
const useSettled = <Value,>(value: Value): Value => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

const figuresOf = (reply: EstimateReply) =>
  Object.entries(estimateText(reply)).map(([label, value]) => ({ label, value }))

/** Before a question is written, the estimate is that of a short one. */
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
    return <p className="text-sm text-soft">No model is at the table yet.</p>
  if (error) return <p className="line-clamp-3 text-sm break-words text-bad">{error.message}</p>
  if (!data) return <p className="text-sm text-soft">Estimating…</p>
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
