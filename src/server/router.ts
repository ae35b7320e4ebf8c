/** A router that checks requests against their schemas, and what all routes share in the OpenAPI document. */
import { OpenAPIHono } from '@hono/zod-openapi'
import { z } from 'zod'
import { problemSchema } from '../api/index.ts'
import { refusalOf } from './problem.ts'
import type { Env } from './service.ts'

export const router = () =>
  new OpenAPIHono<Env>({
    defaultHook: result => {
      if (!result.success) throw refusalOf(result.target, result.error)
    },
  })

const sessionId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/

export const isSessionId = (text: string): boolean => sessionId.test(text)

export const sessionParams = z.object({
  id: z.string().regex(sessionId, 'Ids consist of letters, digits, "-" and "_".'),
})

export const replies = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  content: { 'application/json': { schema } },
  description,
})

export const takes = <Schema extends z.ZodType>(schema: Schema) => ({
  required: true,
  content: { 'application/json': { schema } },
})

export const problems = {
  '4XX': {
    content: { 'application/problem+json': { schema: problemSchema } },
    description: 'What is wrong, and how to fix it',
  },
} as const
