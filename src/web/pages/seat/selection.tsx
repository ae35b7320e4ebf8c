/** Words that a person selects on the page, with mouse, finger or keyboard, and the button that takes them. */
import { useEffect, useState } from 'react'
import { shortestQuote } from '../../../core/question/flattened.ts'
import { Button } from '../../components/button.tsx'

/** What can be selected: words of a seat, or of an exhibit. */
type Kind = 'quotable' | 'citable'

export interface Selected {
  readonly card: HTMLElement
  readonly words: string
}

const cardOf = (node: Node | null, kind: Kind): HTMLElement | null => {
  const element = node instanceof Element ? node : node?.parentElement
  return element?.closest<HTMLElement>(`[data-${kind}]`) ?? null
}

/** Undefined if the selection is elsewhere, too short, or spans two cards. */
const selectedWords = (kind: Kind, longest: number): Selected | undefined => {
  const selection = document.getSelection()
  const card = cardOf(selection?.anchorNode ?? null, kind)
  const words = selection?.toString().replace(/\s+/g, ' ').trim() ?? ''
  if (!card || card !== cardOf(selection?.focusNode ?? null, kind) || words.length < shortestQuote)
    return undefined
  return { card, words: words.slice(0, longest) }
}

export const useSelection = (kind: Kind, longest: number): Selected | undefined => {
  const [selected, setSelected] = useState<Selected>()
  useEffect(() => {
    const follow = (): void => setSelected(selectedWords(kind, longest))
    document.addEventListener('selectionchange', follow)
    return () => document.removeEventListener('selectionchange', follow)
  }, [kind, longest])
  return selected
}

export const endSelection = (): void => document.getSelection()?.removeAllRanges()

/** Above everything, so that nothing moves when words are selected. */
export const TakeButton = ({ children, onTake }: { children: React.ReactNode; onTake(): void }) => (
  <p className="fixed inset-x-0 bottom-4 z-40 flex justify-center px-4">
    {/* A press must not end the selection before it is taken. */}
    <Button
      kind="primary"
      className="shadow-lg"
      onPointerDown={event => event.preventDefault()}
      onClick={onTake}
    >
      {children}
    </Button>
  </p>
)
