/** What a very small model is shown, because it follows an example and not instructions. */
import type { Question } from '../core/question/question.ts'

export interface Example {
  readonly question: string
  /** What follows the question: the options, or the unit. */
  readonly form?: string
  readonly answer: Readonly<Record<string, unknown>> & { readonly reasoning: string }
}

/**
 * Examples about things that people hardly ask a table. The answer is called a conclusion: asked for a headline, a
 * small model writes a newspaper's, and asked for a choice, it takes the first, whatever its reasons (decision 21).
 */
export const examples: Readonly<Record<Question['format'], readonly Example[]>> = {
  open: [
    {
      question: 'What helps people sleep well?',
      answer: {
        reasoning: 'Light and noise keep the brain awake, so a calm room makes it easier to fall asleep.',
        conclusion: 'A dark and quiet room helps most.',
      },
    },
  ],
  choice: [
    {
      question: 'Is smoking good for the heart?',
      form: 'Options: Yes, No, It depends',
      answer: {
        reasoning: 'Smoke harms the blood and the lungs, and it makes the heart weaker.',
        conclusion: 'No',
      },
    },
    {
      question: 'Which is best for the heart?',
      form: 'Options: Sofa, Walking, Smoking',
      answer: {
        reasoning: 'Walking makes the heart stronger, and almost anybody can do it every day.',
        conclusion: 'Walking',
      },
    },
  ],
  ranking: [
    {
      question: 'Which way to travel is the cheapest?',
      form: 'Options: Train, Bicycle, Plane',
      answer: {
        reasoning: 'A bicycle needs no ticket, and a plane ticket costs more than a train ticket.',
        ranking: 'Bicycle > Train > Plane',
      },
    },
  ],
  number: [
    {
      question: 'How long does it take to boil an egg?',
      form: 'Answer in minutes.',
      answer: {
        reasoning: 'A soft egg takes about 6 minutes and a hard one about 10, so 8 is in the middle.',
        number: 8,
      },
    },
  ],
  text: [
    {
      question: 'Write a note for a neighbour who waters the plants.',
      answer: {
        reasoning: 'It should thank first, and say what to do in one line.',
        text: 'Thank you for your help. Please water the plants every other day.',
      },
    },
  ],
}
