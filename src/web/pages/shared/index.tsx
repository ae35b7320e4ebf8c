/** A session that somebody shared: the same page, to read and to watch, without anything to change. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { fetchShared, sharedPath } from '../../api.ts'
import { Notice, Waiting } from '../../components/notice.tsx'
import { useTitle } from '../../components/title.ts'
import { SessionView } from '../session/session-view.tsx'

export const Page = () => {
  const { token = '' } = useParams({ strict: false })
  const { data, error } = useQuery({ queryKey: ['shared', token], queryFn: () => fetchShared(token) })
  useTitle(data?.question)
  if (error) return <Notice title="This link shows nothing">{error.message}</Notice>
  if (!data) return <Waiting what="Fetching the session" />
  return <SessionView key={token} stream={`${sharedPath(token)}/events`} known={data.events} readOnly />
}
