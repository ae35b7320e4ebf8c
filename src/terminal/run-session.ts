/** Runs one session, for a person who watches or a program that reads the output. */

import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../core/basics.ts'
import { type LiveEvent, type SessionEvent, stamped } from '../core/event.ts'
import { apply, fold } from '../core/fold.ts'
import type { SessionOpened } from '../core/opening.ts'
import { type Answer, judgements, type Question, reasons, textJudgements } from '../core/question.ts'
import { longestHeadline, longestPlace, mostOwnCitations, wordsProblem } from '../core/reply.ts'
import { answerBefore, latestRound, type Session } from '../core/session.ts'
import type { Exporter } from '../exports/exporter.ts'
import { exporterNamed, exporters } from '../exports/index.ts'
import { documentOf, type SessionDocument } from '../exports/json.ts'
import type { Protocol } from '../protocols/protocol.ts'
import { type CitableItem, citableItems, type PromptItem, promptPieces } from '../protocols/protocol.ts'
import {
  answerFromOutside,
  channel,
  type OutsideTurn,
  outsideDeadlineOf,
  outsideTurns,
  waitsOutside,
} from '../run/run.ts'
import type { Running, Runtime } from '../run/runtime.ts'
import { PositionTaken, type Store } from '../store/store.ts'
import type { Estimate } from '../table/estimate.ts'
import { estimateLine } from '../words/asking.ts'
import { type MeasuredTimes, progressWords } from '../words/progress.ts'
import { configAt } from './config.ts'
import { exitCodeOf, exitCodes, programName } from './program-name.ts'
import { type Renderer, rendererFor } from './render.ts'
import { checkView, type EarlierSessions } from './round-view.ts'
import {
  answerOf,
  asking,
  type Look,
  oneLine,
  paintFor,
  paragraph,
  printable,
  type Remarks,
  type Shell,
} from './terminal.ts'

// checkTranscript: Has a moderator read a saved transcript; what it found goes into the log and onto the screen.

export const checkSaved = async (
  id: string,
  moderator: string | undefined,
  store: Store,
  shell: Shell,
): Promise<void> => {
  const [{ openReach }, { createRuntime }, { checkerFor }] = await Promise.all([
    import('../table/index.ts'),
    import('../run/runtime.ts'),
    import('../table/seats.ts'),
  ])
  const { cwd, clock } = shell
  const ask = { question: '', seats: [], ...(moderator !== undefined && { moderator }) }
  const reach = await openReach(await configAt(shell), { cwd, clock, ask })
  const { providers, protocols } = reach
  const runtime = createRuntime({ providers, protocols, store, clock })
  const over = new AbortController()
  const stop = shell.onInterrupt(() => over.abort())
  try {
    const log = await runtime.check(await store.read(id), checkerFor(moderator, reach), {
      signal: over.signal,
    })
    const look = { columns: shell.stdout.columns ?? 80, paint: paintFor(shell.stdout) }
    shell.stdout.write(`${checkView(fold(log), look).join('\n')}\n`)
  } finally {
    stop()
  }
}

// ownSeatPrompts: What a person at the terminal is shown and asked for their own seat: sealed first, then keep or change.

const left = 'You left your seat. The session waits for you.'

const wordsOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

/** One text of another seat, or whatever else the prompt holds between its marks. */
const itemLines = (item: PromptItem, look: Look): string[] => {
  const { seat, name, value, headline, reasoning, text, ...rest } = item
  if (seat !== undefined && headline !== undefined) {
    const who = `Seat ${wordsOf(seat)}${name ? `, ${wordsOf(name)}` : ''}${value ? `: ${wordsOf(value)}` : ''}`
    return [
      ...paragraph(oneLine(who), 1, look, look.paint.faint),
      ...paragraph(oneLine(wordsOf(headline)), 1, look, look.paint.strong),
      ...[text, reasoning].flatMap(part => (part ? paragraph(oneLine(wordsOf(part)), 3, look) : [])),
      '',
    ]
  }
  const all = Object.entries({
    ...(seat !== undefined && { seat }),
    ...(name !== undefined && { name }),
    ...(text !== undefined && { text }),
    ...rest,
  })
  return [...all.flatMap(([key, part]) => paragraph(oneLine(`${key}: ${wordsOf(part)}`), 1, look)), '']
}

/** What the seat reads in this round: exactly what the prompt of a model in it would hold. */
export const readLines = ({ prompt }: OutsideTurn, look: Look): string[] =>
  promptPieces(prompt.user).flatMap(piece =>
    'items' in piece ? piece.items.flatMap(item => itemLines(item, look)) : [],
  )

/** One question after another; Ctrl-C leaves the seat. */
const asker = async (shell: Shell) => {
  const { select, text } = await import('@clack/prompts')
  const streams = asking(shell, new AbortController().signal)
  return {
    line: async (
      message: string,
      initialValue = '',
      check: (words: string) => string | undefined = () => undefined,
    ) =>
      answerOf(
        await text({ message, initialValue, validate: words => check(words ?? ''), ...streams }),
        left,
      ).trim(),
    pick: async <Value extends string>(message: string, options: readonly Value[], initial?: string) =>
      answerOf(
        await select<string>({
          message,
          options: options.map(value => ({ value, label: oneLine(value) })),
          ...(initial !== undefined && { initialValue: initial }),
          ...streams,
        }),
        left,
      ) as Value,
  }
}

type Asking = Awaited<ReturnType<typeof asker>>

const isNumber = (words: string): string | undefined =>
  words.trim() !== '' && Number.isFinite(Number(words)) ? undefined : 'Write a number.'

const valueFor = async (
  { line, pick }: Asking,
  question: Question,
  last: Answer | undefined,
): Promise<object> => {
  const { format, options, unit } = question
  switch (format) {
    case 'open':
      return {}
    case 'choice':
      return { choice: await pick('Your choice', options, last?.choice) }
    case 'ranking': {
      const ranking: string[] = []
      while (ranking.length < options.length - 1)
        ranking.push(
          await pick(
            `Place ${ranking.length + 1}`,
            options.filter(option => !ranking.includes(option)),
          ),
        )
      return { ranking: [...ranking, ...options.filter(option => !ranking.includes(option))] }
    }
    case 'number':
      return {
        number: Number(
          await line(unit ? `Your number, in ${unit}` : 'Your number', String(last?.number ?? ''), isNumber),
        ),
      }
    case 'text':
      return {
        text: await line('Your text', last?.text ?? '', words =>
          words.trim() ? undefined : 'Write your text.',
        ),
      }
    default:
      return format satisfies never
  }
}

const keep = 'Keep my answer'
const change = 'Change it'
const keepThem = 'Keep them'
const dropThem = 'Leave them out'

/** What became of the last answer, and whose words did it. */
const changeFor = async ({ line, pick }: Asking, { format }: Question): Promise<Record<string, unknown>> => {
  const decision = (await pick('Your last answer', [keep, change])) === keep ? 'kept' : 'changed'
  const quote = await line('Words of another seat that you want to quote (empty: none)')
  const seat = quote ? await line('Whose words are they? The letter of the seat') : ''
  const why = quote ? await line('What do you say to them? (empty: nothing)') : ''
  const judged = quote ? await pick('They …', format === 'text' ? textJudgements : judgements) : ''
  const reason =
    decision === 'kept' ? null : quote ? "a peer's point" : await pick('What changed your mind?', reasons)
  return {
    points: quote ? [{ seat, quote, why, judgement: judged }] : [],
    decision,
    reason,
    because: quote && decision === 'changed' ? [1] : [],
  }
}

/** Where words come from, if there is more than one place. */
const exhibitFor = async ({ pick }: Asking, items: readonly CitableItem[]): Promise<number> => {
  const labels = items.map(({ exhibit, name }) => `[${exhibit}] ${name}`)
  const picked = labels.length > 1 ? await pick('Where do they stand?', labels) : labels[0]!
  return items[labels.indexOf(picked)]!.exhibit
}

const wordsCheck = (words: string): string | undefined => {
  const problem = words.trim() === '' ? undefined : wordsProblem(words)
  return problem && `Please ${problem}.`
}

/** Passages that the answer relies on, with those of the last one if it still does. */
const citationsFor = async (
  terminal: Asking,
  items: readonly CitableItem[],
  last: Answer | undefined,
): Promise<object[]> => {
  if (items.length === 0) return []
  const { line, pick } = terminal
  const before = (last?.citations ?? []).filter(({ exhibit }) => exhibit !== undefined)
  const kept = before.length > 0 && (await pick('Your last citations', [keepThem, dropThem])) === keepThem
  const citations: object[] = kept
    ? before.map(({ exhibit, place = null, quote }) => ({ exhibit, place, quote }))
    : []
  while (citations.length < mostOwnCitations) {
    const more = citations.length > 0 ? 'More exact words' : 'Exact words of an exhibit'
    const quote = await line(`${more} that you rely on (empty: none)`, '', wordsCheck)
    if (quote === '') break
    const exhibit = await exhibitFor(terminal, items)
    const place = await line('At which place? (empty: not said)', '', words =>
      words.length > longestPlace ? `Use at most ${longestPlace} characters.` : undefined,
    )
    citations.push({ exhibit, place: place || null, quote })
  }
  return citations
}

const confidenceOf = (words: string): number | null => (words === '' ? null : Number(words) / 100)

/** The answer in the form that a model in the seat would fill in. */
export const askOwnAnswer = async (
  question: Question,
  { prompt }: Pick<OutsideTurn, 'prompt'>,
  last: Answer | undefined,
  shell: Shell,
): Promise<Record<string, unknown>> => {
  const terminal = await asker(shell)
  const changed = last ? await changeFor(terminal, question) : undefined
  const isKept = changed?.decision === 'kept'
  const value = isKept && last ? last : await valueFor(terminal, question, last)
  const headline = await terminal.line('Your answer in one sentence', last?.headline ?? '', words => {
    if (words.length > longestHeadline) return `Use at most ${longestHeadline} characters.`
    const needed = question.format === 'open' || question.format === 'text'
    return needed && words.trim() === '' ? 'Say your answer in one sentence.' : undefined
  })
  const reasoning = await terminal.line('Your reasons', last?.reasoning ?? '')
  const citations = await citationsFor(terminal, citableItems(prompt.user, prompt.shape.json), last)
  const sure =
    question.format === 'text'
      ? ''
      : await terminal.line('How sure are you, in percent? (empty: not said)', '', words =>
          words.trim() === '' || (Number(words) >= 0 && Number(words) <= 100) ? undefined : 'Write 0 to 100.',
        )
  const { choice, ranking, number, text } = value as Partial<Answer>
  return {
    ...changed,
    ...(citations.length > 0 && { citations }),
    reasoning,
    ...(choice !== undefined && { choice }),
    ...(ranking && { ranking }),
    ...(number !== undefined && { number }),
    ...(text !== undefined && { text }),
    headline,
    confidence: confidenceOf(sure),
  }
}

// ownSeat: The person at this terminal holds a seat: they are asked right here, and see nothing of a round before they answered it.

export interface OwnSeat {
  readonly protocols?: readonly Protocol[]
  /** Hands in an answer. Throws UsageError if it is refused. */
  hand(session: Session, seat: string, round: number, answer: Record<string, unknown>): Promise<void>
  /** The person left: nothing more is written here. */
  leave(): void
}

/** The seat of whoever asks. */
export const mySeatIn = ({ seats }: Pick<Session, 'seats'>): string | undefined =>
  seats.find(({ person, model }) => person && model === 'person/me')?.id

const introduction = ({ round }: OutsideTurn): string =>
  round === 0
    ? 'Your seat: answer on your own first. You see the others afterwards.'
    : 'Your seat: read what the others think, then keep your answer or change it.'

/** Asks until the answer is taken, or its time is over. */
const askTurn = async (session: Session, turn: OutsideTurn, own: OwnSeat, shell: Shell): Promise<void> => {
  const look = { columns: shell.stderr.columns || 80, paint: paintFor(shell.stderr) }
  const write = (lines: readonly string[]): void => void shell.stderr.write(`${lines.join('\n')}\n`)
  write(['', ` ${look.paint.strong(introduction(turn))}`, '', ...readLines(turn, look)])
  const last = answerBefore(session, turn.round, turn.seat)
  for (;;) {
    const answer = await askOwnAnswer(session.question, turn, last, shell)
    try {
      await own.hand(session, turn.seat, turn.round, answer)
      return
    } catch (error) {
      if (!UsageError.isInstance(error)) throw error
      write([` ${error.message}`])
      if (shell.clock() >= turn.deadline) return
    }
  }
}

/** The events of a session, without those of a round that the person hasn't answered yet. */
export async function* withOwnSeat(
  events: AsyncIterable<LiveEvent>,
  own: OwnSeat,
  shell: Shell,
): AsyncGenerator<LiveEvent> {
  const source = events[Symbol.asyncIterator]()
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(own.leave)
  let session: Session | undefined
  let held: LiveEvent[] | undefined
  try {
    for (;;) {
      const { value: event, done } = await Promise.race([source.next(), failed.promise])
      if (done) return
      if ('position' in event) session = apply(session, event)
      const mine = session && mySeatIn(session)
      if (held && mine !== undefined) {
        held.push(event)
        if (!session || (latestRound(session)?.handedIn[mine] === undefined && !session.outcome)) continue
        yield* held
        held = undefined
        continue
      }
      yield event
      if (!session || event.type !== 'round-opened' || mine === undefined) continue
      const turn = outsideTurns(session, own.protocols).find(({ seat }) => seat === mine)
      if (!turn) continue
      held = []
      askTurn(session, turn, own, shell).catch(failed.reject)
    }
  } finally {
    await source.return?.()
  }
}

/** The events until nothing but other people is waited for: the session goes on without this terminal. */
export async function* untilOthersAnswer(
  events: AsyncIterable<LiveEvent>,
  onLeave: (session: Session) => void,
  protocols?: readonly Protocol[],
): AsyncGenerator<LiveEvent> {
  let session: Session | undefined
  for await (const event of events) {
    yield event
    if (!('position' in event)) continue
    session = apply(session, event)
    if (!session.seats.some(({ person }) => person)) continue
    const mine = mySeatIn(session)
    const isMine = mine !== undefined && latestRound(session)?.handedIn[mine] === undefined
    if (isMine || !waitsOutside(session, protocols)) continue
    onLeave(session)
    return
  }
}

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
  const { measuredTimes } = await import('./round-view.ts')
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
  // Otherwise `ask … | head -1` would pay for a whole session that nobody sees.
  const stopUnread = shell.onUnread?.(() => controller.abort())
  return {
    controller,
    stop() {
      stop()
      stopUnread?.()
    },
  }
}

const writeOut = (path: string, document: SessionDocument, cwd: string): void =>
  writeFileSync(resolve(cwd, path), exporterForFile(path).write(document.events), { mode: 0o600 })

const closing = ({ id, outcome }: SessionDocument, flags: OutputFlags): string =>
  [
    `Saved as ${id}: ${programName()} show ${id}`,
    (outcome === 'interrupted' || outcome === 'failed') && `to continue: ${programName()} resume ${id}`,
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

// runWithOwnSeat: Runs a session in this process whose asker holds a seat: each run ends where it waits for them, and the next goes on.

/** The log may grow between reading and writing. */
const mostTries = 8

/** Until somebody answers, the time is over, or the person wants to stop. */
const untilHeard = (heard: Promise<void>, until: number | undefined, signals: readonly AbortSignal[]) =>
  new Promise<void>(resolve => {
    const timer = until === undefined ? undefined : setTimeout(resolve, Math.max(0, until - Date.now()))
    for (const signal of signals) {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    }
    void heard.then(resolve).finally(() => clearTimeout(timer))
  })

export interface OwnRun {
  readonly start: Show['start']
  readonly own: OwnSeat
}

export const runWithOwnSeat = (
  runtime: Pick<Runtime, 'carryOn'>,
  store: Pick<Store, 'read' | 'append'>,
  begun: readonly SessionEvent[],
  clock: () => number,
  protocols?: readonly Protocol[],
): OwnRun => {
  const { id } = fold(begun)
  const letGo = new AbortController()
  let wake = (): void => {}
  let heard = Promise.withResolvers<void>()

  const run = async (signal: AbortSignal, put: (event: LiveEvent) => void): Promise<SessionEvent[]> => {
    let log = [...begun]
    for (;;) {
      log = await runtime.carryOn(log, {
        ...{ signal, publish: put, abandoned: letGo.signal },
        interjected: hear => {
          wake = hear
          return () => {
            wake = () => {}
          }
        },
      })
      const session = fold(log)
      if (session.outcome || letGo.signal.aborted) return log
      await untilHeard(heard.promise, outsideDeadlineOf(session), [signal, letGo.signal])
      heard = Promise.withResolvers<void>()
      const newer = await store.read(id, log.length - 1)
      newer.forEach(put)
      log = [...log, ...newer]
    }
  }

  return {
    start(signal) {
      const events = channel<LiveEvent>(begun)
      const result = run(signal, events.put).then(documentOf)
      result.then(events.close, events.fail)
      return { events, result }
    },
    own: {
      ...(protocols && { protocols }),
      leave: () => letGo.abort(),
      async hand(_session, seat, round, answer) {
        for (let tries = 1; ; tries++) {
          const session = fold(await store.read(id))
          const happening = await answerFromOutside(session, seat, round, answer, clock())
          try {
            await store.append(id, [stamped(happening, session.position, clock)])
            break
          } catch (error) {
            if (!PositionTaken.isInstance(error) || tries === mostTries) throw error
          }
        }
        wake()
        heard.resolve()
      },
    },
  }
}
