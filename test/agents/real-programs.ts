/** Real agents from npm in a temporary folder, each in an empty home, pointed at a model server on this machine. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cleanEnvironment } from '../environment/clean.ts'

/** The versions whose flags were checked. */
const packages = [
  ...['opencode-ai@1.18.33', '@openai/codex@0.169.0', '@qwen-code/qwen-code@0.24.4'],
  '@google/gemini-cli@0.61.0',
]

/** With the person's own registry; nothing else of the person reaches the installation. */
export const install = (folder: string, env: Readonly<Record<string, string | undefined>>): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
    env,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('npm could not install the agents')
  // Newer versions of npm don't run it by themselves.
  const script = join(folder, 'node_modules/opencode-ai/postinstall.mjs')
  if (existsSync(script)) spawnSync('node', [script], { cwd: dirname(script), env, stdio: 'inherit' })
}

export interface RealPlace {
  readonly env: Readonly<Record<string, string>>
}

const written = (path: string, content: object): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(content))
}

/** Where the models are. `responses` speaks OpenAI's responses: Codex speaks nothing else. */
export interface Models {
  readonly chat: string
  readonly responses: string
  /** The server of Gemini CLI; absent: it isn't seated. */
  readonly gemini?: string
}

export const placeFor = (
  folder: string,
  programs: string,
  { chat, responses, gemini = chat }: Models,
): RealPlace => {
  const [home, bin, tmp] = ['home', 'bin', 'tmp'].map(name => join(folder, name)) as [string, string, string]
  for (const path of [home, bin, tmp]) mkdirSync(path, { recursive: true })
  const real = (name: string): string => join(programs, 'node_modules/.bin', name)
  for (const name of ['opencode', 'qwen', 'gemini']) symlinkSync(real(name), join(bin, name))
  symlinkSync(real('gemini'), join(bin, 'stranger'))
  // Seats ignore the person's configuration of Codex, so where its model is must be said with each call.
  const server = `model_providers.lab={name="lab",base_url="${responses}",wire_api="responses"}`
  const script = `#!/bin/sh
if [ "$1" = exec ] && [ "$2" = - ]; then
  exec "${real('codex')}" "$@" -c 'model_provider="lab"' -c '${server}' -m lab-model
fi
exec "${real('codex')}" "$@"
`
  writeFileSync(join(bin, 'codex'), script)
  chmodSync(join(bin, 'codex'), 0o755)
  symlinkSync(process.execPath, join(bin, 'node'))
  const model = { baseURL: chat, apiKey: 'none' }
  written(join(home, '.config/opencode/opencode.json'), {
    model: 'lab/lab-model',
    // A person who allows everything: a seat may nothing all the same.
    permission: { '*': 'allow', bash: 'allow', edit: 'allow' },
    agent: { build: { permission: { bash: 'allow', edit: 'allow' } } },
    provider: {
      lab: {
        ...{ npm: '@ai-sdk/openai-compatible', name: 'Lab', options: model },
        models: { 'lab-model': { name: 'Lab' } },
      },
    },
  })
  written(join(home, '.qwen/settings.json'), {
    security: { auth: { selectedType: 'openai', apiKey: 'none', baseUrl: chat } },
    model: { name: 'lab-model' },
    permissions: { allow: ['run_shell_command', 'write_file', 'read_file'] },
  })
  written(join(home, '.gemini/settings.json'), {
    security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    model: { name: 'gemini-2.5-flash' },
    tools: { allowed: ['run_shell_command', 'write_file', 'read_file'] },
    privacy: { usageStatisticsEnabled: false },
  })
  writeFileSync(join(home, '.gemini/.env'), `GEMINI_API_KEY=none\nGOOGLE_GEMINI_BASE_URL=${gemini}\n`)
  const { PATH = '' } = cleanEnvironment(home)
  return { env: { PATH: `${bin}:${PATH}`, HOME: home, TMPDIR: tmp } }
}
