import { expect, test } from 'vitest'
import { everyAction } from '../src/accounts/permissions.ts'
import { pageText, pageWithTable, permissionsTable } from './accounts-page.ts'

test('[AC33] the documentation has the table of permissions as it is', () => {
  expect(pageText()).toBe(pageWithTable(pageText()))
  expect(permissionsTable().split('\n')).toHaveLength(everyAction.length + 2)
})
