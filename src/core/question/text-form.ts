/** The form for a text: what it should do, then the text. Nobody can be right with a text, so nobody is asked how sure it is. */
import { z } from 'zod'
import { textDecisions, textJudgements, textReasons } from './answer.ts'
import { type Question, wordsFor } from './question.ts'

type Parts = Record<'before' | 'reasoning' | 'answer', z.ZodRawShape>

const comments = {
  points: z
    .array(
      z.strictObject({
        seat: z.string().describe('The letter of the seat whose text it is.'),
        quote: z.string().describe('Its exact words, copied letter by letter, at most 40 of them.'),
        why: z.string().describe('What it does, and what would be better, in one or two sentences.'),
        judgement: z.enum(textJudgements),
      }),
    )
    .describe('Your comments on the texts of others: the passages that matter most, at most five.'),
}

const revision = {
  decision: z.enum(textDecisions).describe('kept: your text stands word for word. changed: you rewrite it.'),
  reason: z
    .enum(textReasons)
    .nullable()
    .describe(
      "What brought you to it. a peer's point: something that you read in another text. Null if you kept yours.",
    ),
  because: z
    .array(z.number())
    .describe(
      'Which of your comments above gave you the idea, counted from 1, the weightiest first; empty if none did.',
    ),
}

const reading = {
  reading: z
    .string()
    .nullable()
    .describe(
      'Only if the task can be read in more than one way: how you read it, in one line. Otherwise null.',
    ),
}

/** `open`: the seat has written before, and comments on the others. */
export const textParts = (question: Question, open: boolean): Parts => {
  const whole = `The text itself, whole and finished, as its reader should get it: about ${wordsFor(question)} words.`
  return {
    before: open ? comments : reading,
    reasoning: {
      reasoning: z
        .string()
        .describe(
          open
            ? 'What your text gains from what you have read, or why it is good as it is, in a few sentences.'
            : 'What the text should do, and how, in a few sentences.',
        ),
      ...(open && revision),
    },
    answer: {
      text: open
        ? z.string().nullable().describe(`${whole} Null if you kept yours word for word.`)
        : z.string().describe(whole),
      headline: z.string().describe('What your text says or wants, in one sentence of at most 25 words.'),
    },
  }
}
