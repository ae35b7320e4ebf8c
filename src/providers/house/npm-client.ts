/** Runs the npm client of this machine. It has its own registry, proxy and keys. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

const longestWords = 400

/** Without these, a client that can't reach the registry tries for minutes. */
export const npmPatience = [
  ...['--fetch-retries', '1', '--fetch-retry-mintimeout', '1000', '--fetch-timeout', '3600000'],
  ...['--ignore-scripts', '--no-audit', '--no-fund'],
]

/** Starts the client that started us, or the one in the path. */
const startNpm = (args: readonly string[], cwd: string): ChildProcess => {
  const options = { cwd, stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'] }
  const own = process.env.npm_execpath
  if (own?.endsWith('.js') && existsSync(own)) return spawn(process.execPath, [own, ...args], options)
  return spawn('npm', args, { ...options, shell: process.platform === 'win32' })
}

/** The one line of the client's output that says why. The rest is advice, log files and a stack. */
const reasonIn = (text: string): string => {
  const lines = text
    .split('\n')
    .map(line => line.replace(/^npm (?:error|ERR!) ?/, '').trim())
    .filter(line => line !== '' && !/^npm warn|complete log of this run|^(code|syscall|errno) /.test(line))
  const why = lines.find(line => /reason:|no space left|ENOSPC|E\d{3}|\d{3} /.test(line)) ?? lines[0]
  return why?.slice(0, longestWords) ?? 'the npm client did not say why'
}

/** Rejects with the client's own words if it fails. */
export const runNpm = (args: readonly string[], cwd: string, signal: AbortSignal): Promise<void> => {
  const child = startNpm(args, cwd)
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words += text
  })
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      child.kill()
    }
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    child.on('error', error =>
      reject(new Error(`the npm client could not be started (${error.message}); is npm installed?`)),
    )
    child.on('close', code => {
      signal.removeEventListener('abort', abort)
      if (code === 0 && !signal.aborted) resolve()
      else reject(new Error(reasonIn(words)))
    })
  })
}
