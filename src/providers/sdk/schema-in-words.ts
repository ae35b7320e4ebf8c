/** Asks for the form of a reply in the prompt, for models whose maker doesn't enforce a schema. */
import type { Shape } from '../../core/question/form.ts'

export const schemaInWords = (shape: Shape): string =>
  [
    'Reply with one JSON object that keeps to this JSON schema, and write nothing before or after it:',
    JSON.stringify(shape.json),
  ].join('\n')
