/** Claude Code. Its stream is also what Qwen Code prints. */
import type { TokenUsage } from '../models/provider.ts'
import {
  type Agent,
  type AgentListener,
  countIn,
  isRecord,
  type JsonRecord,
  jsonLines,
  oneWord,
  type ReadAgent,
  recordIn,
  textIn,
} from './agents.ts'

/** A reply in a form is a call of this tool, which does nothing else. */
const formTools = ['StructuredOutput', 'structured_output']

const usageFrom = (usage: JsonRecord): TokenUsage => {
  const cachedTokens = countIn(usage, 'cache_read_input_tokens')
  const cacheWriteTokens = countIn(usage, 'cache_creation_input_tokens')
  return {
    inputTokens: countIn(usage, 'input_tokens') + cachedTokens + cacheWriteTokens,
    outputTokens: countIn(usage, 'output_tokens'),
    ...(cachedTokens > 0 && { cachedTokens }),
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
  }
}

/** Pieces of a message that is being written. */
const pieceReader = (listener: AgentListener) => {
  const tools = new Map<unknown, boolean>()
  return (event: JsonRecord): boolean => {
    const { index } = event
    if (event.type === 'content_block_start') {
      const block = recordIn(event, 'content_block')
      const isTool = textIn(block, 'type').endsWith('tool_use')
      tools.set(index, isTool)
      if (isTool && !formTools.includes(textIn(block, 'name')))
        listener.wantsTool(textIn(block, 'name') || 'a tool')
    }
    if (event.type !== 'content_block_delta') return false
    const delta = recordIn(event, 'delta')
    listener.text('thinking', textIn(delta, 'thinking'))
    const text = textIn(delta, 'text') || (tools.get(index) ? textIn(delta, 'partial_json') : '')
    listener.text('text', text)
    return text !== ''
  }
}

const contentOf = (event: JsonRecord): readonly JsonRecord[] => {
  const { content } = recordIn(event, 'message')
  return Array.isArray(content) ? content.filter(isRecord) : []
}

/** A message that is complete: its text counts only if its pieces didn't come before. */
const messageReader = (listener: AgentListener) => (event: JsonRecord, wrote: boolean) => {
  let text = ''
  for (const block of contentOf(event)) {
    const name = textIn(block, 'name')
    if (textIn(block, 'type') === 'tool_use' && !formTools.includes(name))
      listener.wantsTool(name || 'a tool')
    text += isRecord(block.input) ? JSON.stringify(block.input) : textIn(block, 'text')
  }
  if (!wrote) listener.text('text', text)
  return text !== ''
}

export const readClaude: ReadAgent = listener => {
  const piece = pieceReader(listener)
  const message = messageReader(listener)
  let wrote = false
  const result = (event: JsonRecord): void => {
    const usage = recordIn(event, 'usage')
    if (Object.keys(usage).length > 0) listener.usage(usageFrom(usage))
    const words = textIn(event, 'result') || textIn(recordIn(event, 'error'), 'message')
    if (event.is_error === true || /^error/.test(textIn(event, 'subtype')))
      listener.failed(words || textIn(event, 'subtype'))
    const form = event.structured_output
    if (!wrote) listener.text('text', isRecord(form) ? JSON.stringify(form) : words)
    listener.done()
  }
  const lines = jsonLines(event => {
    if (event.type === 'stream_event') wrote = piece(recordIn(event, 'event')) || wrote
    else if (event.type === 'assistant') wrote = message(event, wrote) || wrote
    else if (event.type === 'result') result(event)
  })
  return { data: lines.data, end: lines.end }
}

/** Without tools it still reads files that a text mentions. The name of the tool alone, `Read`, doesn't stop that. */
const readsNothing = JSON.stringify({ permissions: { deny: ['Read(//**)', 'Read(~/**)'] } })

export const claude: Agent = {
  id: 'claude',
  label: 'Claude Code',
  maker: 'anthropic',
  command: 'claude',
  models: ['opus', 'sonnet', 'haiku'],
  keeps: ['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_OAUTH_TOKEN'],
  logIn: 'claude auth login',
  help: ['--help'],
  needs: [
    ...['--tools', '--settings', '--strict-mcp-config', '--setting-sources', '--output-format'],
    '--system-prompt',
  ],
  async login(program) {
    const { good, text } = await program.ask(['auth', 'status'])
    if (/"loggedIn"\s*:\s*false|not logged in/i.test(text)) return 'out'
    if (good) return 'in'
    return /unknown command|error: /i.test(text) ? 'unknown' : 'out'
  },
  plan({ prompt, model, has }) {
    const optional = [
      '--verbose',
      '--include-partial-messages',
      '--disable-slash-commands',
      '--no-session-persistence',
    ]
    return {
      args: [
        ...['-p', '--output-format', 'stream-json', ...optional.filter(has)],
        ...['--tools', '', '--strict-mcp-config', '--setting-sources', '', '--settings', readsNothing],
        oneWord('--system-prompt', prompt.system),
        ...(model === undefined ? [] : [oneWord('--model', model)]),
      ],
      // The form is asked for in words: other accounts of this machine see arguments, and it holds the options.
      input: [prompt.user, prompt.form].join('\n\n'),
      env: { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    }
  },
  read: readClaude,
}

// qwen: Qwen Code. It offers its tools to the model, and ends the run when the model asks for one.

/**
 * All of its tools. Most of them are offered only when others are excluded, so a shorter list makes room for others; a tool
 * that a later version adds is still ended at the first call.
 */
const qwenTools = [
  ...['exec', 'edit', 'write_file', 'read_file', 'zoom_image', 'grep_search', 'glob', 'run_shell_command'],
  ...[
    'todo_write',
    'save_memory',
    'agent',
    'skill',
    'exit_plan_mode',
    'enter_plan_mode',
    'web_fetch',
    'web_search',
  ],
  ...['image_gen', 'list_directory', 'lsp', 'ask_user_question', 'cron_create', 'cron_list', 'cron_delete'],
  ...[
    'loop_wakeup',
    'create_sub_session',
    'list_agents',
    'task_stop',
    'task_create',
    'task_update',
    'task_list',
  ],
  ...['team_create', 'team_delete', 'team_plan_approval', 'request_shutdown', 'send_message', 'monitor'],
  ...['notebook_edit', 'tool_call', 'tool_search', 'read_mcp_resource', 'enter_worktree', 'exit_worktree'],
  ...[
    'workflow',
    'artifact',
    'record_artifact',
    'record_source',
    'report_findings',
    'get_goal',
    'update_goal',
  ],
  ...[
    'propose_goal',
    'display_image',
    'omni_downsample_image',
    'omni_downscale_video',
    'omni_downsample_audio',
  ],
  ...[
    'omni_extract_keyframes',
    'omni_extract_audio',
    'omni_clip_video',
    'omni_convert_image',
    'omni_transcribe_audio',
  ],
  ...['omni_clip_image', 'omni_clip_audio', 'omni_caption_image', 'omni_caption_audio', 'omni_ocr_image'],
  ...['omni_understand_video_segments', 'omni_recall_media_memory'],
]

/** What turns its tools off, however it is spoken to. */
export const qwenFlags = [
  ...['--safe-mode', '--approval-mode', 'plan', '--max-tool-calls', '0', '--exclude-tools', ...qwenTools],
]
export const qwenNeeds = ['--safe-mode', '--approval-mode', '--max-tool-calls', '--exclude-tools']

export const qwen: Agent = {
  id: 'qwen',
  label: 'Qwen Code',
  maker: 'alibaba',
  command: 'qwen',
  models: [],
  keeps: ['QWEN_HOME'],
  logIn: 'qwen',
  help: ['--help'],
  needs: [...qwenNeeds, '--output-format'],
  async login({ hasFile }) {
    const files = await Promise.all(['.qwen/oauth_creds.json', '.qwen/settings.json'].map(hasFile))
    return files.includes(true) ? 'in' : 'out'
  },
  plan({ prompt, model, has }) {
    const hasSystem = has('--system-prompt')
    return {
      args: [
        ...qwenFlags,
        ...['--output-format', 'stream-json', ...['--include-partial-messages'].filter(has)],
        ...(has('--chat-recording') ? ['--chat-recording', 'false'] : []),
        ...(hasSystem ? [oneWord('--system-prompt', prompt.system)] : []),
        ...(model === undefined ? [] : [oneWord('--model', model)]),
      ],
      input: [...(hasSystem ? [] : [prompt.system]), prompt.user, prompt.form].join('\n\n'),
    }
  },
  read: readClaude,
}
