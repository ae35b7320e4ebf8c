/** A seat that is held from outside: by the agent that asks. */

import { expect, test } from 'vitest'
import { fold } from '../../src/core/fold.ts'
import { protocols } from '../../src/protocols/index.ts'
import { type SetupOptions, startSetup } from '../server/setup.ts'
import { overHTTP, type TestClient, type ToolReply } from './clients.ts'
import { resultOf, yesOrNo } from './replies.ts'

const config = { seats: ['lab/a', 'lab/b', 'lab/c'], moderator: 'lab/m' }
const start = async (options: SetupOptions = {}) => {
  const setup = await startSetup({ ...options, config: { ...config, ...options.config } })
  return { ...setup, client: await overHTTP['client 2 over HTTP'](setup.address) }
}
const wish = { ...yesOrNo, my_seat: 'Host' }
const peerWords = 'xylophone-of-a-peer'
const sealed = { reading: null, reasoning: 'Mine.', headline: 'No, wait.', choice: 'No', confidence: 0.7 }
const kept = {
  points: [],
  reasoning: 'As before.',
  decision: 'kept',
  reason: null,
  point: null,
  headline: 'No, wait.',
  choice: 'No',
  confidence: 0.7,
}

const peer = {
  reading: null,
  points: [],
  reasoning: peerWords,
  headline: `${peerWords}.`,
  choice: 'Yes',
  confidence: 0.8,
  decision: 'kept',
  reason: null,
  point: null,
  answer: 'Yes.',
  reasons: [],
}
const handler: NonNullable<SetupOptions['lab']>['handler'] = ({ body }) => (body.model === 'm' ? {} : peer)

/** Answers every turn of the own seat until the session is over. */
const play = async (client: TestClient, first: ToolReply) => {
  let result = resultOf(first)
  const prompts: string[] = []
  while (result.status !== 'finished') {
    if (result.status === 'your-turn') {
      prompts.push(result.prompt!)
      const answer = result.round === 0 ? sealed : kept
      result = resultOf(await client.call('take_seat', { id: result.id, round: result.round, answer }))
    } else result = resultOf(await client.call('wait_for_table', { id: result.id }))
  }
  return { result, prompts }
}

test.each(protocols.map(({ id }) => id))(
  '[MCP11] in %s, the sealed prompt of the own seat is that of a model, with no word of a peer',
  async protocol => {
    const { client, engine, lab } = await start({ lab: { handler } })
    const asked = resultOf(await client.call('ask_table', { ...wish, protocol }))
    expect(asked).toMatchObject({ status: 'your-turn', round: 0, next: 'take_seat' })
    await engine.idle()
    // The others have answered meanwhile.
    const told: unknown[] = []
    const onprogress = (progress: unknown) => void told.push(progress)
    const again = await client.call('wait_for_table', { id: asked.id }, { onprogress })
    expect(JSON.stringify(told)).not.toContain(peerWords)
    expect(JSON.stringify(again)).not.toContain(peerWords)
    expect(resultOf(again).prompt).toBe(asked.prompt)
    const shown = await client.call('show_session', { id: asked.id, form: 'markdown' })
    expect(shown.isError).toBe(true)
    expect(JSON.stringify(shown)).not.toContain(peerWords)
    const { messages } = lab.calls.find(({ body }) => body.model === 'a')!.body
    const parts = asked.prompt!.split('\n\n')
    for (const part of parts) expect(messages.map(({ content }) => content).join('\n\n')).toContain(part)
  },
)

test('[MCP11] the own seat answers sealed, then the open round, and counts like any other', async () => {
  const { client, archive } = await start({ lab: { handler } })
  const first = await client.call('ask_table', { ...wish, protocol: 'roundtable', rounds: 1 })
  const { result, prompts } = await play(client, first)
  expect(prompts).toHaveLength(2)
  expect(prompts[1]).toContain(peerWords)
  expect(result.dissent).toEqual(['Host'])
  expect(result.line).toContain('3 of 4')
  const session = fold(await archive.read(result.id))
  expect(session.seats.at(-1)).toMatchObject({ name: 'Host', outside: true, model: 'outside/host' })
  const given = (await archive.read(result.id)).filter(
    event => event.type === 'answer-given' && event.outside,
  )
  expect(given).toHaveLength(2)
})

test('[MCP12] a wrong, repeated or early answer is refused in words, and changes nothing', async () => {
  const { client, archive, engine } = await start({ lab: { handler } })
  const { id } = resultOf(await client.call('ask_table', { ...wish, protocol: 'poll' }))
  await engine.idle()
  const before = await archive.read(id)
  const refused = async (input: object): Promise<string> => {
    const reply = await client.call('take_seat', { id, ...input })
    expect(reply.isError).toBe(true)
    return reply.content[0]!.text!
  }
  expect(await refused({ round: 0, answer: { choice: 'Perhaps' } })).toContain('form')
  expect(await refused({ round: 1, answer: sealed })).toContain('round 0')
  expect(await archive.read(id)).toEqual(before)
  expect(resultOf(await client.call('take_seat', { id, round: 0, answer: sealed })).status).toBe('finished')
  expect(await refused({ round: 0, answer: sealed })).toContain('No answer is wanted')
})
