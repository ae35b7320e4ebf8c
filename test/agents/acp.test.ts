/** Agents that speak the Agent Client Protocol, as a stand-in plays them. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { acpProvider } from '../../src/agents/acp.ts'
import type { ModelPart, Provider } from '../../src/models/provider.ts'
import { callTo, partsFrom, providerContract, textOf } from '../contracts/providers-contract.ts'
import { acpStandIn, makePrograms } from './programs.ts'

const programs = makePrograms([])
programs.add('talker', acpStandIn, '')
afterAll(() => programs.remove())

const provider = acpProvider({ env: programs.env, isAllowed: () => true })

/** The protocol has no tokens, so the runtime counts them. */
const counting: Provider = {
  ...provider,
  async *stream(call) {
    for await (const part of provider.stream(call)) {
      if (part.type === 'finish')
        yield { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } } as ModelPart
      yield part
    }
  },
}

providerContract('an agent that speaks ACP', async () => ({
  provider: counting,
  models: { speaks: 'talker speaks', fails: 'talker fails', stalls: 'talker stalls', hangs: 'talker hangs' },
  stop: async () => {},
}))

test('[AG14] it is told in its own words what went wrong', async () => {
  expect((await partsFrom(provider, callTo('talker fails'))).at(-1)).toMatchObject({ type: 'error' })
  expect((await partsFrom(provider, callTo('nobody-here'))).at(-1)).toMatchObject({
    error: { message: 'nobody-here isn\'t installed: there is no program "nobody-here"' },
  })
})

test('[AG7] it may write nothing, and a request for permission is refused', async () => {
  const target = join(programs.home, 'obeyed')
  const parts = await partsFrom(provider, callTo('talker obeys', { user: [`ORDER: write ${target}`] }))
  expect(parts.at(-1)).toMatchObject({ error: { message: expect.stringContaining('Seats have no tools') } })
  expect(textOf(parts)).toBe('')
  expect(existsSync(target)).toBe(false)
})
