/** A session that is watched may be gone by the time that the server answers again: a stream that is refused doesn't say why. */
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { SessionReply } from '../../../api/index.ts'
import { hasAccounts } from '../../account.ts'
import { RequestRefused } from '../../api.ts'
import { useReachable } from '../../reachable.ts'

/** With accounts, asks again after each interruption. Without data: its owner has made it private, or deleted it. */
export const useWatched = (
  query: UseQueryResult<SessionReply>,
): UseQueryResult<SessionReply> & { readonly wasThere: boolean } => {
  const { refetch, error, data } = query
  const reachable = useReachable()
  const lost = useRef(false)
  useEffect(() => {
    if (reachable && lost.current && hasAccounts()) void refetch()
    lost.current = !reachable
  }, [reachable, refetch])
  const isGone = error instanceof RequestRefused && error.status === 404
  const seen = isGone ? { ...query, data: undefined } : query
  return { ...seen, wasThere: data !== undefined } as ReturnType<typeof useWatched>
}
