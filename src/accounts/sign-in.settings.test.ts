import { expect, test } from 'vitest'
import { oidcFrom } from './sign-in.ts'

const issuer = 'https://accounts.example.com'

test('[AC58] a provider is set by its address and a client id, with or without a secret', () => {
  expect(oidcFrom({})).toBeUndefined()
  expect(
    oidcFrom({
      ROUNDTABLE_OIDC_ISSUER: issuer,
      ROUNDTABLE_OIDC_CLIENT_ID: 'us',
      ROUNDTABLE_OIDC_DOMAINS: 'A.org, b.org',
    }),
  ).toMatchObject({ clientId: 'us', name: 'accounts.example.com', domains: ['a.org', 'b.org'] })
})

test.each([
  [{ ROUNDTABLE_OIDC_ISSUER: issuer }, /Set both/],
  [{ ROUNDTABLE_OIDC_CLIENT_ID: 'us' }, /Set both/],
  [{ ROUNDTABLE_OIDC_ISSUER: 'http://example.com', ROUNDTABLE_OIDC_CLIENT_ID: 'us' }, /https address/],
  [{ ROUNDTABLE_OIDC_ISSUER: 'example', ROUNDTABLE_OIDC_CLIENT_ID: 'us' }, /https address/],
])('[AC58] settings that can not work are refused with what to set: %j', (env, words) => {
  expect(() => oidcFrom(env)).toThrow(words)
})
