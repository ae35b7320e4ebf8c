/** What a session is called, and what its question asks for. */
import { type Format, type Question, wordsFor } from '../question/question.ts'
import type { Level } from '../verdict/tally.ts'
import { models, wholeNumber } from './numbers.ts'
import { outsideNote } from './outside-words.ts'
import { numberText } from './values.ts'

/** "Open Debate": by format, and by whether any seat saw what others wrote. */
export const kindText = (format: Format, isDebate: boolean): string => {
  const kind = format === 'open' ? 'Open ' : format === 'text' ? 'Text ' : ''
  return `${kind}${isDebate ? 'Debate' : 'Poll'}`
}

/** "AI Roundtable Open Debate · 6 models": the first line of a transcript, which is read back. */
export const sessionTitle = (format: Format, isDebate: boolean, seats: number): string =>
  `AI Roundtable ${kindText(format, isDebate)} · ${models(seats)}`

interface AskedFor {
  readonly format: Format
  readonly options: readonly string[]
  readonly unit?: string
  readonly scale?: Question['scale']
  readonly tolerance?: Question['tolerance']
  readonly length?: number
  readonly camps?: Question['camps']
}

/** "A number in km, on a log scale, give or take 10%" */
const numberNote = ({ unit, scale, tolerance }: AskedFor): string => {
  const within = typeof tolerance === 'number' ? numberText(tolerance, unit) : tolerance
  return [
    `A number${unit ? ` in ${unit}` : ''}`,
    ...(scale === 'log' ? ['on a log scale'] : []),
    ...(within === undefined ? [] : [`give or take ${within}`]),
  ].join(', ')
}

/** How the question is to be answered; undefined if in free words. */
export const formatNote = (asked: AskedFor): string | undefined => {
  switch (asked.format) {
    case 'open':
      return undefined
    case 'text':
      return `A text of about ${wholeNumber(wordsFor(asked))} words${asked.camps ? ', grouped by intent' : ''}`
    case 'choice':
      return `Options: ${asked.options.join(' · ')}`
    case 'ranking':
      return `Rank: ${asked.options.join(' · ')}`
    case 'number':
      return numberNote(asked)
    default:
      return asked.format satisfies never
  }
}

/** What the first sentence of the report is. */
export const reportTitle = (format: Format, level: Level | null): string => {
  if (level === 'no-quorum') return 'No verdict'
  if (format === 'text') return 'What the texts have in common'
  const isDivided = level === 'plurality' || level === 'tie' || level === 'split'
  return isDivided ? 'Where the table stands' : "The table's answer"
}

/** What a reader must know before believing any of it; undefined if models gave all the replies. */
const scriptedNote = (
  seats: readonly { readonly name: string; readonly scripted?: boolean }[],
): string | undefined => {
  const scripted = seats.filter(seat => seat.scripted)
  if (scripted.length === 0) return undefined
  const who = scripted.length === seats.length ? 'all seats' : scripted.map(seat => seat.name).join(', ')
  return `Scripted: the replies of ${who} were written in advance, not by a model.`
}

/** Below the title of a session: who didn't answer as a model does. */
export const seatNotes = (
  seats: readonly {
    readonly name: string
    readonly scripted?: boolean
    readonly outside?: boolean
    readonly person?: boolean
  }[],
): string[] => [scriptedNote(seats), outsideNote(seats)].filter(note => note !== undefined)

/** What the asker wants to be kept in mind, if anything. */
export const instructionNote = ({ instruction }: Pick<Question, 'instruction'>): string | undefined =>
  instruction && `Instruction of the asker: ${instruction}`

export const importedNote =
  'Imported: the transcript has no earlier rounds, so its moves and its agreement are claims.'
