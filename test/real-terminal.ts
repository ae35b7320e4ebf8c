/** A command in a real terminal, which answers the question that it asks. */
import { spawn, spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

const main = new URL('../src/main/main.ts', import.meta.url).pathname

/** The `script` command of util-linux runs a command in a new terminal. */
export const hasTerminal = String(spawnSync('script', ['--version']).stdout).includes('util-linux')

export interface TerminalPlace {
  readonly cwd: string
  readonly env: Record<string, string>
  readonly columns?: number
}

/** What is typed, as soon as the text is on the screen. */
type Typed = readonly [shown: RegExp, keys: string]

/** `words` are written as in a shell. One answer is typed at the first question; several, each at its own. */
export const inTerminal = (
  words: string,
  answer: string | readonly Typed[],
  { cwd, env, columns = 200 }: TerminalPlace,
) => {
  const command = `stty cols ${columns}; exec '${process.execPath}' '${main}' ${words}`
  const terminal = { ...env, TERM: 'xterm', SHELL: '/bin/sh' }
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: terminal, cwd })
  let shown = ''
  const left: Typed[] = typeof answer === 'string' ? [[/└/, answer]] : [...answer]
  child.stdout.on('data', text => {
    shown += text
    if (!left[0]?.[0].test(stripVTControlCharacters(shown))) return
    child.stdin.write(left.shift()![1])
  })
  return new Promise<{ code: number | null; shown: string }>(resolve =>
    child.on('close', code => resolve({ code, shown: stripVTControlCharacters(shown) })),
  )
}
