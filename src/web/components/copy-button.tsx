/** Copies a text and says so. The text is made when the button is pressed. */
import { useEffect, useState } from 'react'
import { Button, type ButtonKind } from './button.tsx'
import { copyText } from './clipboard.ts'

interface CopyButtonProps {
  readonly label: string
  /** What a screen reader hears, if the label alone says too little. */
  readonly described?: string
  readonly kind?: ButtonKind
  readonly className?: string
  text(): string
}

type Done = 'copied' | 'failed'
const said: Record<Done, string> = { copied: 'Copied', failed: 'Can’t copy' }
const shownFor = 2_000

export const CopyButton = ({ label, described, kind = 'quiet', className, text }: CopyButtonProps) => {
  const [done, setDone] = useState<Done>()
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(undefined), shownFor)
    return () => clearTimeout(timer)
  }, [done])
  const copy = async (): Promise<void> => setDone((await copyText(text())) ? 'copied' : 'failed')
  return (
    <Button kind={kind} className={className} aria-label={done ? undefined : described} onClick={copy}>
      <span aria-live="polite">{done ? said[done] : label}</span>
    </Button>
  )
}
