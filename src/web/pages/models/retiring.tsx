/** Models of one's line-ups that are about to be retired, with an offer to ask each for its letter. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { RetiringReply } from '../../../api/index.ts'
import { letterTask } from '../../../core/letters/task.ts'
import { utcDayText } from '../../../core/wording/dates.ts'
import { askTable, fetchRetiring } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { useMutation } from '../../components/mutation.ts'
import { Problem } from '../../components/notice.tsx'

type Leaving = RetiringReply['models'][number]

const Row = ({ leaving }: { leaving: Leaving }) => {
  const navigate = useNavigate()
  const { model, name, retires, successor, lineups } = leaving
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => askTable({ question: letterTask(), book: {}, seats: [model] }),
    onSuccess: ({ id }) => navigate({ to: '/s/$id', params: { id } }),
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <p className="min-w-0 wrap-anywhere">
        <strong>{name}</strong> is turned off on {utcDayText(retires)}
        {successor ? `; ${successor.name} comes after it` : ''}.
        <span className="block text-sm text-soft">It sits at: {lineups.join(', ')}</span>
      </p>
      <Button disabled={isPending} onClick={() => mutate()}>
        Ask for its letter
      </Button>
      {error && <Problem error={error} />}
    </li>
  )
}

/** Nothing until the providers have said so: most models stay. */
export const RetiringModels = () => {
  const { data } = useQuery({ queryKey: ['retiring'], queryFn: fetchRetiring })
  if (!data || data.models.length === 0) return null
  return (
    <section aria-label="Models about to be retired" className="card p-4 sm:p-6">
      <h2 className="said text-xl font-semibold">About to be retired</h2>
      <p className="mt-1 text-sm text-soft">
        Their providers say so. Ask each for a letter to its successor.
      </p>
      <ul className="mt-2 divide-y divide-line">
        {data.models.map(leaving => (
          <Row key={leaving.model} leaving={leaving} />
        ))}
      </ul>
    </section>
  )
}
