/** What each maker's stream says of its own search, in the maker's format: one page was found. */
import { event } from './wire.ts'

export const page = { url: 'https://a.example/bridge', title: 'The bridge' }

/** OpenAI and xAI: a call of the search, and an annotation on the text. */
export const responsesSearch: readonly string[] = [
  event({
    type: 'response.output_item.added',
    output_index: 0,
    item: {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'in_progress',
      action: { type: 'search', query: 'bridge' },
    },
  }),
  event({
    type: 'response.output_item.done',
    output_index: 0,
    item: {
      ...{ type: 'web_search_call', id: 'ws_1', status: 'completed' },
      action: { type: 'search', query: 'bridge', sources: [{ type: 'url', url: page.url }] },
    },
  }),
]

export const responsesAnnotation = event({
  type: 'response.output_text.annotation.added',
  ...{ item_id: 'msg_1', output_index: 1, content_index: 0, annotation_index: 0 },
  annotation: { type: 'url_citation', start_index: 0, end_index: 3, ...page },
})

const named = (value: { readonly type: string; readonly [field: string]: unknown }): string =>
  event(value, value.type)

export const anthropicSearch: readonly string[] = [
  named({
    type: 'content_block_start',
    index: 5,
    content_block: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
  }),
  named({
    type: 'content_block_delta',
    index: 5,
    delta: { type: 'input_json_delta', partial_json: '{"query":"bridge"}' },
  }),
  named({ type: 'content_block_stop', index: 5 }),
  named({
    type: 'content_block_start',
    index: 6,
    content_block: {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [{ type: 'web_search_result', ...page, page_age: 'March 3, 2026', encrypted_content: 'abc' }],
    },
  }),
  named({ type: 'content_block_stop', index: 6 }),
]

export const googleSearch = (queries: readonly string[]): readonly string[] => [
  event({
    responseId: 'r1',
    candidates: [
      {
        ...{ content: { role: 'model', parts: [{ text: '' }] }, index: 0 },
        groundingMetadata: {
          webSearchQueries: queries,
          groundingChunks: [{ web: { uri: page.url, title: page.title } }],
          groundingSupports: [],
        },
      },
    ],
  }),
]

/** Mistral searches over its conversations API, which has a stream of its own. */
export const mistralConversation = (text: string): readonly string[] => {
  const execution = { id: 'te_1', name: 'web_search', output_index: 0 }
  const delta = { id: 'mo_1', output_index: 1, content_index: 0, model: 'model-1', role: 'assistant' }
  return [
    named({
      type: 'conversation.response.started',
      conversation_id: 'conv_1',
      created_at: '2026-01-01T00:00:00Z',
    }),
    named({ type: 'tool.execution.started', ...execution, arguments: '{"query":"bridge"}' }),
    named({ type: 'tool.execution.done', ...execution }),
    named({
      type: 'message.output.delta',
      ...delta,
      content: { type: 'tool_reference', tool: 'web_search', ...page, source: 'brave' },
    }),
    named({ type: 'message.output.delta', ...delta, content: text }),
    named({
      type: 'conversation.response.done',
      usage: { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
    }),
  ]
}

export const openrouterSearch: readonly string[] = [
  event({
    ...{ id: 'chatcmpl-1', created: 1_700_000_000, model: 'model-1', object: 'chat.completion.chunk' },
    choices: [
      {
        index: 0,
        delta: {
          role: 'assistant',
          content: '',
          annotations: [
            {
              type: 'url_citation',
              url_citation: { ...page, content: 'It is old.', start_index: 0, end_index: 3 },
            },
            { type: 'file_citation', file: {} },
          ],
        },
        finish_reason: null,
      },
    ],
  }),
]
