import { expect, test } from 'vitest'
import { clientAddress, perMinute, proxiesFrom } from './limits.ts'

test('[H75] a clock that is set back refuses nobody for longer than a minute', () => {
  let now = 10_000_000
  const count = perMinute(1, () => now)
  count('one')
  expect(() => count('one')).toThrow('Too many requests')
  now -= 3_600_000
  expect(() => count('one')).not.toThrow()
  expect(() => count('one')).toThrow('Try again in 60 seconds')
})

test('[H475] X-Forwarded-For counts only from proxies that are named, and only as far as they vouch for it', () => {
  const isProxy = proxiesFrom('127.0.0.1, 10.0.0.0/8 2001:db8::/32')
  const cases: readonly (readonly [socket: string | undefined, forwarded: string, client: string])[] = [
    ['203.0.113.9', '', '203.0.113.9'],
    // A stranger who claims to be somebody else.
    ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['::ffff:127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    // What a client wrote stands before what the proxy wrote.
    ['127.0.0.1', '1.2.3.4, 198.51.100.1, 10.1.2.3', '198.51.100.1'],
    ['2001:db8::7', '[2a00:1:2:3:4::5]:443', '2a00:1:2:3'],
    ['127.0.0.1', '', '127.0.0.1'],
    ['127.0.0.1', 'unknown', '127.0.0.1'],
    ['10.1.1.1', '10.2.2.2, 10.3.3.3', '10.2.2.2'],
    [undefined, '198.51.100.1', 'unknown'],
  ]
  for (const [socket, forwarded, client] of cases)
    expect([socket, forwarded, clientAddress(socket, forwarded, isProxy)]).toEqual([
      socket,
      forwarded,
      client,
    ])
  expect(clientAddress('127.0.0.1', '198.51.100.1', proxiesFrom())).toBe('127.0.0.1')
  for (const wrong of ['proxy.example', '10.0.0.0/99', '127.0.0.1;10.0.0.1'])
    expect(() => proxiesFrom(wrong)).toThrow('ROUNDTABLE_PROXY')
})
