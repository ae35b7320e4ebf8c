/** The report while the moderator writes it. Its counts may still change until the session is over. */
import { reportWriter } from '../../../core/log/live-event.ts'
import { ScrollRegion } from '../../components/scroll-region.tsx'
import { useDraft } from '../../live.ts'
import { useStage } from './stage.ts'

export const ReportDraft = () => {
  const { live, atEnd, session } = useStage()
  const draft = useDraft(live, reportWriter)
  // In the order in which they are written: what comes later must not push what is being read.
  const parts = draft && atEnd && !session.stopped ? [draft.points, draft.reasoning, draft.headline] : []
  const written = parts.filter(part => part.trim() !== '')
  if (written.length === 0) return null
  return (
    <section aria-labelledby="report-draft" aria-busy="true" className="card p-4 sm:p-6">
      <h2 id="report-draft" className="label mb-3">
        The report, as it is written
      </h2>
      {/* Of one height, and turned upside down twice: the newest words stay in sight, and the seats below where they are. */}
      <ScrollRegion label="Report" className="flex h-36 flex-col-reverse overflow-y-auto">
        {written.toReversed().map((part, place) => (
          <p
            key={written.length - place}
            dir="auto"
            className="said mt-2 whitespace-pre-line wrap-anywhere first:mb-auto"
          >
            {part}
          </p>
        ))}
      </ScrollRegion>
    </section>
  )
}
