/** The estimate of calls, tokens, cost and time. It follows every choice on the page. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { passagesText } from '../../../core/wording/picture-words.ts'
import { estimate } from '../../api.ts'
import { EstimateFigures } from '../../components/estimate-figures.tsx'
import { useSettled } from '../../components/use-settled.ts'
import { type AskForm, bodyOf, obstacleOf, withoutBytes } from './form.ts'

/** Before a question is written, the estimate is that of a short one. */
const asked = (form: AskForm): AskForm => ({ ...form, question: form.question.trim() || '…' })

interface EstimateProps {
  readonly form: AskForm
  change(change: Partial<AskForm>): void
}

export const Estimate = ({ form, change }: EstimateProps) => {
  const settled = useSettled(form)
  const body = bodyOf(withoutBytes(asked(settled)))
  /** The server would refuse a form that isn't filled in yet, and nobody made a mistake. */
  const whole = obstacleOf(asked(settled)) === undefined
  const { data, error } = useQuery({
    queryKey: ['estimate', body],
    queryFn: () => estimate(body),
    enabled: whole && (body.seats?.length ?? 0) > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  if ((form.seats?.length ?? 0) === 0) return null
  if (error && whole) return <p className="line-clamp-3 text-sm break-words text-bad">{error.message}</p>
  if (!data) return <p className="text-sm text-soft">{whole ? 'Estimating…' : ''}</p>
  return (
    <div>
      <EstimateFigures estimate={data} />
      {data.excerpts && (
        <label className="mt-1 flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={form.excerpts ?? false}
            onChange={event => change({ excerpts: event.target.checked })}
          />
          Give all seats excerpts: {passagesText(data.excerpts)}
        </label>
      )}
      {data.notes.length > 0 && (
        <details className="group mt-1 text-xs text-soft">
          <summary className="flex list-none items-end gap-1">
            <span className="line-clamp-2 group-open:line-clamp-none">{data.notes.join(' ')}</span>
            <span aria-hidden="true" className="group-open:rotate-180">
              ▾
            </span>
          </summary>
        </details>
      )}
    </div>
  )
}
