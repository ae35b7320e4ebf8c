/** `ask --repeat`: the same question to the same table several times, all sessions saved. */
import { UsageError } from '../../core/errors.ts'
import type { Session } from '../../core/log/state.ts'
import { counted } from '../../core/wording/numbers.ts'
import { meterFor } from '../../runtime/budget.ts'
import { dayId } from '../../runtime/ids.ts'
import { callQueues } from '../../runtime/limits.ts'
import type { Archive } from '../../store/archive/archive.ts'
import type { AskInput } from '../../table/ask-input.ts'
import type { Opening } from '../../table/opening.ts'
import type { Reach } from '../../table/reach.ts'
import { type Carrier, carry } from '../../trials/carry.ts'
import { runOf, stabilityIn } from '../../trials/repeat.ts'
import { oneLine, printable } from '../terminal/cells.ts'
import { exitCodeOf } from '../terminal/exit-codes.ts'
import { wholeNumberFrom } from '../terminal/flags.ts'
import { paintFor } from '../terminal/paint.ts'
import type { Shell } from '../terminal/shell.ts'
import { stepBar } from '../terminal/step-bar.ts'
import { interruptible, type OutputFlags } from './run-session.ts'
import { stabilityLines } from './stability-view.ts'

const mostRuns = 100

const timesFrom = (text: string, flags: OutputFlags): number => {
  if (flags.events || flags.out !== undefined)
    throw new UsageError('--repeat makes several sessions: use --json instead of --events and --out.')
  const times = wholeNumberFrom('--repeat', 2)(text)
  if (times <= mostRuns) return times
  throw new UsageError(`--repeat ${times}: at most ${mostRuns} times.`)
}

const runWords = (session: Session, number: number, of: number): string => {
  const { leading, agree, of: seats, flips, id } = runOf(session)
  const answer = leading === null ? 'no answer led' : oneLine(leading)
  return `Run ${number} of ${of} (${id}): ${answer} · ${agree} of ${seats} · ${counted(flips, 'change of mind', 'changes of mind')}`
}

/** One after the other: a budget then ends the last run, and not all of them halfway. */
async function* runsOf(carrier: Carrier, input: AskInput, times: number, newId: () => string) {
  const base = input.seed ?? newId()
  for (let number = 1; number <= times; number++) {
    const session = await carry(carrier, { id: newId(), input: { ...input, seed: `${base} run ${number}` } })
    yield session
    if (session.stopped) return
  }
}

export const repeatSession = async (
  reach: Reach,
  opening: Opening,
  repeat: string,
  flags: OutputFlags,
  store: Archive,
  shell: Shell,
): Promise<number> => {
  const times = timesFrom(repeat, flags)
  if (opening.opened.question.format === 'text')
    throw new UsageError('--repeat compares answers, and texts are no vote: leave it out.')
  const { budget, ...input } = opening.input
  const bar = stepBar(shell.stderr, 'Asking')
  const { controller, stop } = interruptible(shell, {
    note: text => shell.stderr.write(`${text}\n`),
    end: bar.end,
  })
  const meter = meterFor(typeof budget === 'number' ? { usd: budget } : budget)
  const { clock } = shell
  const carrier: Carrier = {
    reach,
    openQueue: callQueues(),
    meter,
    store,
    clock,
    signal: controller.signal,
  }
  const print = (line: string): void => void (flags.json || shell.stdout.write(`${line}\n`))
  try {
    const sessions: Session[] = []
    if (shell.stderr.isTTY) bar.step(0, times)
    for await (const session of runsOf(carrier, input, times, dayId(clock))) {
      sessions.push(session)
      await store.tag(session.id, [tagOf(sessions)])
      bar.end()
      print(runWords(session, sessions.length, times))
      if (shell.stderr.isTTY && sessions.length < times) bar.step(sessions.length, times)
    }
    const counting = sessions.filter(session => !session.stopped)
    const stability = await stabilityIn(carrier, counting.length > 0 ? counting : sessions)
    const look = { columns: shell.stdout.columns || 80, paint: paintFor(shell.stdout) }
    const document = { question: input.question, tag: tagOf(sessions), asked: times, ...stability }
    if (flags.json) shell.stdout.write(printable(`${JSON.stringify(document, null, 2)}\n`, shell.stdout))
    else shell.stdout.write(`\n${stabilityLines(stability, tagOf(sessions), look).join('\n')}\n`)
    const early = sessions.find(session => session.outcome !== 'verdict')
    return exitCodeOf((early ?? sessions[0])?.outcome)
  } finally {
    stop()
    bar.end()
  }
}

/** Names all of them by the first one. */
const tagOf = (sessions: readonly Session[]): string => `repeat-${sessions[0]?.id}`
