/** The container's files, as far as they can be checked without a container engine. */
import { readFileSync } from 'node:fs'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'

const dockerfile = readFileSync('Dockerfile', 'utf8')
const compose = readFileSync('compose.yaml', 'utf8')

test('[Z325] the linter finds nothing in the Dockerfile', () => {
  expect(validate(dockerfile)).toEqual([])
  expect(validate(dockerfile.replace('USER node', 'USSER node'))).toHaveLength(1)
})

test('[Z326] the container runs as a person without rights, keeps its data in /data, and checks its health', () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  expect(last).toMatch(/^USER node$/m)
  expect(last.indexOf('\nUSER node')).toBeLessThan(last.indexOf('\nENTRYPOINT'))
  expect(last).toMatch(/^VOLUME \/data$/m)
  expect(last).toMatch(/ROUNDTABLE_DATA=\/data/)
  expect(last).toMatch(/^HEALTHCHECK [\s\S]*\/readyz/m)
  expect(dockerfile.match(/^FROM /gm)).toHaveLength(3)
  // The only platform that is named is the builder's: the others are whatever is built for.
  expect(dockerfile.match(/--platform=\S+/g)).toEqual(['--platform=$BUILDPLATFORM'])
})

test('[Z327] the compose file has a server, one more worker and Postgres 17, and no password of its own', () => {
  expect(compose).toMatch(/^ {2}server:\n/m)
  expect(compose).toMatch(/^ {2}worker:\n[\s\S]*command: \["worker"\]/m)
  expect(compose).toMatch(/^ {4}image: postgres:17$/m)
  expect(compose).toMatch(/- "127\.0\.0\.1:4317:4317"/)
  for (const name of ['ROUNDTABLE_TOKEN', 'POSTGRES_PASSWORD']) expect(compose).toContain(`\${${name}:?`)
  expect(compose).not.toMatch(/(PASSWORD|TOKEN): [a-z0-9]/)
})
