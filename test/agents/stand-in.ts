/**
 * Plays a command-line agent: `node stand-in.ts claude …`. It prints the agent's stream byte by byte, and does what the
 * name of its model says. Nobody else's program is run.
 */

import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { text as readAll } from 'node:stream/consumers'
import { contractText } from './contract-text.ts'
import { isStandInKind, streams } from './stand-in-streams.ts'

const [kind = '', ...args] = process.argv.slice(2)
const after = (flag: string): string | undefined =>
  args.includes(flag)
    ? args[args.indexOf(flag) + 1]
    : args.find(arg => arg.startsWith(`${flag}=`))?.slice(flag.length + 1)

const write = (stream: NodeJS.WriteStream, bytes: Uint8Array | string): Promise<void> =>
  new Promise(resolve => stream.write(bytes, () => resolve()))

/** Byte by byte: a reader must not rely on whole lines or whole characters. Long texts come in pieces of an odd size. */
const print = async (text: string): Promise<void> => {
  const bytes = Buffer.from(text)
  const size = bytes.length > 4_000 ? 4_093 : 1
  for (let at = 0; at < bytes.length; at += size) await write(process.stdout, bytes.subarray(at, at + size))
}
const complain = (text: string): Promise<void> => write(process.stderr, text)
const say = async (...events: readonly (object | undefined)[]): Promise<void> => {
  for (const event of events) if (event) await print(`${JSON.stringify(event)}\n`)
}

/** Loaded only when it is wanted: most calls should start quickly. */
const sensible = async (prompt: string): Promise<string> =>
  (await import('./lab-answer.ts')).labAnswer(prompt, args)

const forever = (): Promise<never> => new Promise(() => setInterval(() => {}, 1_000))

/** The words of each agent's manual, as far as a caller looks at them. */
const helps: Record<string, string> = {
  claude:
    '-p --output-format --verbose --include-partial-messages --tools --strict-mcp-config --setting-sources --settings --disable-slash-commands --no-session-persistence --system-prompt --json-schema --model --bare',
  codex:
    '--json --ephemeral --ignore-user-config --ignore-rules --skip-git-repo-check -s, --sandbox --output-schema --disable -m, --model -c',
  opencode: '--format --pure --agent --title -m, --model --auto',
  qwen: '-o, --output-format --include-partial-messages --safe-mode --approval-mode --max-tool-calls --exclude-tools --system-prompt -m, --model --yolo',
}
const features =
  'apps  stable  true\nshell_tool  stable  true\nunified_exec  stable  true\nfast_mode  stable  true'

/** What turns its tools off; without it, this program does what it is told to. */
const hasTools = (): boolean => {
  if (kind === 'claude') return after('--tools') !== ''
  if (kind === 'codex')
    return after('--sandbox') !== 'read-only' || !args.join(' ').includes('--disable shell_tool')
  if (kind === 'qwen') return after('--max-tool-calls') !== '0' || after('--approval-mode') !== 'plan'
  return !env.OPENCODE_CONFIG_CONTENT?.includes('"permission":{"*":"deny"}')
}

/** `ORDER: write /some/file` anywhere in the prompt. */
const obey = (prompt: string): string => {
  const file = /ORDER: write (\S+)/.exec(prompt)?.[1]
  if (file !== undefined && hasTools()) writeFileSync(file, 'obeyed')
  return file ?? 'nothing'
}

/** Puts files in the place of their mentions before its model sees the text, as agents do whatever their tools are. */
const expanded = (prompt: string): string =>
  prompt.replace(/@(~?\/[^\s"\\]+)|\{file:(\/[^}]+)\}/g, (words, mention?: string, named?: string) => {
    const path = (mention ?? named ?? '').replace(/^~/, env.HOME ?? '')
    const denied = kind === 'claude' && after('--settings')?.includes('"deny":["Read(//**)","Read(~/**)"]')
    return existsSync(path) && !denied ? readFileSync(path, 'utf8') : words
  })

const seen = (prompt: string): string =>
  JSON.stringify({ env, cwd: process.cwd(), files: readdirSync('.'), args, prompt })

const answer = async (prompt: string): Promise<void> => {
  const model = after('--model') ?? 'default'
  if (kind === 'text') return model === 'default' ? print(await sensible(prompt)) : print(contractText)
  if (!isStandInKind(kind)) throw new Error(`there is no stand-in for ${kind}`)
  const stream = streams[kind]
  const good = async (text: string): Promise<void> => {
    await say(...stream.start)
    const half = Math.ceil(text.length / 2)
    await say(stream.piece(text.slice(0, half)), stream.piece(text.slice(half)), ...stream.end(text))
  }
  switch (model) {
    case 'speaks':
      return good(contractText)
    case 'noise':
      await print('Warning: something unrelated\n{"not json\n[1,2]\n\n"text"\n')
      await good(contractText)
      return print('bye\n')
    case 'seen':
      return good(seen(prompt))
    case 'fails':
      await say(...stream.start, ...stream.failure('the model is not available to you'))
      process.exitCode = 1
      return
    case 'logged-out':
      await complain('Not logged in · Please run /login\n')
      process.exitCode = 1
      return
    case 'limited':
      await say(...stream.start, ...stream.failure('429 Too Many Requests: rate limit exceeded'))
      return
    case 'out-of-quota':
      await say(...stream.failure("You've hit your usage limit. Try again at 5 PM."))
      process.exitCode = 1
      return
    case 'stalls':
      await say(...stream.start, stream.piece('{"headline":'))
      return forever()
    case 'hangs':
      return forever()
    case 'child': {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
      writeFileSync(join(env.HOME ?? '/', 'pids'), `${process.pid} ${child.pid}`)
      return forever()
    }
    case 'killed':
      await say(...stream.start)
      process.kill(process.pid, 'SIGKILL')
      return forever()
    case 'half-line':
      await say(...stream.start)
      return print(JSON.stringify(stream.end('never read').at(-1)).slice(0, -20))
    case 'huge-line':
      await say(...stream.start)
      await write(process.stdout, `{"type":"text","text":"${'x'.repeat(5_000_000)}"}\n`)
      return good(contractText)
    case 'flood':
      for (const line = `${'x'.repeat(65_535)}\n`; ; ) await write(process.stdout, line)
    case 'tool':
      writeFileSync(join(env.HOME ?? '/', 'tool-pid'), String(process.pid))
      await say(...stream.start, ...stream.tool('Bash'))
      // It would act if it got another moment.
      while (!existsSync(join(env.HOME ?? '/', 'go'))) await new Promise(resolve => setTimeout(resolve, 10))
      writeFileSync(join(env.HOME ?? '/', 'acted'), 'yes')
      return forever()
    case 'tool-once':
      if (prompt.includes('Seats have no tools')) return good(await sensible(prompt))
      await say(...stream.start, ...stream.tool('Bash'))
      return forever()
    case 'obeys': {
      const order = obey(prompt)
      return good(JSON.stringify({ headline: `Asked to write ${order}.` }))
    }
    default:
      return good(await sensible(prompt))
  }
}

const isIn = existsSync(join(env.HOME ?? '/', `${kind}-logged-in`))
if (args.includes('--help')) await print(`Usage:\n  ${helps[kind]?.replaceAll(' ', '\n  ')}\n`)
else if (args[0] === 'features') await print(features)
else if (args[1] === 'status') {
  await print(isIn ? 'Logged in\n' : 'Not logged in\n')
  process.exitCode = isIn ? 0 : 1
} else await answer(expanded(await readAll(process.stdin)))
process.exit()
