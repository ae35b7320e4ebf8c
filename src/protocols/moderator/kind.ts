/** The moderator says what kind of question it is, so that nobody speaks of right and wrong in matters of taste. */
import { z } from 'zod'
import type { Command } from '../../core/log/command.ts'
import { shapeOf } from '../../core/question/form.ts'
import { type Kind, kinds, kindWords } from '../../core/question/kind.ts'
import type { ModelStep } from '../model-step.ts'
import { bareQuestionPart } from '../prompt-parts.ts'
import { moderatorSystem } from './system.ts'

/** A text is asked for by the format, so nobody has to guess it. */
const asked = kinds.filter((kind): kind is Exclude<Kind, 'text'> => kind !== 'text')

const shape = shapeOf(
  'kind',
  z.strictObject({
    reasoning: z.string().describe('What could settle the question, if anything, in one sentence.'),
    kind: z.enum(asked),
  }),
)

export const findKind: ModelStep<Command & { type: 'find-kind' }> = {
  prompt: session => ({
    system: moderatorSystem,
    user: [
      bareQuestionPart(session),
      [
        'Do not answer the question. Say what kind of question it is:',
        ...asked.map(kind => `"${kind}": ${kindWords[kind]}.`),
        'If two fit, take the one that says what most people who ask this would want to know.',
      ].join('\n'),
    ],
    shape,
    maxOutputTokens: 400,
  }),
  read(raw) {
    const said = z.object({ kind: z.string() }).safeParse(raw).data?.kind.trim().toLowerCase()
    const kind = asked.find(one => one === said)
    return kind ? { type: 'kind-found', kind } : { problem: `kind isn't one of ${asked.join(', ')}` }
  },
}
