import { expect, test } from 'vitest'
import { browserName } from './guard.ts'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/153.0 Safari/537 Edg/153.0', 'Edge on Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Safari/604', 'Safari on iPhone'],
  ['Mozilla/5.0 (Linux; Android 16) AppleWebKit/537 Chrome/153.0 Mobile Safari/537', 'Chrome on Android'],
  ['curl/8.9', 'curl/8.9'],
])('[AC38] a sign-in is listed by the name of its browser: %s', (agent, name) => {
  expect(browserName(agent)).toBe(name)
})
