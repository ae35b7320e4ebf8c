import { expect, test } from 'vitest'
import { programName } from './program-name.ts'

test('[T144] commands are suggested as the person called the program', () => {
  expect(programName({})).toBe('roundtable')
  const npm = { npm_package_name: 'roundtable', npm_lifecycle_event: 'ask' }
  expect(programName(npm)).toBe('npm run roundtable --')
  expect(programName({ ...npm, npm_lifecycle_event: 'unit' })).toBe('roundtable')
  expect(programName({ ...npm, npm_package_name: 'another-project' })).toBe('roundtable')
})
