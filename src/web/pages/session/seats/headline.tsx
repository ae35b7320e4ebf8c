/** A headline, with what changed since the seat's last one marked in it. */
import { useMemo } from 'react'
import { keptShare, type Piece, wordDiff } from './diff.ts'

/** If less than this is left of the old words, marking the rest would mark everything. */
const worthMarking = 0.35

const Pieces = ({ pieces }: { pieces: readonly Piece[] }) =>
  pieces.map(({ kind, text }, index) => {
    const key = `${index} ${kind}`
    if (kind === 'added') {
      return (
        <ins key={key} className="rounded-sm bg-wash decoration-accent decoration-2 underline-offset-4">
          {text}
        </ins>
      )
    }
    return kind === 'removed' ? (
      <del key={key} className="decoration-soft">
        {text}
      </del>
    ) : (
      <span key={key}>{text}</span>
    )
  })

interface HeadlineProps {
  readonly text: string
  /** Its last one, if it differs. */
  readonly before?: string
}

export const Headline = ({ text, before }: HeadlineProps) => {
  const pieces = useMemo(() => (before === undefined ? [] : wordDiff(before, text)), [before, text])
  const marked = before !== undefined && keptShare(pieces) >= worthMarking
  return (
    <>
      <p className="said text-[1.0625rem] leading-snug font-semibold" dir="auto">
        {marked ? <Pieces pieces={pieces.filter(piece => piece.kind !== 'removed')} /> : text}
      </p>
      {before !== undefined && (
        <p className="said mt-1.5 text-sm text-soft" dir="auto">
          <span className="font-sans">Before: </span>
          {marked ? <Pieces pieces={pieces.filter(piece => piece.kind !== 'added')} /> : before}
        </p>
      )}
    </>
  )
}
