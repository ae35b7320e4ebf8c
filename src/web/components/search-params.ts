/** The search parameters of the address, for pages whose choices can be linked to. */
import { useLocation, useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'

type Change = Readonly<Record<string, string | undefined>>

/** The parameters, and a way to change some of them: what is empty is left out. */
export const useSearchParams = (): readonly [URLSearchParams, (change: Change) => void] => {
  const { history } = useRouter()
  const { pathname, searchStr } = useLocation()
  const params = useMemo(() => new URLSearchParams(searchStr), [searchStr])
  const change = (wanted: Change): void => {
    const next = new URLSearchParams(params)
    for (const [name, value] of Object.entries(wanted)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    history.replace(next.size > 0 ? `${pathname}?${next}` : pathname)
  }
  return [params, change]
}
