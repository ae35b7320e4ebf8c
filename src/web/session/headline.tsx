/** A headline, with what changed since the seat's last one marked in it. */

import { useMemo } from 'react'
import type { ModelError } from '../../core/basics.ts'
import type { Seat } from '../../core/opening.ts'
import type { Answer } from '../../core/question.ts'
import type { Draft } from '../../core/session.ts'
import { type Standing, wayOf } from '../../count/moves.ts'
import { shownRound } from '../../count/verdict.ts'
import { roundLabel } from '../../words/moves.ts'
import { failureName } from '../../words/words.ts'
import { CopyButton } from '../kit/controls.tsx'
import { CampMark } from '../kit/frame.tsx'
import { keptShare, type Piece, wordDiff } from './quotes.tsx'
import { seatAnchor, useStage } from './stage.tsx'

// failure: Why a model gave no answer: what kind of failure, and the provider's own words.

export const Failure = ({ what, error }: { what: string; error: ModelError }) => (
  <>
    <p className="font-semibold text-bad">
      {what}: {failureName(error)}
    </p>
    <blockquote className="mt-2 rounded-lg bg-shade px-3 py-2 font-mono text-sm wrap-anywhere">
      {error.message}
    </blockquote>
  </>
)

export const AskedAgain = ({ attempt, why, waits }: NonNullable<Draft['retrying']>) => (
  <p className="text-sm text-soft">{waits ? why : `Asked again (try ${attempt}): ${why}`}</p>
)

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

// seatTools: What a reader takes along from a seat: its whole answer, its headline as a quotation, or a link to it.

const linkTo = (seat: Seat): string => `${location.origin}${location.pathname}#${seatAnchor(seat)}`

const cardText = (name: string, { headline, reasoning, text }: Answer): string =>
  [`${name}: ${headline}`, text, reasoning].filter(part => part?.trim()).join('\n\n')

interface SeatToolsProps {
  readonly seat: Seat
  readonly name: string
  readonly answer: Answer
}

export const SeatTools = ({ seat, name, answer }: SeatToolsProps) => {
  const small = 'min-h-7! px-1.5! py-0.5! text-soft'
  return (
    <p className="mt-3 -ml-1.5 flex flex-wrap gap-1 print:hidden">
      <CopyButton
        label="Copy"
        described={`Copy the answer of ${name}`}
        className={small}
        text={() => cardText(name, answer)}
      />
      <CopyButton
        label="Quote"
        described={`Copy a quote of ${name}`}
        className={small}
        text={() => `“${answer.headline}” (${name})`}
      />
      <CopyButton
        label="Link"
        described={`Copy a link to ${name}`}
        className={small}
        text={() => linkTo(seat)}
      />
    </p>
  )
}

// shortened: The beginning of a long text, cut where a thought ends: whole paragraphs, else whole sentences, else whole words.

/** Marks that may end a sentence, with the space after them; in Chinese and Japanese none follows. */
const sentenceEnd = /[.!?…](?:["”’)\]]{0,2})(?=\s)|[。！？]/gu

const lastEnd = (text: string, most: number): number =>
  [...text.slice(0, most + 1).matchAll(sentenceEnd)]
    .map(({ 0: mark, index }) => index + mark.length)
    .at(-1) ?? 0

/** At most as long as said, unless not even a word would fit. */
export const shortened = (text: string, most: number): string => {
  if (text.length <= most) return text
  const paragraph = text.slice(0, most + 1).lastIndexOf('\n\n')
  if (paragraph > most / 3) return text.slice(0, paragraph)
  const sentence = lastEnd(text, most)
  if (sentence > most / 3) return text.slice(0, sentence)
  const word = text.slice(0, most).lastIndexOf(' ')
  return `${text.slice(0, word > 0 ? word : most).trimEnd()} …`
}

// way: The way of a seat that changed its mind: from where it stood in the sealed round to where it stands now.

export const Way = ({ standing }: { standing: Standing }) => {
  const { session, numbers } = useStage()
  const round = shownRound(session)
  const stops = round ? wayOf(session, round, standing.seat.id) : []
  if (stops.length < 2 || standing.changedIn.length === 0) return null
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5 text-sm text-soft">
      {stops.map(({ round: at, camp }, index) => (
        <span key={at.index} className="inline-flex items-center gap-1.5" title={camp.label}>
          {index > 0 && <span aria-hidden="true">→</span>}
          <span>{roundLabel(at)}</span>
          <CampMark index={numbers.get(camp.id) ?? 0} className="size-4.5" />
          <span className="sr-only">camp {(numbers.get(camp.id) ?? 0) + 1},</span>
        </span>
      ))}
    </span>
  )
}
