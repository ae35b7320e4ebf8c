/** A real OpenID Connect provider on loopback. Whoever types a name is that person; it asks for no right password. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export interface TestProvider {
  /** `http://localhost:…`: another site than 127.0.0.1, for a browser. */
  readonly issuer: string
  /** The queries of the requests that began a sign-in. */
  readonly asked: URLSearchParams[]
  /** The bodies of the requests that exchanged a code. */
  readonly exchanged: URLSearchParams[]
  /** Where it may send browsers back to. Set before anybody logs in. */
  allow(redirect: string): void
  stop(): Promise<void>
}

export const client = { id: 'roundtable', secret: 'a secret of the client, long enough' }

/** `nobody@…` is an address that nobody has checked. */
const claimsOf = (name: string) => ({
  sub: `subject of ${name}`,
  name,
  email: `${name.toLowerCase()}@example.com`,
  email_verified: name !== 'Nobody',
})

const providerAt = (issuer: string, redirect: string): Provider =>
  new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirect] }],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['a key of the test'] },
    findAccount: (_context: unknown, name: string) => ({
      accountId: name,
      claims: async () => claimsOf(name),
    }),
  })

export const startProvider = async (): Promise<TestProvider> => {
  const [asked, exchanged] = [[] as URLSearchParams[], [] as URLSearchParams[]]
  let handle: ReturnType<Provider['callback']> | undefined
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://here')
    if (pathname === '/auth') asked.push(searchParams)
    if (pathname === '/token') {
      const body: Buffer[] = []
      request.on('data', part => body.push(part))
      request.on('end', () => exchanged.push(new URLSearchParams(Buffer.concat(body).toString())))
    }
    void handle?.(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    asked,
    exchanged,
    allow(redirect) {
      handle = providerAt(issuer, redirect).callback()
    },
    async stop() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
