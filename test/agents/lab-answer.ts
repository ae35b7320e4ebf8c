/** A sensible reply to any prompt of a session, as the lab would give it. */
import { readFileSync } from 'node:fs'
import { defaultHandler } from '../lab/answers.ts'
import { resultOf } from '../lab/reply.ts'

/** The schema in the arguments or in a file that they name; otherwise it is in the prompt. */
const schemaIn = (args: readonly string[]): Record<string, unknown> | undefined => {
  const inline = args[args.indexOf('--json-schema') + 1]
  const file = args[args.indexOf('--output-schema') + 1]
  if (args.includes('--json-schema')) return JSON.parse(inline ?? '{}') as Record<string, unknown>
  if (args.includes('--output-schema') && file)
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  return undefined
}

export const labAnswer = async (prompt: string, args: readonly string[]): Promise<string> => {
  const schema = schemaIn(args)
  const result = resultOf(
    await defaultHandler()({
      ...{ method: 'POST', path: '/', headers: {}, at: 0, port: 0, state: 'open' },
      body: {
        model: 'stand-in',
        messages: [{ role: 'user', content: prompt }],
        ...(schema && {
          response_format: { type: 'json_schema', json_schema: { name: 'reply', schema } },
        }),
      },
    }),
  )
  return result.lab === 'answer' ? (result.text ?? '') : ''
}
