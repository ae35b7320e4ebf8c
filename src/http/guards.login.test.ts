import { expect, test } from 'vitest'
import { pathAfterLogin } from './guards.ts'

test('[H80] after the login only pages of this server are opened', () => {
  expect(pathAfterLogin('/s/1?round=2')).toBe('/s/1?round=2')
  for (const to of [
    ...['//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)', 'settings', ''],
    ...['/\t/evil.example', '/login', undefined, 5],
    ...[
      '/.//evil.example',
      '/s/..//evil.example',
      '/%2e//evil.example',
      '/./\\evil.example',
      '/.///evil.example',
    ],
  ])
    expect(pathAfterLogin(to)).toBe('/')
})
