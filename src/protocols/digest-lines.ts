/** A digest in a prompt: how large it may be, and how a position reads in it. */
import type { Digest } from '../core/log/event.ts'
import { type Session, seatOf } from '../core/log/state.ts'
import { maskFor } from '../core/wording/mask.ts'
import { cut } from './prompt-parts.ts'

/** A digest doesn't grow with the table: it has at most this many positions and arguments. */
export const digestTokens = 600
export const mostPositions = 6
export const mostArguments = 2
export const longestQuote = 240
const longestPosition = 300

/** A position as the seats may read it: without names, and not longer than the others. */
export const positionText = (session: Session, position: string): string =>
  cut(maskFor(session)(position), longestPosition)

export const positionLine = (session: Session, position: Digest['positions'][number]): string => {
  const mask = maskFor(session)
  return JSON.stringify({
    position: positionText(session, position.position),
    arguments: position.arguments.map(({ seat, quote }) => ({
      seat: seatOf(session, seat).alias,
      quote: mask(quote),
    })),
  })
}

/** The start of a reasoning, up to the end of a sentence. */
export const firstSentence = (text: string): string => {
  const flat = text.replace(/\s+/g, ' ').trim()
  const sentence = /^.{40,240}?[.!?](?=\s|$)/.exec(flat)?.[0]
  return sentence ?? flat.slice(0, longestQuote)
}
