/** Whether all answers are shown whole: for reading through, and for the browser's own search. */
import { createContext, useContext } from 'react'
import { Button } from '../../../components/button.tsx'

const ExpandedContext = createContext(false)

export const ExpandedProvider = ExpandedContext.Provider
export const useExpanded = (): boolean => useContext(ExpandedContext)

export const ExpandButton = ({ expanded, onChange }: { expanded: boolean; onChange: () => void }) => (
  <Button kind="quiet" aria-pressed={expanded} onClick={onChange}>
    {expanded ? 'Fold all' : 'Expand all'}
  </Button>
)
