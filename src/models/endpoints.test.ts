import { describe, expect, test } from 'vitest'
import { UsageError } from '../core/basics.ts'
import { endpointsFrom, keyVariable, parseEndpoints } from './endpoints.ts'

describe('endpoints', () => {
  test('[W23] are names with addresses, and their keys come from the environment', () => {
    const text = 'lab=http://127.0.0.1:8787/v1, my-lab.2=https://example.org/api/v1/ ,'
    const environment = {
      ROUNDTABLE_LAB_KEY: ' secret-one ',
      ROUNDTABLE_MY_LAB_2_KEY: 'secret-two',
      OTHER: 'x',
    }
    expect(parseEndpoints(text, environment)).toEqual([
      {
        id: 'lab',
        baseURL: 'http://127.0.0.1:8787/v1',
        key: 'secret-one',
        keyEnv: 'ROUNDTABLE_LAB_KEY',
      },
      {
        id: 'my-lab.2',
        baseURL: 'https://example.org/api/v1',
        key: 'secret-two',
        keyEnv: 'ROUNDTABLE_MY_LAB_2_KEY',
      },
    ])
    expect(keyVariable('my-lab.2')).toBe('ROUNDTABLE_MY_LAB_2_KEY')
    expect(parseEndpoints('', {})).toEqual([])
  })

  test('[W23] an address may be the full one, and a key in the settings wins over the environment', () => {
    const baseURL = 'https://example.org/v1/chat/completions?version=2'
    expect(endpointsFrom([{ id: 'lab', baseURL, key: 'given' }], { ROUNDTABLE_LAB_KEY: 'found' })).toEqual([
      { id: 'lab', baseURL: 'https://example.org/v1?version=2', key: 'given' },
    ])
  })

  const wrong: [string, RegExp][] = [
    ['http://127.0.0.1/v1', /Endpoint 1 has no name/],
    ['=http://127.0.0.1/v1', /can't be the name of an endpoint/],
    ['lab=sk-secret-in-the-wrong-place', /needs an address that starts with http/],
    ['lab=ftp://127.0.0.1', /needs an address that starts with http/],
    ['lab=http://me:sk-secret@127.0.0.1/v1', /contains a user name or a password.*ROUNDTABLE_LAB_KEY/],
    ['a/b=http://127.0.0.1/v1', /has a slash in its name/],
    ['scripted=http://127.0.0.1/v1', /is reserved/],
    ['lab=http://127.0.0.1/v1,lab=http://127.0.0.2/v1', /two endpoints named "lab"/],
    ['my-lab=http://127.0.0.1/v1,my_lab=http://127.0.0.2/v1', /share the variable ROUNDTABLE_MY_LAB_KEY/],
  ]
  test.each(wrong)(
    '[W24] %s is an error that says what to do and does not repeat the address',
    (text, words) => {
      const parse = (): unknown => parseEndpoints(text, {})
      expect(parse).toThrow(UsageError)
      expect(parse).toThrow(words)
      expect(parse).not.toThrow(/sk-secret/)
    },
  )
})
