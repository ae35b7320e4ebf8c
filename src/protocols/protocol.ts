/** The rule that decides who is asked what next: a pure function from state to commands. */
import type { Command, Digest, Happening } from '../core/event.ts'
import type { Shape } from '../core/form.ts'
import type { SessionOpened } from '../core/opening.ts'
import type { Format } from '../core/question.ts'
import type { Round, Session } from '../core/session.ts'

export interface Prompt {
  readonly system: string
  /** The parts of one message. Those that most calls share come first, so that providers' caches hit. */
  readonly user: readonly string[]
  /** How many of them, from the first on, other calls of this model repeat with the same form. Absent: none. */
  readonly shared?: number
  readonly shape: Shape
  /** The model is to search the web with its maker's tool. */
  readonly search?: boolean
  /** If the reply may have fewer tokens than usual. */
  readonly maxOutputTokens?: number
  /** How many tokens more than usual a long text may need. */
  readonly longerBy?: number
}

/** How large a session is going to be. */
export interface Load {
  readonly seats: number
  readonly rounds: number
  /** Tokens of the question with its attachments, and of one answer. */
  readonly question: number
  readonly answer: number
  readonly open: boolean
}

export interface Amount {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Web searches. Absent: none. */
  readonly searches?: number
}

export interface Expectation extends Amount {
  /** The moderator's share of it. */
  readonly moderator: Amount
}

/** A session that isn't open yet. */
export type OpeningFacts = Omit<SessionOpened, 'language'>

export interface Protocol {
  readonly id: string
  readonly label: string
  /** One line for pickers and help. */
  readonly summary: string
  /** Open rounds: the usual number, and the most. */
  readonly rounds: { readonly usual: number; readonly most: number }
  /** It may end before it has held all of its rounds. */
  readonly stopsEarly?: boolean
  /** The question formats it supports. Absent: all. */
  readonly formats?: readonly Format[]
  /** Seats are told figures of the group. In all other protocols no seat is told a count. */
  readonly tellsFigures?: boolean
  /**
   * Everything that should be running now. The runtime starts what it hasn't started yet, so the same state must give
   * the same commands. Empty means: wait for what is running.
   */
  next(session: Session): readonly Command[]
  /** What a seat is asked in a round. */
  prompt(session: Session, seat: string, round: number): Prompt
  /** The digest for `write-digest`, if code writes it instead of the moderator. */
  digest?(session: Session, round: Round): Digest
  expect(load: Load): Expectation
  /** One sentence for the estimate, if open rounds depend on the sealed vote. */
  whenItTalks?(opened: OpeningFacts): string | undefined
}

// modelStep: One thing that a model is asked besides a seat's answer: its prompt, and the event that its reply becomes.

export interface ModelStep<Command> {
  prompt(session: Session, command: Command): Prompt
  /** The event that the reply becomes, or what is wrong with the reply. */
  read(raw: unknown, session: Session, command: Command): Happening | { readonly problem: string }
  /** What can be used of a reply that was still wrong when the model was asked once more. */
  salvage?(raw: unknown, session: Session, command: Command): Happening | undefined
}

// promptPieces: A seat's prompt taken apart for a person who reads it: what the table says, and what stands between the marks.

export type PromptItem = Readonly<Record<string, unknown>>

export type PromptPiece = { readonly text: string } | { readonly items: readonly PromptItem[] }

/** An exhibit or a source with words that can be cited. */
export interface CitableItem {
  readonly exhibit: number
  readonly name: string
}

const citableFrom = ({ exhibit, name, title, text, quotes }: PromptItem): CitableItem[] =>
  typeof exhibit === 'number' && (typeof text === 'string' || Array.isArray(quotes))
    ? [{ exhibit, name: String(name ?? title ?? '') }]
    : []

/**
 * Each exhibit and source of a prompt once, in their order; pictures have no words. Nothing if `form`, the JSON schema of
 * the answer, asks for no citations.
 */
export const citableItems = (user: readonly string[], { properties }: PromptItem): CitableItem[] => {
  if (typeof properties !== 'object' || properties === null || !('citations' in properties)) return []
  const all = promptPieces(user).flatMap(piece => ('items' in piece ? piece.items.flatMap(citableFrom) : []))
  return [...new Map(all.toReversed().map(one => [one.exhibit, one])).values()].toSorted(
    (one, other) => one.exhibit - other.exhibit,
  )
}

/** A line between the marks is one JSON object. Anything else is shown as it stands. */
const itemFrom = (line: string): PromptItem => {
  if (!line.startsWith('{') || !line.endsWith('}')) return { text: line }
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as PromptItem
  } catch {
    // It is text, then.
  }
  return { text: line }
}

/** The words and the texts of others, in the order of the prompt. */
export const promptPieces = (user: readonly string[]): PromptPiece[] => {
  const pieces: PromptPiece[] = []
  let words: string[] = []
  let items: PromptItem[] | undefined
  let end = ''
  const endText = (): void => {
    const text = words.join('\n').trim()
    if (text !== '') pieces.push({ text })
    words = []
  }
  for (const part of user) {
    for (const line of part.split('\n')) {
      if (items && line === end) {
        pieces.push({ items })
        items = undefined
      } else if (items) items.push(itemFrom(line))
      else if (/^<<<[^\s<>]+$/.test(line)) {
        endText()
        end = `${line.slice('<<<'.length)}>>>`
        items = []
      } else words.push(line)
    }
    if (!items) endText()
  }
  endText()
  return items ? [...pieces, { items }] : pieces
}
