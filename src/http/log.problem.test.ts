import { expect, test } from 'vitest'
import { QueryFailed } from '../store/postgres.ts'
import { problemOf } from './log.ts'

const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })

test('[J19] a request that fails because the database is away is told when to try again', async () => {
  const reply = problemOf(new QueryFailed('A query failed: connect ECONNREFUSED', { cause: away }))
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await reply.json()).toMatchObject({ detail: expect.stringContaining('database') })
})

test('[J19] what else can’t be reached is not called the database', () => {
  expect(problemOf(away).status).toBe(500)
  expect(problemOf(new QueryFailed('A query failed: odd')).status).toBe(500)
})
