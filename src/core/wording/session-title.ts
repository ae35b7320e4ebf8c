/** What a session is called, and what its question asks for. */
import type { Format, Question } from '../question/question.ts'
import { models } from './numbers.ts'

/** "Open Debate": by format, and by whether any seat saw what others wrote. */
export const kindText = (format: Format, isDebate: boolean): string =>
  `${format === 'open' ? 'Open ' : ''}${isDebate ? 'Debate' : 'Poll'}`

/** "AI Roundtable Open Debate · 6 models": the first line of a transcript, which is read back. */
export const sessionTitle = (format: Format, isDebate: boolean, seats: number): string =>
  `AI Roundtable ${kindText(format, isDebate)} · ${models(seats)}`

interface AskedFor {
  readonly format: Format
  readonly options: readonly string[]
  readonly unit?: string
  readonly scale?: Question['scale']
}

/** How the question is to be answered; undefined if in free words. */
export const formatNote = ({ format, options, unit, scale }: AskedFor): string | undefined => {
  switch (format) {
    case 'open':
      return undefined
    case 'text':
      return 'A text'
    case 'choice':
      return `Options: ${options.join(' | ')}`
    case 'ranking':
      return `Rank: ${options.join(' | ')}`
    case 'number':
      return `A number${unit ? ` in ${unit}` : ''}${scale === 'log' ? ', on a log scale' : ''}`
    default:
      return format satisfies never
  }
}

/** What a reader must know before believing any of it; undefined if models gave all the replies. */
export const scriptedNote = (
  seats: readonly { readonly name: string; readonly scripted?: boolean }[],
): string | undefined => {
  const scripted = seats.filter(seat => seat.scripted)
  if (scripted.length === 0) return undefined
  const who = scripted.length === seats.length ? 'all seats' : scripted.map(seat => seat.name).join(', ')
  return `Scripted: the replies of ${who} were written in advance, not by a model.`
}

export const importedNote =
  'Imported: the transcript has no earlier rounds, so its moves and its agreement are claims.'
