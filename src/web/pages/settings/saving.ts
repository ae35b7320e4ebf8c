/** Saves something on the settings page: says if it failed, and shows what is configured afterwards. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

interface Saving {
  readonly error: Error | null
  readonly pending: boolean
  run(save: () => Promise<unknown>): Promise<boolean>
}

/** No mutation of the query client: it would keep the key that was sent in its memory. */
export const useSaving = (): Saving => {
  const queries = useQueryClient()
  const [error, setError] = useState<Error | null>(null)
  const [pending, setPending] = useState(false)
  const run = async (save: () => Promise<unknown>): Promise<boolean> => {
    setPending(true)
    setError(null)
    try {
      await save()
      await Promise.all(
        ['settings', 'lineups', 'models', 'estimate'].map(name =>
          queries.invalidateQueries({ queryKey: [name] }),
        ),
      )
      return true
    } catch (problem) {
      setError(problem instanceof Error ? problem : new Error(String(problem)))
      return false
    } finally {
      setPending(false)
    }
  }
  return { error, pending, run }
}
