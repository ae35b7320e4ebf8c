/** Runs one session, for a person who watches or a program that reads the output. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../../core/errors.ts'
import type { SessionOpened } from '../../core/log/event.ts'
import type { LiveEvent } from '../../core/log/live-event.ts'
import type { Session } from '../../core/log/state.ts'
import type { MeasuredTimes } from '../../core/progress/time-left.ts'
import { estimateLine } from '../../core/wording/estimate.ts'
import { progressWords } from '../../core/wording/progress-words.ts'
import type { SessionDocument } from '../../exports/document.ts'
import { type Exporter, exporterNamed, exporters } from '../../exports/index.ts'
import type { Running } from '../../runtime/runtime.ts'
import type { Estimate } from '../../table/estimate.ts'
import { printable } from '../terminal/cells.ts'
import { exitCodeOf, exitCodes } from '../terminal/exit-codes.ts'
import { paintFor } from '../terminal/paint.ts'
import { programName } from '../terminal/program-name.ts'
import type { Remarks } from '../terminal/remarks.ts'
import type { Shell } from '../terminal/shell.ts'
import type { EarlierSessions } from './measured-times.ts'
import { type OwnSeat, untilOthersAnswer, withOwnSeat } from './own-seat.ts'
import { type Renderer, rendererFor } from './render.ts'

export interface OutputFlags {
  readonly json?: boolean
  readonly events?: boolean
  readonly out?: string
}

/** The format that a file's ending stands for. Checked before any model is asked, so that a typo loses no answer. */
export const exporterForFile = (path: string): Exporter => {
  const found = exporters.find(exporter => path.toLowerCase().endsWith(`.${exporter.extension}`))
  if (found) return found
  const endings = exporters.map(exporter => `.${exporter.extension}`).join(', ')
  throw new UsageError(`--out ${path}: the file must end in one of ${endings}.`)
}

const eventLines = (shell: Shell): Renderer => ({
  take: (event: LiveEvent) => shell.stdout.write(printable(`${JSON.stringify(event)}\n`, shell.stdout)),
  note() {},
  end() {},
})

const silent: Renderer = { take() {}, note() {}, end() {} }

/** Somebody watches: with --json on stderr, because stdout gets the document. */
const isDrawn = (flags: OutputFlags, { stdout, stderr }: Shell): boolean =>
  !flags.events && ((flags.json ? stderr : stdout).isTTY ?? false)

/** With --json the view goes to stderr, and only if that is a terminal. */
const rendererOf = (
  flags: OutputFlags,
  shell: Shell,
  measured: () => MeasuredTimes,
  plain: boolean,
): Renderer => {
  if (flags.events) return eventLines(shell)
  if (flags.json && !shell.stderr.isTTY) return silent
  const output = flags.json ? shell.stderr : shell.stdout
  return rendererFor({ output, paint: paintFor(output), clock: shell.clock, measured, plain })
}

/** Looks up what models took before, beside the session: if that fails, the session's own times have to do. */
const lookUp = async (earlier: EarlierSessions, { seats }: SessionOpened): Promise<MeasuredTimes> => {
  const { measuredTimes } = await import('./measured-times.ts')
  return measuredTimes(
    earlier,
    seats.map(({ model }) => model),
  ).catch(() => ({}))
}

/** The first Ctrl-C ends the session with what there is; the second one leaves at once. */
export const interruptible = (shell: Shell, renderer: Pick<Renderer, 'note' | 'end'>) => {
  const controller = new AbortController()
  const stop = shell.onInterrupt(() => {
    if (controller.signal.aborted) {
      renderer.end()
      shell.quit(exitCodes.interrupted)
      return
    }
    renderer.note('Stopping: what there is will be saved. Press Ctrl-C again to leave at once.')
    controller.abort()
  })
  return { controller, stop }
}

const writeOut = (path: string, document: SessionDocument, cwd: string): void =>
  writeFileSync(resolve(cwd, path), exporterForFile(path).write(document.events), { mode: 0o600 })

const closing = ({ id, outcome }: SessionDocument, flags: OutputFlags): string =>
  [
    `Saved as ${id}: ${programName()} show ${id}`,
    outcome === 'interrupted' && `to continue: ${programName()} resume ${id}`,
    flags.out && `written to ${flags.out}`,
  ]
    .filter(Boolean)
    .join('; ')

/** People may take days, and nobody needs to keep a terminal open for them. */
const waitingNote = (session: Session): string =>
  `${progressWords(session)}. The session goes on without this terminal. To see it: ${programName()} show ${session.id}`

/** Checked before anything starts, so that a mistake loses no answer. */
export const checkOutput = (flags: OutputFlags): void => {
  if (flags.json && flags.events) throw new UsageError('--json and --events cannot be used together.')
  if (flags.out !== undefined) exporterForFile(flags.out)
}

export interface Show {
  /** Starts the session; the signal says that the person wants it to end. */
  start(signal: AbortSignal): Pick<Running, 'events' | 'result'>
  /** What is shown below the head of the session. */
  readonly foreword?: (opened: SessionOpened) => string | undefined
  readonly remarks?: Remarks
  /** The person at this terminal holds a seat, and is asked here. */
  readonly own?: OwnSeat
  /** Somebody else runs the session: this terminal needn't wait for other people. */
  readonly mayLeave?: boolean
  /** What models took in them says how long this one may take. */
  readonly earlier?: EarlierSessions
}

export const showSession = async (show: Show, flags: OutputFlags, shell: Shell): Promise<number> => {
  let measured: MeasuredTimes = {}
  const renderer = rendererOf(flags, shell, () => measured, show.own !== undefined)
  const { controller, stop } = interruptible(shell, renderer)
  show.remarks?.hear(text => renderer.note(text))
  try {
    const running = show.start(controller.signal)
    let left: Session | undefined
    const own = show.own ? withOwnSeat(running.events, show.own, shell) : running.events
    const events =
      show.mayLeave && !flags.json && !flags.events
        ? untilOthersAnswer(own, session => {
            left = session
          })
        : own
    for await (const event of events) {
      renderer.take(event)
      if (event.type === 'session-opened' && show.earlier && isDrawn(flags, shell))
        void lookUp(show.earlier, event).then(found => {
          measured = found
        })
      const foreword = event.type === 'session-opened' ? show.foreword?.(event) : undefined
      if (foreword !== undefined) renderer.note(foreword)
    }
    if (left) {
      renderer.note(waitingNote(left))
      return exitCodes.done
    }
    const document = await running.result
    if (flags.out !== undefined) writeOut(flags.out, document, shell.cwd)
    renderer.note(closing(document, flags))
    if (flags.json) shell.stdout.write(printable(exporterNamed('json').write(document.events), shell.stdout))
    return exitCodeOf(document.outcome)
  } finally {
    stop()
    renderer.end()
  }
}

/** A session that is about to begin, in this process or on a server. */
export interface PreparedSession extends Pick<Show, 'earlier' | 'own' | 'mayLeave'> {
  readonly estimate: Estimate
  start(signal: AbortSignal): Pick<Running, 'events' | 'result'>
}

export const runSession = async (
  { estimate, start, earlier, own, mayLeave }: PreparedSession,
  flags: OutputFlags,
  shell: Shell,
  remarks?: Remarks,
): Promise<number> => {
  const foreword = ({ seats }: SessionOpened): string | undefined =>
    seats.some(seat => seat.scripted)
      ? undefined
      : `${[estimateLine(estimate), ...estimate.notes].join('\n')}\n`
  const show: Show = {
    ...{ start, foreword },
    ...(remarks && { remarks }),
    ...(earlier && { earlier }),
    ...(own && { own }),
    ...(mayLeave && { mayLeave }),
  }
  return showSession(show, flags, shell)
}
