/** The title of the window, for as long as a page is open. */
import { useEffect } from 'react'

const longest = 80

export const useTitle = (title: string | undefined): void => {
  useEffect(() => {
    if (title === undefined) return
    const short = title.length > longest ? `${title.slice(0, longest - 1)}…` : title
    document.title = `${short} · Roundtable`
    return () => {
      document.title = 'Roundtable'
    }
  }, [title])
}
