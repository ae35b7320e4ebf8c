/** Asks for the form of a reply in the prompt, for models whose maker doesn't enforce a schema. */
import type { Shape } from '../../core/question/form.ts'

/** Nothing holds such a model to the order of the keys, and an answer that it writes first is a guess. */
export const schemaInWords = ({ json }: Shape): string =>
  [
    'Reply with one JSON object that keeps to this JSON schema, and write nothing before or after it:',
    JSON.stringify(json),
    `Fill in the fields in this order: ${Object.keys(json.properties ?? {}).join(', ')}.`,
  ].join('\n')
