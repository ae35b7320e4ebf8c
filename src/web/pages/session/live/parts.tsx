/** What a session under way shows where its verdict will be: the count so far, the report as it is written, and every seat. */
import { ReportDraft } from '../report-draft.tsx'
import { LiveList } from '../seats/live-list.tsx'
import { ProvisionalVerdict } from './provisional.tsx'

export default function LiveParts() {
  return (
    <>
      <ProvisionalVerdict />
      <ReportDraft />
      <LiveList />
    </>
  )
}
