/** A session that a page watches may become private: the stream is refused without a reason, and would be tried forever. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { fetchSession, RequestRefused } from '../api.ts'
import { useReachable } from '../reachable.ts'

const words = 'You can no longer see this session: its owner has made it private, or deleted it.'

/** After each interruption, asks for the sessions that are shown, and takes those away that are gone. */
export const useGoneSessions = (): void => {
  const queries = useQueryClient()
  const reachable = useReachable()
  const lost = useRef(false)
  useEffect(() => {
    const shown = queries.getQueryCache().findAll({ queryKey: ['session'], type: 'active' })
    if (reachable && lost.current)
      for (const query of shown)
        fetchSession(String(query.queryKey[1])).catch((error: unknown) => {
          if (!(error instanceof RequestRefused) || error.status !== 404) return
          query.setState({ data: undefined, status: 'error', error: new RequestRefused(words, 404) })
        })
    lost.current = !reachable
  }, [reachable, queries])
}
