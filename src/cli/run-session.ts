/** Runs one session before a person's eyes, or for a program that reads our output. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../core/errors.ts'
import type { LiveEvent } from '../core/event.ts'
import type { SessionDocument } from '../exports/document.ts'
import { type Exporter, exporterNamed, exporters } from '../exports/index.ts'
import type { AskInput } from '../runtime/open.ts'
import type { Roundtable } from '../runtime/roundtable.ts'
import { estimateWords } from './estimate-words.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { paintFor } from './paint.ts'
import { type Renderer, rendererFor } from './render.ts'
import type { Shell } from './shell.ts'

export interface OutputFlags {
  readonly json?: boolean
  readonly events?: boolean
  readonly out?: string
}

/** The form that a file's ending stands for. Asked before any model is, so that no answer is lost to a typo. */
export const exporterForFile = (path: string): Exporter => {
  const found = exporters.find(exporter => path.toLowerCase().endsWith(`.${exporter.extension}`))
  if (found) return found
  const endings = exporters.map(exporter => `.${exporter.extension}`).join(', ')
  throw new UsageError(`--out ${path}: the ending says the form, one of ${endings}.`)
}

const eventLines = (shell: Shell): Renderer => ({
  take: (event: LiveEvent) => shell.stdout.write(`${JSON.stringify(event)}\n`),
  note() {},
  end() {},
})

const silent: Renderer = { take() {}, note() {}, end() {} }

/** With --json the picture goes to stderr, and only where somebody looks at it. */
const rendererOf = (flags: OutputFlags, shell: Shell): Renderer => {
  if (flags.events) return eventLines(shell)
  if (flags.json && !shell.stderr.isTTY) return silent
  const output = flags.json ? shell.stderr : shell.stdout
  return rendererFor({ output, paint: paintFor(output), clock: shell.clock })
}

/** The first Ctrl-C ends the session with what there is, the second one leaves at once. */
export const interruptible = (shell: Shell, renderer: Pick<Renderer, 'note' | 'end'>) => {
  const controller = new AbortController()
  const stop = shell.onInterrupt(() => {
    if (controller.signal.aborted) {
      renderer.end()
      shell.quit(exitCodes.interrupted)
      return
    }
    renderer.note(`Ending with what there is; it will be saved. Ctrl-C again leaves at once.`)
    controller.abort()
  })
  return { controller, stop }
}

const writeOut = (path: string, document: SessionDocument, cwd: string): void =>
  writeFileSync(resolve(cwd, path), exporterForFile(path).write(document.events), { mode: 0o600 })

const closing = (document: SessionDocument, flags: OutputFlags): string =>
  [`Saved as ${document.id}: roundtable show ${document.id}`, flags.out && `written to ${flags.out}`]
    .filter(Boolean)
    .join('; ')

export const runSession = async (
  table: Pick<Roundtable, 'ask' | 'estimate'>,
  input: AskInput,
  flags: OutputFlags,
  shell: Shell,
): Promise<number> => {
  if (flags.json && flags.events) throw new UsageError('--json and --events exclude each other: give one.')
  if (flags.out !== undefined) exporterForFile(flags.out)
  const estimate = table.estimate(input)
  const renderer = rendererOf(flags, shell)
  const { controller, stop } = interruptible(shell, renderer)
  try {
    const running = table.ask({ ...input, signal: controller.signal })
    for await (const event of running.events) {
      renderer.take(event)
      if (event.type === 'session-opened' && !event.seats.some(seat => seat.scripted))
        renderer.note(`${[estimateWords(estimate), ...estimate.notes].join('\n')}\n`)
    }
    const document = await running.result
    if (flags.out !== undefined) writeOut(flags.out, document, shell.cwd)
    renderer.note(closing(document, flags))
    if (flags.json) shell.stdout.write(exporterNamed('json').write(document.events))
    return exitCodeOf(document.outcome)
  } finally {
    stop()
    renderer.end()
  }
}
