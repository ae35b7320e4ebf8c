/** What a person at the terminal is shown and asked for their own seat: sealed first, then keep or change. */

import type { Answer } from '../../core/question/answer.ts'
import { judgements, reasons, textJudgements } from '../../core/question/answer.ts'
import { type PromptItem, promptPieces } from '../../core/question/prompt-pieces.ts'
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

const confidenceOf = (words: string): number | null => (words === '' ? null : Number(words) / 100)

/** The answer in the form that a model in the seat would fill in. */
export const askOwnAnswer = async (
  question: Question,
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
  const sure =
    question.format === 'text'
      ? ''
      : await terminal.line('How sure are you, in percent? (empty: not said)', '', words =>
          words.trim() === '' || (Number(words) >= 0 && Number(words) <= 100) ? undefined : 'Write 0 to 100.',
        )
  const { choice, ranking, number, text } = value as Partial<Answer>
  return {
    ...changed,
    reasoning,
    ...(choice !== undefined && { choice }),
    ...(ranking && { ranking }),
    ...(number !== undefined && { number }),
    ...(text !== undefined && { text }),
    headline,
    confidence: confidenceOf(sure),
  }
}
