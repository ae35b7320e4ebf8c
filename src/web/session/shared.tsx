/** A session behind a share link: the same page, read-only. */

import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { fetchShared, RequestRefused, sharedPath } from '../kit/api.ts'
import { Notice, Waiting } from '../kit/frame.tsx'
import { SessionView } from './view.tsx'

const isGone = (error: Error): boolean => error instanceof RequestRefused && error.status === 404

/** An unknown link is the usual reason; the server may also be down. */
const Failed = ({ error }: { error: Error }) =>
  isGone(error) ? (
    <Notice title="This link was revoked or is incomplete">Ask the sender for a new one.</Notice>
  ) : (
    <Notice title="This session can’t be loaded">{error.message}</Notice>
  )

export const Page = () => {
  const { token = '' } = useParams({ strict: false })
  const { data, error } = useQuery({
    queryKey: ['shared', token],
    queryFn: () => fetchShared(token),
    // Asking again for a link that was revoked only makes people wait.
    retry: (failures, failure) => failures < 1 && !isGone(failure),
  })
  if (error && !data) return <Failed error={error} />
  if (!data) return <Waiting what="Loading the session" />
  return <SessionView key={token} stream={`${sharedPath(token)}/events`} known={data.events} readOnly />
}
