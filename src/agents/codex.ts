/** Codex. It prints whole messages, not pieces of them. */
import type { TokenUsage } from '../models/provider.ts'
import {
  type Agent,
  countIn,
  type JsonRecord,
  jsonLines,
  oneWord,
  type ReadAgent,
  recordIn,
  textIn,
} from './agents.ts'

/** Everything that reaches out of the conversation, and what would only cost time. */
const unwanted =
  /shell|exec|apps?\b|apps_|plugin|browser|computer|image_gen|multi_agent|hook|tool_|skill|view_image|sleep|goals|code_mode|web_search|memor|mcp|artifact|workspace_dep|command_session/i

const usageFrom = (usage: JsonRecord): TokenUsage => {
  const cachedTokens = countIn(usage, 'cached_input_tokens')
  const reasoningTokens = countIn(usage, 'reasoning_output_tokens')
  return {
    inputTokens: countIn(usage, 'input_tokens'),
    outputTokens: countIn(usage, 'output_tokens'),
    ...(cachedTokens > 0 && { cachedTokens }),
    ...(reasoningTokens > 0 && { reasoningTokens }),
  }
}

/** Items that say or think something; `error` is a warning, because a failure is an event of its own. */
const harmless = ['agent_message', 'reasoning', 'error', 'todo_list', 'user_message']

export const readCodex: ReadAgent = listener => {
  // The last message is the answer; those before it are remarks on the way.
  let last = ''
  const said = (item: JsonRecord): void => {
    const type = textIn(item, 'type')
    if (type === 'reasoning') listener.text('thinking', textIn(item, 'text'))
    if (type !== 'agent_message') return
    listener.text('thinking', last)
    last = textIn(item, 'text')
  }
  const lines = jsonLines(event => {
    const item = recordIn(event, 'item')
    const type = textIn(item, 'type')
    if (type !== '' && !harmless.includes(type)) listener.wantsTool(type)
    if (event.type === 'item.completed') said(item)
    if (event.type === 'turn.failed') listener.failed(textIn(recordIn(event, 'error'), 'message'))
    if (event.type === 'error') listener.failed(textIn(event, 'message'))
    if (event.type !== 'turn.completed') return
    listener.usage(usageFrom(recordIn(event, 'usage')))
    listener.text('text', last)
    listener.done()
  })
  return { data: lines.data, end: lines.end }
}

export const codex: Agent = {
  id: 'codex',
  label: 'Codex',
  maker: 'openai',
  command: 'codex',
  models: [],
  keeps: ['CODEX_HOME'],
  logIn: 'codex login',
  help: ['exec', '--help'],
  needs: ['--json', '--sandbox', '--ignore-user-config', '--disable', '--skip-git-repo-check'],
  featureList: { args: ['features', 'list'], needs: 'shell_tool' },
  async login(program) {
    const { good, text } = await program.ask(['login', 'status'])
    if (good) return 'in'
    return /not logged in/i.test(text) ? 'out' : 'unknown'
  },
  async plan({ prompt, schema: form, model, has, features, file }) {
    const schema = has('--output-schema') ? await file('schema.json', JSON.stringify(form)) : undefined
    const off = features.filter(name => unwanted.test(name)).flatMap(name => ['--disable', name])
    return {
      args: [
        ...['exec', '-', '--json', ...['--ephemeral', '--ignore-rules'].filter(has)],
        ...['--ignore-user-config', '--skip-git-repo-check', '--sandbox', 'read-only', ...off],
        ...['-c', 'web_search="disabled"'],
        ...(schema === undefined ? [] : ['--output-schema', schema]),
        ...(model === undefined ? [] : [oneWord('--model', model)]),
      ],
      input: [prompt.system, prompt.user, ...(schema === undefined ? [prompt.form] : [])].join('\n\n'),
    }
  },
  read: readCodex,
}
