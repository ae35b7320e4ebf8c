/** Shows a session while it runs: drawn in place on a terminal, line by line elsewhere. */
import { isSettled } from '../../core/camps/moves.ts'
import type { LiveEvent } from '../../core/log/live-event.ts'
import { isOverdue, latestRound, type Round, type Session } from '../../core/log/state.ts'
import type { MeasuredTimes } from '../../core/progress/time-left.ts'
import { type Look, paragraph } from '../terminal/look.ts'
import type { Paint } from '../terminal/paint.ts'
import { type Output, screenOn } from '../terminal/screen.ts'
import { header } from './header.ts'
import { liveTable } from './live-table.ts'
import { plainLines } from './plain-lines.ts'
import { roundView } from './round-view.ts'
import { verdictView } from './verdict-view.ts'
import { createView } from './view.ts'

export interface Renderer {
  take(event: LiveEvent): void
  /** A remark from outside the session. */
  note(text: string): void
  /** Leaves the terminal as it was found. May be called twice. */
  end(): void
}

export interface RenderOptions {
  readonly output: Output
  readonly paint: Paint
  readonly clock: () => number
  /** What models took before, as far as it is known by now. */
  readonly measured?: () => MeasuredTimes
}

/** Milliseconds between two frames; faster is only work. */
const frameTime = 50
/** The seconds on the screen count while nothing happens. */
const tickTime = 200

const lookOf = ({ output, paint }: RenderOptions): Look => ({ columns: output.columns || 80, paint })

const plainRenderer = (options: RenderOptions): Renderer => {
  const view = createView()
  const look: Look = { columns: 110, paint: options.paint }
  const print = (lines: readonly string[]): void => {
    if (lines.length > 0) options.output.write(`${lines.join('\n')}\n`)
  }
  return {
    take(event) {
      const before = view.session
      view.take(event, options.clock())
      if (view.session) print(plainLines(before, view.session, event, look))
    },
    note: text => print(paragraph(text, 1, look)),
    end() {},
  }
}

/** Nothing of it can change: it is grouped, and no answer can still come late. */
const isFinal = (session: Session, round: Round): boolean =>
  isSettled(session, round) && !session.seats.some(({ id }) => isOverdue(round, id))

/** Rounds are printed in order, each once it is final. The end prints what is left. */
const roundsDue = (session: Session, printed: ReadonlySet<number>): readonly Round[] => {
  const left = session.roundsSoFar.filter(({ index }) => !printed.has(index))
  if (session.outcome) return left
  const open = left.findIndex(round => round === latestRound(session) || !isFinal(session, round))
  return left.slice(0, open)
}

/** What the latest event makes final: the head, rounds that are over, the end. */
const settled = (session: Session, event: LiveEvent, look: Look, printed: Set<number>): string[] => {
  if (event.type === 'delta' || event.type === 'retrying') return []
  if (event.type === 'session-opened') return header(session, look)
  const due = roundsDue(session, printed)
  for (const { index } of due) printed.add(index)
  return [
    ...due.flatMap(round => roundView(session, round, look)),
    ...(event.type === 'session-finished' ? verdictView(session, look) : []),
  ]
}

const liveRenderer = (options: RenderOptions): Renderer => {
  const { output, paint, clock } = options
  const screen = screenOn(output)
  const view = createView()
  let drawnAt = Number.NEGATIVE_INFINITY
  let due: NodeJS.Timeout | undefined
  let ended = false
  const printed = new Set<number>()

  const frame = (): string[] => {
    clearTimeout(due)
    due = undefined
    drawnAt = clock()
    const measured = options.measured?.() ?? {}
    return liveTable(view, { ...lookOf(options), rows: output.rows || 24, now: drawnAt, measured })
  }
  const draw = (): void => {
    if (!ended) screen.draw(frame())
  }
  const request = (): void => {
    due ??= setTimeout(draw, Math.max(0, frameTime - (clock() - drawnAt)))
  }
  const ticking = setInterval(request, tickTime)
  ticking.unref()

  return {
    take(event) {
      if (ended) return
      const atOnce = view.take(event, clock())
      const lines = view.session ? settled(view.session, event, lookOf(options), printed) : []
      if (lines.length > 0) screen.print(lines, frame())
      else if (atOnce) draw()
      else request()
    },
    note: text => screen.print(paragraph(text, 1, lookOf(options), paint.faint)),
    end() {
      if (ended) return
      ended = true
      clearInterval(ticking)
      clearTimeout(due)
      screen.close()
    },
  }
}

export const rendererFor = (options: RenderOptions): Renderer =>
  options.output.isTTY ? liveRenderer(options) : plainRenderer(options)
