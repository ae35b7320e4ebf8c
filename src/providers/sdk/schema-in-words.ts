/** The form of a reply in the prompt's own words, for models that cannot be held to it otherwise. */
import type { Shape } from '../../core/question/reply.ts'

export const schemaInWords = (shape: Shape): string =>
  [
    'Reply with one JSON object that keeps to this JSON schema, and write nothing before or after it:',
    JSON.stringify(shape.json),
  ].join('\n')
