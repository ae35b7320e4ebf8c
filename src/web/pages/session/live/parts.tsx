/** What a session under way shows where its verdict will be: the count so far, and every seat or the report as it is written. */
import { LiveList } from '../seats/live-list.tsx'
import { ProvisionalVerdict } from './provisional.tsx'

export default function LiveParts() {
  return (
    <>
      <ProvisionalVerdict />
      <LiveList />
    </>
  )
}
