/** The estimate of the form as it is now. Several parts of the page show something of it; it is asked for once. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { EstimateReply } from '../../../api/index.ts'
import { estimate } from '../../api.ts'
import { useSettled } from '../../components/use-settled.ts'
import { type AskForm, bodyOf, obstacleOf, withoutBytes } from './form.ts'

/** Before a question is written, the estimate is that of a short one. */
const asked = (form: AskForm): AskForm => ({ ...form, question: form.question.trim() || '…' })

interface Estimated {
  readonly data: EstimateReply | undefined
  readonly error: Error | null
  /** The server would refuse a form that isn't filled in yet, and nobody made a mistake. */
  readonly whole: boolean
}

export const useEstimate = (form: AskForm): Estimated => {
  const settled = useSettled(form)
  const body = bodyOf(withoutBytes(asked(settled)))
  const whole = obstacleOf(asked(settled)) === undefined
  const { data, error } = useQuery({
    queryKey: ['estimate', body],
    queryFn: () => estimate(body),
    enabled: whole && (body.seats?.length ?? 0) > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return { data, error, whole }
}
