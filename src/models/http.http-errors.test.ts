import { expect, test } from 'vitest'
import type { ModelErrorKind } from '../core/basics.ts'
import { reportedError } from './http.ts'

const reported: [ModelErrorKind, string, string][] = [
  ['wrong-key', 'permission_denied', 'Not yours.'],
  ['rate-limit', 'resource_exhausted', 'Slower, please.'],
  ['no-credit', 'resource_exhausted', 'Your prepayment credits are depleted.'],
  ['no-credit', 'permission_denied', "Your team doesn't have any credits."],
  ['overload', 'server_error', 'The engine is overloaded.'],
  ['server-error', 'server_error', 'It broke.'],
]

test.each(reported)('[W8] without a status, %s is recognised by %s and its words', (kind, code, words) => {
  expect(reportedError({ code, words }, []).kind).toBe(kind)
})
