/** An exhibit as the seats got it: a picture, or a text that is opened at the words that were cited. */

import { useEffect, useRef } from 'react'
import { passageOf } from '../../core/excerpts.ts'
import type { Attachment } from '../../core/question.ts'
import { excerptWords, exhibitSize } from '../../words/asking.ts'
import { sessionPath } from '../kit/api.ts'
import { ScrollRegion } from '../kit/controls.tsx'
import { Button, Dialog } from '../kit/frame.tsx'
import { useStage } from './stage.tsx'

interface ExhibitDialogProps {
  /** From 1. */
  readonly exhibit: number
  readonly quote?: string | undefined
  onClose(): void
}

/** Characters before and behind the words: a long exhibit need not be drawn as a whole. */
const around = 20_000

const Words = ({ found, quote }: { readonly found: Attachment; readonly quote?: string | undefined }) => {
  const mark = useRef<HTMLElement>(null)
  // Later than the dialog's own layout effect: what isn't shown yet can't be scrolled to.
  useEffect(() => mark.current?.scrollIntoView({ block: 'center' }), [])
  const { from, to } = (quote && passageOf(found.text, quote)) || { from: 0, to: 0 }
  return (
    <ScrollRegion
      label={found.name}
      className="said mt-3 max-h-[60dvh] overflow-y-auto text-sm whitespace-pre-wrap wrap-anywhere"
    >
      {from > around && '… '}
      {found.text.slice(Math.max(0, from - around), from)}
      {to > from && (
        <mark ref={mark} className="bg-accent/25 text-ink">
          {found.text.slice(from, to)}
        </mark>
      )}
      {found.text.slice(to, to + around)}
      {to + around < found.text.length && ' …'}
    </ScrollRegion>
  )
}

const ExhibitDialog = ({ exhibit, quote, onClose }: ExhibitDialogProps) => {
  const { session, readOnly } = useStage()
  const found = session.question.attachments[exhibit - 1]
  if (!found) return null
  const isPicture = found.width !== undefined
  // A shared link has no files.
  const file = !readOnly && found.sha256 && `${sessionPath(session.id)}/files/${found.sha256}`
  return (
    <Dialog title={`[${exhibit}] ${found.name}`} onClose={onClose}>
      <p className="text-sm text-soft">
        {exhibitSize(found)}
        {session.excerpts && !isPicture && `; ${excerptWords(session.excerpts)}`}
      </p>
      {isPicture && file && (
        <img
          alt={found.name}
          src={file}
          className="mt-3 max-h-[60dvh] max-w-full object-contain"
          width={found.width}
          height={found.height}
        />
      )}
      {!isPicture && <Words found={found} quote={quote} />}
      <p className="mt-4 flex flex-wrap gap-2">
        <Button onClick={onClose}>Close</Button>
        {file && (
          <a href={file} download={found.name} className="self-center text-sm text-accent underline">
            Save the file
          </a>
        )}
      </p>
    </Dialog>
  )
}

export default ExhibitDialog
