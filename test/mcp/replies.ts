/** What the tests of MCP read from a client, and have models say. */

import { expect } from 'vitest'
import { type TableResult, tableResultSchema } from '../../src/api/doors.ts'
import type { LabOptions } from '../lab/options.ts'
import type { ToolReply } from './clients.ts'

export const question = 'Should a small team start early?'
export const yesOrNo = { question, options: ['Yes', 'No'] }

/** Fails with the tool's own words if it was refused. */
export const resultOf = (reply: ToolReply): TableResult => {
  if (reply.isError) expect.fail(reply.content[0]?.text)
  return tableResultSchema.parse(reply.structuredContent)
}

/** Every model says yes; calls of one of them wait until they are released. */
export const holding = (model: string) => {
  const held = Promise.withResolvers<void>()
  const answer = {
    ...{ headline: 'Yes.', choice: 'Yes', reasoning: 'Cheap.', confidence: 0.8 },
    ...{ answer: 'Yes.', reasons: [] },
  }
  const handler: LabOptions['handler'] = async ({ body }) => {
    if (body.model === model) await held.promise
    return answer
  }
  return { handler, release: held.resolve }
}
