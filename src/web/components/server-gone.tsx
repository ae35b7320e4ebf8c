/** Says that the server can't be reached, over the page and without moving it; and loads again once it is back. */
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useReachable } from '../reachable.ts'

export const ServerGone = () => {
  const reachable = useReachable()
  const queries = useQueryClient()
  const router = useRouter()
  const wasGone = useRef(false)
  useEffect(() => {
    if (!reachable) {
      wasGone.current = true
      return
    }
    if (!wasGone.current) return
    wasGone.current = false
    void queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
    void router.invalidate()
  }, [reachable, queries, router])
  return (
    <div role="status" className="fixed inset-x-0 bottom-20 z-40 flex justify-center px-4 print:hidden">
      {!reachable && (
        <p className="settling rounded-lg border border-bad bg-surface px-4 py-2 text-sm shadow-lg">
          <span className="font-semibold">The connection is lost.</span> Trying again. Nothing will be missed.
        </p>
      )}
    </div>
  )
}
