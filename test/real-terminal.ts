/** A command in a real terminal, which answers the question that it asks. */
import { spawn, spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

const main = new URL('../src/cli/main.ts', import.meta.url).pathname

/** The `script` command of util-linux runs a command in a new terminal. */
export const hasTerminal = String(spawnSync('script', ['--version']).stdout).includes('util-linux')

export interface TerminalPlace {
  readonly cwd: string
  readonly env: Record<string, string>
  readonly columns?: number
}

/** `words` are written as in a shell. */
export const inTerminal = (words: string, answer: string, { cwd, env, columns = 200 }: TerminalPlace) => {
  const command = `stty cols ${columns}; exec '${process.execPath}' '${main}' ${words}`
  const terminal = { ...env, TERM: 'xterm', SHELL: '/bin/sh' }
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: terminal, cwd })
  let shown = ''
  let answered = false
  child.stdout.on('data', text => {
    shown += text
    if (answered || !/└/.test(shown)) return
    answered = true
    child.stdin.write(answer)
  })
  return new Promise<{ code: number | null; shown: string }>(resolve =>
    child.on('close', code => resolve({ code, shown: stripVTControlCharacters(shown) })),
  )
}
