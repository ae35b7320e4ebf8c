import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openAICompatible } from './chat.ts'
import { findLocalServers } from './local.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** A server that answers these paths as the real ones do, and nothing else. */
const serving = async (answers: Readonly<Record<string, unknown>>): Promise<number> => {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? '']
    if (answer === 'hang') return
    response.statusCode = answer === undefined ? 404 : 200
    response.setHeader('content-type', typeof answer === 'string' ? 'text/html' : 'application/json')
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? { error: 'not found' }))
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
/** A port that nothing listens on. */
const closedPort = 9
const none = { ollama: closedPort, lmstudio: closedPort, llamacpp: closedPort }

const ollamaTags = {
  models: [
    {
      name: 'llama3.2:1b',
      model: 'llama3.2:1b',
      modified_at: '2026-10-02T09:12:31.514217+02:00',
      size: 1321098329,
      digest: 'baf6a787fdffd633537aa2eb51cfd54cb93ff08e28040095462bb63daf552878',
      details: {
        parent_model: '',
        format: 'gguf',
        family: 'llama',
        families: ['llama'],
        parameter_size: '1.2B',
        quantization_level: 'Q8_0',
      },
    },
    {
      name: 'qwen3:8b',
      model: 'qwen3:8b',
      modified_at: '2026-10-01T11:00:00.0+02:00',
      size: 5225388164,
      digest: '500a1f067a9f782620b40bee6f7b0c89e17ae61f686b92c24933e4ca4b2b8b41',
      details: { format: 'gguf', family: 'qwen3', parameter_size: '8.2B', quantization_level: 'Q4_K_M' },
    },
    { name: 'nomic-embed-text:latest', model: 'nomic-embed-text:latest', size: 274302450 },
  ],
}
const lmStudioList = {
  data: [
    { id: 'qwen2.5-7b-instruct', object: 'model', owned_by: 'organization_owner' },
    { id: 'text-embedding-nomic-embed-text-v1.5', object: 'model', owned_by: 'organization_owner' },
  ],
  object: 'list',
}
const llamaCppList = {
  models: [
    { name: '/models/gemma-3-1b-it-Q4_K_M.gguf', model: '/models/gemma-3-1b-it-Q4_K_M.gguf', type: 'model' },
  ],
  object: 'list',
  data: [
    {
      id: '/models/gemma-3-1b-it-Q4_K_M.gguf',
      object: 'model',
      created: 1763200000,
      owned_by: 'llamacpp',
      meta: {
        vocab_type: 1,
        n_vocab: 262144,
        n_ctx_train: 32768,
        n_embd: 1152,
        n_params: 999885952,
        size: 799525120,
      },
    },
  ],
}
const llamaCppProps = {
  default_generation_settings: { id: 0, n_ctx: 4096, params: {} },
  total_slots: 4,
  model_path: '/models/gemma-3-1b-it-Q4_K_M.gguf',
}

test('[D13] Ollama is found with its models, except for those that cannot chat', async () => {
  const ollama = await serving({ '/api/tags': ollamaTags })
  const [found, ...others] = await findLocalServers({ ...none, ollama })
  expect(others).toEqual([])
  expect(found).toMatchObject({ id: 'ollama', label: 'Ollama', baseURL: `http://127.0.0.1:${ollama}/v1` })
  expect(Object.keys(found!.models)).toEqual(['llama3.2:1b', 'qwen3:8b'])
  expect(found!.models['llama3.2:1b']).toEqual({
    name: 'llama3.2:1b',
    price: { input: 0, output: 0 },
    small: true,
  })
  expect(found!.models['qwen3:8b']).not.toHaveProperty('small')
})

test('[D13] LM Studio is found with its models', async () => {
  const lmstudio = await serving({ '/v1/models': lmStudioList })
  const [found] = await findLocalServers({ ...none, lmstudio })
  expect([found!.id, Object.keys(found!.models)]).toEqual(['lmstudio', ['qwen2.5-7b-instruct']])
})

test('[D13] a llama.cpp server is found with its model and context', async () => {
  const llamacpp = await serving({ '/v1/models': llamaCppList, '/props': llamaCppProps })
  const [found] = await findLocalServers({ ...none, llamacpp })
  expect(found!.models).toEqual({
    '/models/gemma-3-1b-it-Q4_K_M.gguf': {
      name: 'gemma-3-1b-it-Q4_K_M',
      context: 4096,
      price: { input: 0, output: 0 },
      small: true,
    },
  })
})

test('[D13] a server that is found can be seated', async () => {
  const ollama = await serving({ '/api/tags': ollamaTags, '/v1/models': { data: [{ id: 'qwen3:8b' }] } })
  const [found] = await findLocalServers({ ...none, ollama })
  const provider = openAICompatible(found!)
  expect(provider.known('qwen3:8b').name).toBe('qwen3:8b')
  expect(await provider.list()).toEqual({ models: ['qwen3:8b'] })
})

test('[D14] a closed port, another program and a server that never answers are not taken for model servers', async () => {
  const page = await serving({ '/v1/models': '<html>It works!</html>', '/props': '<html></html>' })
  const slow = await serving({ '/api/tags': 'hang' })
  const other = await serving({ '/v1/models': lmStudioList })
  expect(await findLocalServers(none)).toEqual([])
  expect(await findLocalServers({ ollama: slow, lmstudio: page, llamacpp: other })).toEqual([])
  expect(
    await findLocalServers({ ...none, ollama: await serving({ '/api/tags': { models: null } }) }),
  ).toEqual([])
})
