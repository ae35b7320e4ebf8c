/** Templates that come with the program. One of the same name that a person saved takes their place. */
import type { Template } from '../core/question/template.ts'

export const builtInTemplates: Readonly<Record<string, Template>> = {
  decide: {
    about: 'A decision between doing something and leaving it, with what speaks for each.',
    question:
      'Should we do this: {{decision}}?\n\nWhat we know: {{situation}}\n\nSay what would have to be true for the other answer to be right.',
    format: 'choice',
    kind: 'judgement',
    options: ['Yes', 'No', 'Not yet: something has to be found out first'],
  },
  'check a claim': {
    about: 'Whether a statement is true, and how one would check it.',
    question:
      'Is this claim true as it stands? "{{claim}}"\n\nSay what exactly is claimed, what is known about it, and how it could be checked.',
    format: 'choice',
    kind: 'fact',
    options: ['True', 'Partly true', 'False', 'Nobody can know'],
  },
  premortem: {
    about: 'A plan has failed: the most likely reason, before it happens.',
    question:
      'It is a year from now, and this plan has failed: {{plan}}\n\nWhat is the most likely reason, what was its first sign, and what could have prevented it?',
    format: 'open',
    kind: 'judgement',
    instruction: 'Name one reason, not a list, and be specific to this plan.',
  },
  'compare options': {
    about: 'Options in the order in which they suit a purpose.',
    question: 'Which of these suits best, and in which order? The purpose: {{purpose}}',
    format: 'ranking',
    kind: 'judgement',
    options: ['{{options}}'],
  },
  'estimate a number': {
    about: 'A number that nobody can look up, with its range, by rounds of statistics.',
    question:
      'How large is this: {{quantity}}?\n\nBreak it down into parts that you can judge, and give a range that you would bet on.',
    format: 'number',
    kind: 'estimate',
    unit: '{{unit}}',
    protocol: 'delphi',
  },
  'letter to a successor': {
    about: 'Each model writes to the one that comes after it.',
    question:
      'Write a letter to the model that will take your place. What should it know about {{subject}}, what did you get wrong, and what would you ask of it?',
    format: 'text',
    length: 400,
    protocol: 'roundtable',
  },
}
