/** The body of a card on a page that was opened while the session ran: it keeps its height until its reader wants more. */

import { type ReactNode, useState } from 'react'
import { useStage } from './stage.tsx'

export const CalmBody = ({ open, children }: { open: boolean; children: ReactNode }) => {
  const { calm } = useStage()
  const [whole, setWhole] = useState(false)
  if (!calm) return <div className="mt-3">{children}</div>
  const all = whole || open
  return (
    <>
      <div className={all ? 'mt-3 min-h-60' : 'mt-3 h-60 overflow-hidden mask-b-from-80%'}>{children}</div>
      <button
        type="button"
        aria-expanded={all}
        onClick={() => setWhole(!whole)}
        className={`mt-1 text-sm font-medium text-accent hover:underline ${open ? 'invisible' : ''}`}
      >
        {all ? 'Show less' : 'Show all'}
      </button>
    </>
  )
}
