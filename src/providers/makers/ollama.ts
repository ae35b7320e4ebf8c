/** Ollama, which runs open models on people's own machines. */
import { chatCall, type Endpoint } from '../chat/call.ts'
import { modelList } from '../chat/model-list.ts'
import { ollamaFormat } from '../chat/ollama-format.ts'
import { secretsFrom } from '../http/redact.ts'
import type { Maker } from '../maker.ts'

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
