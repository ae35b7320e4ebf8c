import { createHash, createSign, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Archive } from '../store/archive.ts'
import { memoryStore } from '../store/memory.ts'
import { passkeysOn } from './sign-in.ts'

const site = { origin: 'https://table.example.com', host: 'table.example.com' }

/** A device that signs what it is asked to, with an elliptic curve of 256 bits. */
const device = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const coordinate = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url')
  // As COSE writes such a key.
  const cose = Buffer.concat([
    ...[Buffer.from('a5010203262001215820', 'hex'), coordinate(x)],
    ...[Buffer.from('225820', 'hex'), coordinate(y)],
  ])
  const sign = (challenge: string, counter: number) => {
    const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin: site.origin }))
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const said = Buffer.concat([createHash('sha256').update(site.host).digest(), Buffer.from([5]), count])
    const signed = Buffer.concat([said, createHash('sha256').update(client).digest()])
    return {
      ...{ id: 'one', rawId: 'one', type: 'public-key' },
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: said.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
      },
    }
  }
  return { publicKey: cose.toString('base64url'), sign }
}

const shelf = async (archive: Archive) => {
  const { publicKey, sign } = device()
  const passkey = {
    person: 'ada',
    publicKey,
    counter: 1,
    transports: [],
    host: site.host,
    madeAt: 0,
    usedAt: null,
  }
  await archive.saveRecord('passkey', 'one', passkey, 'ada')
  const passkeys = passkeysOn(archive, () => 1_000)
  return {
    passkeys,
    signIn: async (counter: number) =>
      passkeys.signIn(site, sign((await passkeys.ask(site)).challenge, counter)),
  }
}

test('[AC73] the counter of a device is kept apart from it, and must grow', async () => {
  const { passkeys, signIn } = await shelf(memoryStore())
  expect(await signIn(2)).toBe('ada')
  expect(await passkeys.of('ada')).toEqual([{ id: 'one', host: site.host, madeAt: 0, usedAt: 1_000 }])
  await expect(signIn(2)).rejects.toThrow('could not be checked')
  expect(await signIn(3)).toBe('ada')
})

test('[AC150] a passkey that is removed while somebody logs in with it stays removed, and lets nobody in', async () => {
  const store = memoryStore()
  for (const moment of ['record', 'saveRecord'] as const) {
    let removing = false
    const archive: Archive = {
      ...store,
      async [moment](kind: 'passkey', ...rest: [string, never]) {
        const reply = await (store[moment] as (...given: unknown[]) => Promise<never>)(kind, ...rest)
        if (removing && kind.startsWith('passkey') && kind !== ('passkey-challenge' as string))
          await store.removeRecord('passkey', 'one')
        return reply
      },
    }
    const { passkeys, signIn } = await shelf(archive)
    removing = true
    await expect(signIn(2)).rejects.toThrow('does not know that passkey')
    expect(await passkeys.of('ada')).toEqual([])
    expect(await store.records('passkey-use')).toEqual([])
  }
})
