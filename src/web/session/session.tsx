/** A session under its own address, with everything that its owner can do. */

import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { fetchSession, sessionPath } from '../kit/api.ts'
import { Failed, NoticeLink, Waiting } from '../kit/frame.tsx'
import { SessionView } from './view.tsx'

export const Page = () => {
  const { id = '' } = useParams({ strict: false })
  const { data, error } = useQuery({ queryKey: ['session', id], queryFn: () => fetchSession(id) })
  if (error && !data)
    return (
      <Failed title="This session can’t be shown" error={error}>
        <NoticeLink to="/sessions">Show all sessions</NoticeLink>
      </Failed>
    )
  if (!data) return <Waiting what="Loading the session" />
  return (
    <SessionView
      key={id}
      stream={`${sessionPath(id)}/events`}
      known={data.events}
      ownership={data.ownership}
    />
  )
}
