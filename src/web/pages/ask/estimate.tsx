/** The estimate of calls, tokens, cost and time. It follows every choice on the page. */
import { passagesText, unseenNote } from '../../../core/wording/picture-words.ts'
import { EstimateFigures } from '../../components/estimate-figures.tsx'
import type { AskForm } from './form.ts'
import { notesInSight } from './notes-in-sight.ts'
import { useEstimate } from './use-estimate.ts'

const Notes = ({ notes }: { notes: readonly string[] }) => {
  const count = notesInSight(notes)
  const words = notes.slice(0, count).join(' ')
  if (count === notes.length) return words === '' ? null : <p className="mt-1 text-xs text-soft">{words}</p>
  return (
    <details className="group mt-1 text-xs text-soft">
      <summary className="list-none">
        {words}{' '}
        <span className="font-medium whitespace-nowrap underline underline-offset-2">
          {notes.length - count} more
          <span aria-hidden="true" className="ml-1 inline-block group-open:rotate-180">
            ▾
          </span>
        </span>
      </summary>
      {notes.slice(count).map(note => (
        <p key={note} className="mt-1">
          {note}
        </p>
      ))}
    </details>
  )
}

interface EstimateProps {
  readonly form: AskForm
  change(change: Partial<AskForm>): void
}

export const Estimate = ({ form, change }: EstimateProps) => {
  const { data, error, whole } = useEstimate(form)
  if ((form.seats?.length ?? 0) === 0) return null
  if (error && whole) return <p className="line-clamp-3 text-sm break-words text-bad">{error.message}</p>
  if (!data) return <p className="text-sm text-soft">{whole ? 'Estimating…' : ''}</p>
  // It stands beside the attachments.
  const unseen = data.unseen && unseenNote(data.unseen)
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
      <Notes notes={data.notes.filter(note => note !== unseen)} />
    </div>
  )
}
