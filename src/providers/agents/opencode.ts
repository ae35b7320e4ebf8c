/** opencode, with whichever providers the person has connected to it. */

import type { TokenUsage } from '../provider.ts'
import { schemaInWords } from '../sdk/schema-in-words.ts'
import type { Agent, ReadAgent } from './agent.ts'
import { countIn, type JsonRecord, jsonLines, recordIn, textIn } from './json-lines.ts'

const usageFrom = (tokens: JsonRecord): TokenUsage => {
  const cache = recordIn(tokens, 'cache')
  const cachedTokens = countIn(cache, 'read')
  const cacheWriteTokens = countIn(cache, 'write')
  const reasoningTokens = countIn(tokens, 'reasoning')
  return {
    inputTokens: countIn(tokens, 'input') + cachedTokens + cacheWriteTokens,
    outputTokens: countIn(tokens, 'output') + reasoningTokens,
    ...(cachedTokens > 0 && { cachedTokens }),
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    ...(reasoningTokens > 0 && { reasoningTokens }),
  }
}

const failureIn = (event: JsonRecord): string => {
  const error = recordIn(event, 'error')
  return textIn(recordIn(error, 'data'), 'message') || textIn(error, 'message') || textIn(error, 'name')
}

export const readOpencode: ReadAgent = listener => {
  const lines = jsonLines(event => {
    const part = recordIn(event, 'part')
    if (event.type === 'error') listener.failed(failureIn(event))
    else if (event.type === 'tool_use') listener.wantsTool(textIn(part, 'tool') || 'a tool')
    else if (event.type === 'reasoning') listener.text('thinking', textIn(part, 'text'))
    else if (event.type === 'text') listener.text('text', textIn(part, 'text'))
    else if (event.type === 'step_finish') {
      const reason = textIn(part, 'reason')
      if (reason === 'tool-calls') return listener.wantsTool('a tool')
      listener.usage(usageFrom(recordIn(part, 'tokens')))
      listener.done(reason === 'length' ? 'length' : 'stop')
    }
  })
  return { data: lines.data, end: lines.end }
}

/** The name of the agent that may do nothing but answer. */
const seat = 'roundtable-seat'

const settingsFor = (system: string): string =>
  JSON.stringify({
    share: 'disabled',
    autoupdate: false,
    snapshot: false,
    permission: { '*': 'deny' },
    agent: {
      [seat]: { mode: 'primary', prompt: system, permission: { '*': 'deny' }, tools: { '*': false } },
    },
  })

export const opencode: Agent = {
  id: 'opencode',
  label: 'opencode',
  maker: 'opencode',
  command: 'opencode',
  models: [],
  keeps: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR'],
  logIn: 'opencode auth login',
  help: ['run', '--help'],
  needs: ['--format', '--agent', '--pure'],
  async login({ env, hasFile }) {
    const data = env.XDG_DATA_HOME ?? '.local/share'
    const config = env.XDG_CONFIG_HOME ?? '.config'
    const files = [`${data}/opencode/auth.json`, `${config}/opencode/opencode.json`]
    return (await Promise.all(files.map(hasFile))).includes(true) ? 'in' : 'out'
  },
  plan: ({ call, model, has }) => ({
    args: [
      ...['run', '--format', 'json', '--pure', '--agent', seat],
      // Without a title it asks a model for one.
      ...(has('--title') ? ['--title', 'Roundtable'] : []),
      ...(model === undefined ? [] : ['--model', model]),
    ],
    input: [...call.user, schemaInWords(call.shape)].join('\n\n'),
    env: { OPENCODE_CONFIG_CONTENT: settingsFor(call.system) },
  }),
  read: readOpencode,
}
