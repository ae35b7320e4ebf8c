/** The streams that agents print, as their documentation has them. */

export interface StandInStream {
  /** Everything before the first word. */
  readonly start: readonly object[]
  /** A piece of the answer; agents that print whole messages have none. */
  piece(text: string): object | undefined
  /** After the pieces: the whole text, the tokens, the end. */
  end(text: string): readonly object[]
  failure(words: string): readonly object[]
  tool(name: string): readonly object[]
}

const usage = { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 7 }

const claude: StandInStream = {
  start: [
    { type: 'system', subtype: 'init', session_id: 'x', tools: [], mcp_servers: [] },
    { type: 'stream_event', event: { type: 'message_start', message: { role: 'assistant', content: [] } } },
    {
      type: 'stream_event',
      event: { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    },
  ],
  piece: text => ({
    type: 'stream_event',
    event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  }),
  end: text => [
    { type: 'stream_event', event: { type: 'content_block_stop', index: 0 } },
    { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }], usage } },
    { type: 'result', subtype: 'success', is_error: false, result: text, usage, total_cost_usd: 0.01 },
  ],
  failure: words => [
    { type: 'result', subtype: 'error_during_execution', is_error: true, result: words, usage },
  ],
  tool: name => [
    {
      type: 'stream_event',
      event: { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', name, input: {} } },
    },
  ],
}

const codex: StandInStream = {
  start: [
    { type: 'thread.started', thread_id: 'x' },
    { type: 'item.completed', item: { id: 'i0', type: 'error', message: 'a warning' } },
    { type: 'turn.started' },
  ],
  piece: () => undefined,
  end: text => [
    { type: 'item.completed', item: { id: 'i1', type: 'reasoning', text: 'Thinking.' } },
    { type: 'item.completed', item: { id: 'i2', type: 'agent_message', text } },
    { type: 'turn.completed', usage: { input_tokens: 107, cached_input_tokens: 7, output_tokens: 20 } },
  ],
  failure: words => [
    { type: 'error', message: words },
    { type: 'turn.failed', error: { message: words } },
  ],
  tool: name => [{ type: 'item.started', item: { id: 'i1', type: 'command_execution', command: name } }],
}

const opencode: StandInStream = {
  start: [{ type: 'step_start', sessionID: 'x', part: { type: 'step-start' } }],
  piece: text => ({ type: 'text', sessionID: 'x', part: { type: 'text', text } }),
  end: () => [
    {
      type: 'step_finish',
      part: {
        type: 'step-finish',
        reason: 'stop',
        tokens: { input: 100, output: 20, reasoning: 0, cache: { read: 7, write: 0 } },
        cost: 0,
      },
    },
  ],
  failure: words => [{ type: 'error', error: { name: 'APIError', data: { message: words } } }],
  tool: name => [{ type: 'tool_use', part: { type: 'tool', tool: name, state: { status: 'pending' } } }],
}

export const streams = { claude, codex, opencode, qwen: claude } as const
export type StandInKind = keyof typeof streams
export const isStandInKind = (name: string): name is StandInKind => Object.hasOwn(streams, name)
