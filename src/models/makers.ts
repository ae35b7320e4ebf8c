/** Alibaba Cloud Model Studio, the maker of Qwen. Effort is a budget of tokens. */
import { chatCall, chatMaker, type Endpoint, ollamaFormat, type ReplyForm } from './chat.ts'
import { secretsFrom } from './http.ts'
import { modelList } from './model-list.ts'
import { isMarked, type Maker, type ModelCall, makerSearch, type SearchTerms } from './provider.ts'
import { type ProviderOptions, responsesRefusal, sdkProvider, withPropertyOrder } from './sdk.ts'

const budgets = { low: 1_024, medium: 4_096, high: 16_384 } as const

/** Models with open weights think by default; the others think only if asked to. */
const thinks = ({ model, effort }: ModelCall): boolean =>
  effort !== undefined || /thinking|^qwq|^qwen3.*-\d+b(?!.*instruct)|^(?:deepseek|glm|kimi)-/.test(model)

const takesSchema = /^qwen3\.(?:7-(?:plus|flash|max)|8-(?:max|flash))(?:-|$)/

/** If they think, some models reject a request for JSON, and others answer with JSON that ignores their thinking. */
const formOf = (call: ModelCall): ReplyForm => {
  if (thinks(call)) return 'words'
  return takesSchema.test(call.model) ? 'schema' : 'object'
}

export const alibaba = chatMaker({
  id: 'alibaba',
  label: 'Alibaba Cloud',
  keys: ['ALIBABA_API_KEY', 'DASHSCOPE_API_KEY'],
  keyPage: 'https://modelstudio.console.alibabacloud.com/?tab=dashboard#/api-key',
  baseURLVariable: 'ALIBABA_BASE_URL',
  home: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  dialect: {
    form: formOf,
    fields: ({ effort }) => ({
      reasoning_effort: undefined,
      ...(effort && { enable_thinking: true, thinking_budget: budgets[effort] }),
    }),
  },
})

// anthropic: Anthropic, over its messages API.

const home = 'https://api.anthropic.com/v1'

interface AnthropicUsage {
  readonly server_tool_use?: { readonly web_search_requests?: number } | null
}

export const anthropic: Maker = {
  id: 'anthropic',
  label: 'Anthropic',
  keys: ['ANTHROPIC_API_KEY'],
  keyPage: 'https://console.anthropic.com/settings/keys',
  baseURLVariable: 'ANTHROPIC_BASE_URL',
  connect: settings =>
    sdkProvider(
      {
        id: 'anthropic',
        label: 'Anthropic',
        async model({ key = '', baseURL = home, fetch }, id) {
          const { createAnthropic } = await import('@ai-sdk/anthropic')
          return createAnthropic({ apiKey: key, baseURL, fetch })(id)
        },
        partOptions: (call, index) =>
          isMarked(call, index) ? { anthropic: { cacheControl: { type: 'ephemeral' } } } : undefined,
        refusal({ delta }) {
          const { stop_details: details } = (delta ?? {}) as {
            stop_details?: { explanation?: string } | null
          }
          return details?.explanation
        },
        // Its search always cites, and that can't be combined with a schema.
        search: {
          tool: {
            ...({ type: 'provider', id: 'anthropic.web_search_20250305', name: 'web_search' } as const),
            args: { maxUses: makerSearch.anthropic.most },
          },
          terms: () => makerSearch.anthropic,
          made: ({ usage }: { usage: AnthropicUsage }) => usage.server_tool_use?.web_search_requests,
          models: /^claude-(?!2|instant|3-(?:opus|sonnet|haiku))/,
        },
        listing: ({ key = '', baseURL = home }) => ({
          url: `${baseURL}/models?limit=1000`,
          headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
        }),
      },
      settings,
    ),
}

// cerebras: Cerebras, a fast host of open models. It speaks plain chat completions, with another name for the token limit.

export const cerebras = chatMaker({
  id: 'cerebras',
  label: 'Cerebras',
  keys: ['CEREBRAS_API_KEY'],
  keyPage: 'https://cloud.cerebras.ai',
  baseURLVariable: 'CEREBRAS_BASE_URL',
  home: 'https://api.cerebras.ai/v1',
  dialect: {
    fields: call => ({ max_tokens: undefined, max_completion_tokens: call.maxOutputTokens }),
  },
})

// cohere: Cohere, over its chat API.

const cohereHome = 'https://api.cohere.com/v2'

/** Cohere adds text of its own to a prompt and doesn't bill it, so the billed units count. */
interface CohereUsage {
  readonly billed_units?: { readonly input_tokens: number; readonly output_tokens: number } | null
  readonly cached_tokens?: number | null
}

/** Thinking counts towards the answer's token limit, so it gets only a share of it. */
const thinkingShare = { low: 0.2, medium: 0.4, high: 0.6 } as const

export const cohere: Maker = {
  id: 'cohere',
  label: 'Cohere',
  keys: ['COHERE_API_KEY', 'CO_API_KEY'],
  keyPage: 'https://dashboard.cohere.com/api-keys',
  baseURLVariable: 'COHERE_BASE_URL',
  connect: settings =>
    sdkProvider(
      {
        id: 'cohere',
        label: 'Cohere',
        async model({ key = '', baseURL = cohereHome, fetch }, id) {
          const { createCohere } = await import('@ai-sdk/cohere')
          return createCohere({ apiKey: key, baseURL, fetch })(id)
        },
        options: ({ effort, maxOutputTokens }): ProviderOptions => {
          if (effort === undefined) return {}
          const tokenBudget = Math.floor(maxOutputTokens * thinkingShare[effort])
          return { cohere: { thinking: { type: 'enabled', tokenBudget } } }
        },
        usage(usage, { billed_units: billed, cached_tokens: cached }: CohereUsage) {
          const inputTokens = billed?.input_tokens ?? usage.inputTokens
          const cachedTokens = Math.min(cached ?? 0, inputTokens)
          return {
            ...usage,
            inputTokens,
            outputTokens: billed?.output_tokens ?? usage.outputTokens,
            ...(cachedTokens > 0 && { cachedTokens }),
          }
        },
        // The list of models is only in the older version of the API.
        listing: ({ key = '', baseURL = cohereHome }) => ({
          url: `${baseURL.replace(/\/v2$/, '/v1')}/models?page_size=1000&endpoint=chat`,
          headers: { authorization: `Bearer ${key}` },
        }),
      },
      settings,
    ),
}

// deepseek: DeepSeek. It enforces JSON but not a schema, and its reasoning models don't accept a temperature.

const reasons = ({ model, effort }: ModelCall): boolean =>
  effort !== undefined || /^deepseek-(?:v\d|flash|pro|reasoner)/.test(model)

export const deepseek = chatMaker({
  id: 'deepseek',
  label: 'DeepSeek',
  keys: ['DEEPSEEK_API_KEY'],
  keyPage: 'https://platform.deepseek.com/api_keys',
  baseURLVariable: 'DEEPSEEK_BASE_URL',
  home: 'https://api.deepseek.com',
  dialect: {
    form: () => 'object',
    fields: call => ({
      seed: undefined,
      ...(reasons(call) && { temperature: undefined }),
      ...(call.effort && {
        thinking: { type: 'enabled' },
        // It doesn't have a medium effort.
        reasoning_effort: call.effort === 'low' ? 'low' : 'high',
      }),
    }),
  },
})

// google: Google, over the Gemini API.

const googleHome = 'https://generativelanguage.googleapis.com/v1beta'

const isFrom3On = (model: string): boolean => /^gemini-[3-9]/.test(model)

const termsFor = (model: string): SearchTerms =>
  isFrom3On(model) ? makerSearch.google : makerSearch.googleByPrompt

/** What its package reports of a search. */
interface GoogleMetadata {
  readonly google?: {
    readonly groundingMetadata?: { readonly webSearchQueries?: readonly string[] | null } | null
  }
}

export const google: Maker = {
  id: 'google',
  label: 'Google',
  keys: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
  keyPage: 'https://aistudio.google.com/apikey',
  baseURLVariable: 'GOOGLE_BASE_URL',
  connect: settings =>
    sdkProvider(
      {
        id: 'google',
        label: 'Google',
        async model({ key = '', baseURL = googleHome, fetch }, id) {
          const { createGoogle } = await import('@ai-sdk/google')
          return createGoogle({ apiKey: key, baseURL, fetch })(id)
        },
        // Google's open models don't show reasoning.
        options: ({ model }, shown): ProviderOptions =>
          shown && model.startsWith('gemini')
            ? { google: { thinkingConfig: { includeThoughts: true } } }
            : {},
        // GIF isn't among them.
        pictureMedia: ['image/png', 'image/jpeg', 'image/webp'],
        schema: withPropertyOrder,
        // Only from Gemini 3 on can a schema be combined with a search.
        search: {
          tool: { type: 'provider', id: 'google.google_search', name: 'google_search', args: {} },
          terms: termsFor,
          made({ metadata }: { metadata: GoogleMetadata }, model) {
            const queries = metadata.google?.groundingMetadata?.webSearchQueries?.length ?? 0
            return isFrom3On(model) ? queries : Math.min(queries, 1)
          },
          models: /^gemini-(?!1)/,
          structured: /^gemini-[3-9]/,
        },
        listing: ({ key = '', baseURL = googleHome }) => ({
          url: `${baseURL}/models?pageSize=1000`,
          headers: { 'x-goog-api-key': key },
        }),
      },
      settings,
    ),
}

// groq: Groq, a host of open models. Which options a model accepts depends on its maker.

/** Qwen has no levels of effort, and writes its reasoning into the text unless `parsed` is asked for. */
const reasoningFields = ({ model, effort }: ModelCall): Readonly<Record<string, unknown>> => {
  if (model.startsWith('openai/gpt-oss')) return {}
  if (!model.startsWith('qwen/qwen3')) return { reasoning_effort: undefined }
  return { reasoning_format: 'parsed', reasoning_effort: effort && 'default' }
}

export const groq = chatMaker({
  id: 'groq',
  label: 'Groq',
  keys: ['GROQ_API_KEY'],
  keyPage: 'https://console.groq.com/keys',
  baseURLVariable: 'GROQ_BASE_URL',
  home: 'https://api.groq.com/openai/v1',
  dialect: {
    form: ({ model }) => (model.startsWith('openai/gpt-oss') ? 'schema' : 'object'),
    fields: call => ({
      max_tokens: undefined,
      max_completion_tokens: call.maxOutputTokens,
      ...reasoningFields(call),
    }),
  },
})

// mistral: Mistral, over its own variant of chat completions.

const mistralHome = 'https://api.mistral.ai/v1'

/** The part of the usage that the package drops. */
interface MistralUsage {
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null
}

export const mistral: Maker = {
  id: 'mistral',
  label: 'Mistral',
  keys: ['MISTRAL_API_KEY'],
  keyPage: 'https://console.mistral.ai/api-keys',
  baseURLVariable: 'MISTRAL_BASE_URL',
  connect: settings =>
    sdkProvider(
      {
        id: 'mistral',
        label: 'Mistral',
        async model({ key = '', baseURL = mistralHome, fetch }, id, search) {
          const { createMistral } = await import('@ai-sdk/mistral')
          const maker = createMistral({ apiKey: key, baseURL, fetch })
          return search ? maker.conversation(id) : maker(id)
        },
        options: () => ({ mistral: { strictJsonSchema: true } }),
        usage(usage, raw: MistralUsage) {
          const reasoningTokens = raw.completion_tokens_details?.reasoning_tokens
          return { ...usage, ...(reasoningTokens && { reasoningTokens }) }
        },
        // Searching models are called over the conversations API, which gets the schema in words.
        search: {
          tool: { type: 'provider', id: 'mistral.web_search', name: 'web_search', args: {} },
          terms: () => makerSearch.mistral,
        },
        listing: ({ key = '', baseURL = mistralHome }) => ({
          url: `${baseURL}/models`,
          headers: { authorization: `Bearer ${key}` },
        }),
      },
      settings,
    ),
}

// moonshotai: Moonshot AI, the maker of Kimi. Kimi's temperature is fixed, and most Kimi models can only turn thinking on.

/** Kimi K2.7 and the thinking models always reason, and have no option for it. */
const effortFields = ({ model, effort }: ModelCall): Readonly<Record<string, unknown>> => {
  if (effort === undefined) return {}
  if (/^kimi-k3/.test(model)) return { reasoning_effort: effort === 'low' ? 'low' : 'high' }
  return {
    reasoning_effort: undefined,
    ...(/^kimi-k2\.[56]/.test(model) && { thinking: { type: 'enabled' } }),
  }
}

export const moonshotai = chatMaker({
  id: 'moonshotai',
  label: 'Moonshot AI',
  keys: ['MOONSHOT_API_KEY'],
  keyPage: 'https://platform.moonshot.ai/console/api-keys',
  baseURLVariable: 'MOONSHOT_BASE_URL',
  home: 'https://api.moonshot.ai/v1',
  dialect: {
    form: ({ model }) => (/^(?:kimi-k|moonshot-v1)/.test(model) ? 'schema' : 'object'),
    fields: call => ({
      max_tokens: undefined,
      max_completion_tokens: call.maxOutputTokens,
      seed: undefined,
      ...(/^kimi-/.test(call.model) && { temperature: undefined }),
      ...effortFields(call),
    }),
  },
})

// ollama: Ollama, which runs open models on people's own machines.

const listTimeoutMs = 10_000

/** Ollama accepts `0.0.0.0`, `:11434` and `box:11434` as well as full addresses, so people write all of them. */
export const ollamaAddress = (host: string): string => {
  const bare = host.trim().replace(/\/+$/, '')
  const whole = /^https?:\/\//.test(bare) ? bare : `http://${bare.replace(/^:/, '127.0.0.1:')}`
  const url = new URL(whole)
  if (url.port === '' && whole !== bare) url.port = '11434'
  // `0.0.0.0` means that the server listens on every address; it isn't one that can be called.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  return url.href.replace(/\/+$/, '')
}

export const ollama: Maker = {
  id: 'ollama',
  label: 'Ollama',
  keys: [],
  keyPage: 'https://ollama.com/download',
  baseURLVariable: 'OLLAMA_HOST',
  connect({ key, baseURL = '127.0.0.1', limits, known }) {
    const home = ollamaAddress(baseURL)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'roundtable',
      ...(key && { authorization: `Bearer ${key}` }),
    }
    const endpoint: Endpoint = {
      chat: new URL(`${home}/api/chat`),
      headers,
      secrets: secretsFrom([key]),
      refused: new Map(),
      format: ollamaFormat,
    }
    return {
      id: 'ollama',
      label: 'Ollama',
      ...(limits && { limits }),
      stream: call => ({ [Symbol.asyncIterator]: () => chatCall(endpoint, call) }),
      known,
      facts: async model => known(model),
      async list(signal) {
        const timeout = AbortSignal.timeout(listTimeoutMs)
        const either = signal ? AbortSignal.any([signal, timeout]) : timeout
        const request = { method: 'GET' as const, url: new URL(`${home}/api/tags`), headers }
        const list = await modelList(request, either, endpoint.secrets)
        return 'error' in list ? { error: list.error } : { models: [...list.keys()] }
      },
    }
  },
}

// openai: OpenAI, over its responses API.

const openaiHome = 'https://api.openai.com/v1'

export const openai: Maker = {
  id: 'openai',
  label: 'OpenAI',
  keys: ['OPENAI_API_KEY'],
  keyPage: 'https://platform.openai.com/api-keys',
  baseURLVariable: 'OPENAI_BASE_URL',
  connect: settings =>
    sdkProvider(
      {
        id: 'openai',
        label: 'OpenAI',
        async model({ key = '', baseURL = openaiHome, fetch }, id) {
          const { createOpenAI } = await import('@ai-sdk/openai')
          return createOpenAI({ apiKey: key, baseURL, fetch }).responses(id)
        },
        // By default the maker would store the session.
        options: ({ search }, shown) => ({
          openai: {
            ...{ store: false, reasoningSummary: shown ? 'auto' : null },
            ...(search && { maxToolCalls: makerSearch.openai.most }),
          },
        }),
        refusal: responsesRefusal,
        search: {
          tool: { type: 'provider', id: 'openai.web_search', name: 'web_search', args: {} },
          terms: () => makerSearch.openai,
          models: /^(?:gpt-[5-9]|gpt-4\.1(?!-nano)|gpt-4o|o[34])/,
          structured: /./,
        },
        listing: ({ key, baseURL = openaiHome }) => ({
          url: `${baseURL}/models`,
          headers: { authorization: `Bearer ${key}` },
        }),
      },
      settings,
    ),
}

// openrouter: OpenRouter, which routes to nearly every model.

/** Other hosts call it "Grok 4.20 Reasoning", and it is seated under that name. On OpenRouter it reasons only if asked. */
const reasonsIfAsked = /^x-ai\/grok-4\.20(?::|$)/

const reasoning = ({ model, effort }: ModelCall): Readonly<Record<string, unknown>> | undefined => {
  if (effort) return { effort }
  return reasonsIfAsked.test(model) ? { enabled: true } : undefined
}

export const openrouter = chatMaker({
  id: 'openrouter',
  label: 'OpenRouter',
  keys: ['OPENROUTER_API_KEY'],
  keyPage: 'https://openrouter.ai/settings/keys',
  baseURLVariable: 'OPENROUTER_BASE_URL',
  home: 'https://openrouter.ai/api/v1',
  dialect: {
    marks: model => model.startsWith('anthropic/'),
    // One search before the model is called. Without a named engine some models would search on their own, without a limit.
    search: { plugins: [{ id: 'web', engine: 'exa', max_results: 5 }] },
    searchTerms: makerSearch.openrouter,
    // The usual list doesn't need a key, so a wrong key would look right.
    listing: 'models/user',
    fields: call => ({ reasoning_effort: undefined, reasoning: reasoning(call) }),
  },
})

// vercel: Vercel's gateway, which routes to the models of many makers. Its format is the AI SDK's own.

const vercelHome = 'https://ai-gateway.vercel.sh/v4/ai'

export const vercel: Maker = {
  id: 'vercel',
  label: 'Vercel AI Gateway',
  keys: ['AI_GATEWAY_API_KEY'],
  keyPage: 'https://vercel.com/d?to=%2F%5Bteam%5D%2F%7E%2Fai%2Fapi-keys',
  baseURLVariable: 'AI_GATEWAY_BASE_URL',
  connect: settings =>
    sdkProvider(
      {
        id: 'vercel',
        label: 'Vercel AI Gateway',
        async model({ key = '', baseURL = vercelHome, fetch }, id) {
          const { createGateway } = await import('@ai-sdk/gateway')
          return createGateway({ apiKey: key, baseURL, fetch })(id)
        },
        // The gateway then marks cache points for the makers that need them.
        options: () => ({ gateway: { caching: 'auto' } }),
        listing: ({ key = '', baseURL = vercelHome }) => ({
          url: `${baseURL}/config`,
          headers: {
            authorization: `Bearer ${key}`,
            'ai-gateway-protocol-version': '0.0.1',
            'ai-gateway-auth-method': 'api-key',
          },
        }),
      },
      settings,
    ),
}

// xai: xAI, over its responses API.

const xaiHome = 'https://api.x.ai/v1'

/** Only calls that succeeded, which are those that it charges for. The search is the only tool that it gets. */
interface XaiUsage {
  readonly num_server_side_tools_used?: number
  readonly server_side_tool_usage_details?: { readonly web_search_calls?: number } | null
}

export const xai: Maker = {
  id: 'xai',
  label: 'xAI',
  keys: ['XAI_API_KEY'],
  keyPage: 'https://console.x.ai',
  baseURLVariable: 'XAI_BASE_URL',
  connect: settings =>
    sdkProvider(
      {
        id: 'xai',
        label: 'xAI',
        async model({ key = '', baseURL = xaiHome, fetch }, id) {
          const { createXai } = await import('@ai-sdk/xai')
          return createXai({ apiKey: key, baseURL, fetch }).responses(id)
        },
        pictureMedia: ['image/png', 'image/jpeg'],
        // By default the maker would store the session.
        options: ({ search }) => ({
          xai: {
            store: false,
            // One search in each turn.
            ...(search && { maxTurns: makerSearch.xai.most, parallelToolCalls: false }),
          },
        }),
        refusal: responsesRefusal,
        search: {
          tool: { type: 'provider', id: 'xai.web_search', name: 'web_search', args: {} },
          terms: () => makerSearch.xai,
          made: ({ usage }: { usage: XaiUsage }) =>
            usage.server_side_tool_usage_details?.web_search_calls ?? usage.num_server_side_tools_used,
          models: /^grok-(?![123]\b)/,
          structured: /./,
        },
        listing: ({ key = '', baseURL = xaiHome }) => ({
          url: `${baseURL}/models`,
          headers: { authorization: `Bearer ${key}` },
        }),
      },
      settings,
    ),
}

// zai: Z.ai, the maker of GLM. Any effort just turns thinking on, and no model enforces a schema.

export const zai = chatMaker({
  id: 'zai',
  label: 'Z.ai',
  keys: ['ZAI_API_KEY', 'ZHIPU_API_KEY'],
  keyPage: 'https://z.ai/manage-apikey/apikey-list',
  baseURLVariable: 'ZAI_BASE_URL',
  home: 'https://api.z.ai/api/paas/v4',
  dialect: {
    form: () => 'object',
    fields: ({ effort }) => ({
      seed: undefined,
      reasoning_effort: undefined,
      ...(effort && { thinking: { type: 'enabled' } }),
    }),
  },
})

const list = {
  alibaba,
  anthropic,
  cerebras,
  cohere,
  deepseek,
  google,
  groq,
  mistral,
  moonshotai,
  ollama,
  openai,
  openrouter,
  vercel,
  xai,
  zai,
}

// makers: All makers. Catalogue, doctor, help and contract tests derive from this list.

/** Providers of other makers' models come after the makers. */
const listedLast = ['groq', 'openrouter', 'vercel', 'ollama']

export const makers: readonly Maker[] = Object.values<Maker>(list).sort(
  (one, other) => listedLast.indexOf(one.id) - listedLast.indexOf(other.id),
)
