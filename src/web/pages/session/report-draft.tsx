/** The report while the moderator writes it. Its counts may still change until the session is over. */
import { reportWriter } from '../../../core/log/live-event.ts'
import { useDraft } from '../../live.ts'
import { useStage } from './stage.ts'

/** Its parts in the order in which they are written: what comes later must not push what is being read. */
export const useReportDraft = (): readonly string[] => {
  const { live, atEnd, session } = useStage()
  const draft = useDraft(live, reportWriter)
  if (!draft || !atEnd || session.stopped) return []
  return [draft.points, draft.reasoning, draft.headline].filter(part => part.trim() !== '')
}

export const ReportDraft = ({ parts }: { parts: readonly string[] }) => (
  <section aria-label="The report, as it is written" aria-busy="true" className="card mt-3 px-4 py-3">
    {parts.map((part, place) => (
      <p key={place} dir="auto" className="said mt-2 whitespace-pre-line wrap-anywhere">
        {part}
      </p>
    ))}
  </section>
)
