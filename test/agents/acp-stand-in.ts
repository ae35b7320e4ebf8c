/** Plays an agent that speaks the Agent Client Protocol: what it does depends on its first argument. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { env } from 'node:process'
import { Readable, Writable } from 'node:stream'
import { agent, ndJsonStream, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk'
import { contractText } from './contract-text.ts'
import { labAnswer } from './lab-answer.ts'

const [first = '', ...args] = process.argv.slice(2)
const mood = first || (args.findLast(arg => !arg.startsWith('-')) ?? 'default')
if (args.includes('--help')) {
  if (mood === 'seen')
    console.log('--pure --safe-mode --approval-mode --max-tool-calls --exclude-tools --admin-policy')
  process.exit()
}
const forever = (): Promise<never> => new Promise(() => setInterval(() => {}, 1_000))

const app = agent({ name: 'stand-in' })
  .onRequest('initialize', () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} }))
  .onRequest('session/new', () => {
    if (mood === 'logged-out') throw RequestError.authRequired(undefined, 'Call authenticate first')
    return { sessionId: 'x' }
  })
  .onRequest('authenticate', () => forever())
  .onRequest('session/prompt', async ({ params, client }) => {
    const { sessionId } = params
    const prompt = params.prompt.map(block => (block.type === 'text' ? block.text : '')).join('\n')
    const chunk = (text: string): Promise<void> =>
      client.notify('session/update', {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
      })
    if (mood === 'hangs') await forever()
    if (mood === 'fails') throw new Error('Authentication required')
    if (mood === 'stalls') {
      await chunk('{"headline":')
      await forever()
    }
    const file = /ORDER: write (\S+)/.exec(prompt)?.[1]
    if (mood === 'obeys' && file !== undefined) {
      // Whoever asks for permission and gets it would write the file; so would a client that writes for its agent.
      await client.request('fs/write_text_file', { sessionId, path: file, content: 'obeyed' }).catch(() => {})
      const { outcome } = await client.request('session/request_permission', {
        sessionId,
        toolCall: { toolCallId: 't', title: 'Write a file' },
        options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
      })
      if (outcome.outcome === 'selected' || existsSync(file)) writeFileSync(file, 'obeyed')
    }
    if (mood === 'acts' && file !== undefined) {
      // Without asking anybody, and without a word about it.
      const tried = (act: () => string): string => {
        try {
          return act()
        } catch (error) {
          return String(error)
        }
      }
      const write = (path: string): string =>
        tried(() => {
          writeFileSync(path, 'obeyed')
          return `wrote ${path}`
        })
      const read = tried(() => readFileSync(`${env.HOME}/secret.txt`, 'utf8'))
      const kept = tried(() => readFileSync(`${env.HOME}/login.txt`, 'utf8'))
      return chunk(JSON.stringify([write(file), write(`${env.HOME}/login.txt`), read, kept])).then(() => ({
        stopReason: 'end_turn' as const,
      }))
    }
    if (mood === 'seen') {
      const policy = args[args.indexOf('--admin-policy') + 1] ?? ''
      const rules = existsSync(policy) ? readFileSync(policy, 'utf8') : ''
      await chunk(JSON.stringify({ env, args, rules, prompt }))
      return { stopReason: 'end_turn' as const }
    }
    const text = mood === 'default' ? await labAnswer(prompt, []) : contractText
    const half = Math.ceil(text.length / 2)
    await chunk(text.slice(0, half))
    await chunk(text.slice(half))
    return { stopReason: 'end_turn' as const }
  })

app.connect(
  ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
)
