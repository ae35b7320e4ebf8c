/** What a person at the terminal is shown and asked for their own seat: sealed first, then keep or change. */

import type { Answer } from '../../core/question/answer.ts'
import { judgements, reasons, textJudgements } from '../../core/question/answer.ts'
import { longestPlace, mostOwnCitations, wordsProblem } from '../../core/question/own-citations.ts'
import {
  type CitableItem,
  citableItems,
  type PromptItem,
  promptPieces,
} from '../../core/question/prompt-pieces.ts'
import type { Question } from '../../core/question/question.ts'
import { longestHeadline } from '../../core/question/reply.ts'
import type { OutsideTurn } from '../../runtime/outside.ts'
import { oneLine } from '../terminal/cells.ts'
import { type Look, paragraph } from '../terminal/look.ts'
import { answerOf, asking } from '../terminal/prompting.ts'
import type { Shell } from '../terminal/shell.ts'

const left = 'You left your seat. The session waits for you.'

const wordsOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

/** One text of another seat, or whatever else the prompt holds between its marks. */
const itemLines = (item: PromptItem, look: Look): string[] => {
  const { seat, name, value, headline, reasoning, text, ...rest } = item
  if (seat !== undefined && headline !== undefined) {
    const who = `Seat ${wordsOf(seat)}${name ? `, ${wordsOf(name)}` : ''}${value ? `: ${wordsOf(value)}` : ''}`
    return [
      ...paragraph(oneLine(who), 1, look, look.paint.faint),
      ...paragraph(oneLine(wordsOf(headline)), 1, look, look.paint.strong),
      ...[text, reasoning].flatMap(part => (part ? paragraph(oneLine(wordsOf(part)), 3, look) : [])),
      '',
    ]
  }
  const all = Object.entries({
    ...(seat !== undefined && { seat }),
    ...(name !== undefined && { name }),
    ...(text !== undefined && { text }),
    ...rest,
  })
  return [...all.flatMap(([key, part]) => paragraph(oneLine(`${key}: ${wordsOf(part)}`), 1, look)), '']
}

/** What the seat reads in this round: exactly what the prompt of a model in it would hold. */
export const readLines = ({ prompt }: OutsideTurn, look: Look): string[] =>
  promptPieces(prompt.user).flatMap(piece =>
    'items' in piece ? piece.items.flatMap(item => itemLines(item, look)) : [],
  )

/** One question after another; Ctrl-C leaves the seat. */
const asker = async (shell: Shell) => {
  const { select, text } = await import('@clack/prompts')
  const streams = asking(shell, new AbortController().signal)
  return {
    line: async (
      message: string,
      initialValue = '',
      check: (words: string) => string | undefined = () => undefined,
    ) =>
      answerOf(
        await text({ message, initialValue, validate: words => check(words ?? ''), ...streams }),
        left,
      ).trim(),
    pick: async <Value extends string>(message: string, options: readonly Value[], initial?: string) =>
      answerOf(
        await select<string>({
          message,
          options: options.map(value => ({ value, label: oneLine(value) })),
          ...(initial !== undefined && { initialValue: initial }),
          ...streams,
        }),
        left,
      ) as Value,
  }
}

type Asking = Awaited<ReturnType<typeof asker>>

const isNumber = (words: string): string | undefined =>
  words.trim() !== '' && Number.isFinite(Number(words)) ? undefined : 'Write a number.'

const valueFor = async (
  { line, pick }: Asking,
  question: Question,
  last: Answer | undefined,
): Promise<object> => {
  const { format, options, unit } = question
  switch (format) {
    case 'open':
      return {}
    case 'choice':
      return { choice: await pick('Your choice', options, last?.choice) }
    case 'ranking': {
      const ranking: string[] = []
      while (ranking.length < options.length - 1)
        ranking.push(
          await pick(
            `Place ${ranking.length + 1}`,
            options.filter(option => !ranking.includes(option)),
          ),
        )
      return { ranking: [...ranking, ...options.filter(option => !ranking.includes(option))] }
    }
    case 'number':
      return {
        number: Number(
          await line(unit ? `Your number, in ${unit}` : 'Your number', String(last?.number ?? ''), isNumber),
        ),
      }
    case 'text':
      return {
        text: await line('Your text', last?.text ?? '', words =>
          words.trim() ? undefined : 'Write your text.',
        ),
      }
    default:
      return format satisfies never
  }
}

const keep = 'Keep my answer'
const change = 'Change it'
const keepThem = 'Keep them'
const dropThem = 'Leave them out'

/** What became of the last answer, and whose words did it. */
const changeFor = async ({ line, pick }: Asking, { format }: Question): Promise<Record<string, unknown>> => {
  const decision = (await pick('Your last answer', [keep, change])) === keep ? 'kept' : 'changed'
  const quote = await line('Words of another seat that you want to quote (empty: none)')
  const seat = quote ? await line('Whose words are they? The letter of the seat') : ''
  const why = quote ? await line('What do you say to them? (empty: nothing)') : ''
  const judged = quote ? await pick('They …', format === 'text' ? textJudgements : judgements) : ''
  const reason =
    decision === 'kept' ? null : quote ? "a peer's point" : await pick('What changed your mind?', reasons)
  return {
    points: quote ? [{ seat, quote, why, judgement: judged }] : [],
    decision,
    reason,
    because: quote && decision === 'changed' ? [1] : [],
  }
}

/** Where words come from, if there is more than one place. */
const exhibitFor = async ({ pick }: Asking, items: readonly CitableItem[]): Promise<number> => {
  const labels = items.map(({ exhibit, name }) => `[${exhibit}] ${name}`)
  const picked = labels.length > 1 ? await pick('Where do they stand?', labels) : labels[0]!
  return items[labels.indexOf(picked)]!.exhibit
}

const wordsCheck = (words: string): string | undefined => {
  const problem = words.trim() === '' ? undefined : wordsProblem(words)
  return problem && `Please ${problem}.`
}

/** Passages that the answer relies on, with those of the last one if it still does. */
const citationsFor = async (
  terminal: Asking,
  items: readonly CitableItem[],
  last: Answer | undefined,
): Promise<object[]> => {
  if (items.length === 0) return []
  const { line, pick } = terminal
  const before = (last?.citations ?? []).filter(({ exhibit }) => exhibit !== undefined)
  const kept = before.length > 0 && (await pick('Your last citations', [keepThem, dropThem])) === keepThem
  const citations: object[] = kept
    ? before.map(({ exhibit, place = null, quote }) => ({ exhibit, place, quote }))
    : []
  while (citations.length < mostOwnCitations) {
    const more = citations.length > 0 ? 'More exact words' : 'Exact words of an exhibit'
    const quote = await line(`${more} that you rely on (empty: none)`, '', wordsCheck)
    if (quote === '') break
    const exhibit = await exhibitFor(terminal, items)
    const place = await line('At which place? (empty: not said)', '', words =>
      words.length > longestPlace ? `Use at most ${longestPlace} characters.` : undefined,
    )
    citations.push({ exhibit, place: place || null, quote })
  }
  return citations
}

const confidenceOf = (words: string): number | null => (words === '' ? null : Number(words) / 100)

/** The answer in the form that a model in the seat would fill in. */
export const askOwnAnswer = async (
  question: Question,
  { prompt }: Pick<OutsideTurn, 'prompt'>,
  last: Answer | undefined,
  shell: Shell,
): Promise<Record<string, unknown>> => {
  const terminal = await asker(shell)
  const changed = last ? await changeFor(terminal, question) : undefined
  const isKept = changed?.decision === 'kept'
  const value = isKept && last ? last : await valueFor(terminal, question, last)
  const headline = await terminal.line('Your answer in one sentence', last?.headline ?? '', words => {
    if (words.length > longestHeadline) return `Use at most ${longestHeadline} characters.`
    const needed = question.format === 'open' || question.format === 'text'
    return needed && words.trim() === '' ? 'Say your answer in one sentence.' : undefined
  })
  const reasoning = await terminal.line('Your reasons', last?.reasoning ?? '')
  const citations = await citationsFor(terminal, citableItems(prompt.user, prompt.shape.json), last)
  const sure =
    question.format === 'text'
      ? ''
      : await terminal.line('How sure are you, in percent? (empty: not said)', '', words =>
          words.trim() === '' || (Number(words) >= 0 && Number(words) <= 100) ? undefined : 'Write 0 to 100.',
        )
  const { choice, ranking, number, text } = value as Partial<Answer>
  return {
    ...changed,
    ...(citations.length > 0 && { citations }),
    reasoning,
    ...(choice !== undefined && { choice }),
    ...(ranking && { ranking }),
    ...(number !== undefined && { number }),
    ...(text !== undefined && { text }),
    headline,
    confidence: confidenceOf(sure),
  }
}
