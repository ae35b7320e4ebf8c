/** Asks in this process. */
import { type Carrier, carry, runOf, stabilityIn } from '../bench/trials.ts'
import { counted, UsageError } from '../core/basics.ts'
import type { Session } from '../core/session.ts'
import { callQueues, meterFor } from '../run/budget.ts'
import { dayId } from '../run/run.ts'
import { createRuntime } from '../run/runtime.ts'
import type { Archive } from '../store/archive.ts'
import type { Shared } from '../store/shared.ts'
import type { AskInput } from '../table/ask.ts'
import type { Config } from '../table/config.ts'
import { type OpenReach, openReach } from '../table/open-reach.ts'
import type { Reach } from '../table/reach.ts'
import { type Opening, resolveAsk } from '../table/resolve.ts'
import { owningRuns } from './archive.ts'
import { sharpenedInput } from './ask.ts'
import { type AskTableFlags, askerAt, withTable } from './ask-flags.ts'
import { exitCodeOf, exitCodes, programName } from './program-name.ts'
import { interruptible, mySeatIn, type OutputFlags, runSession, runWithOwnSeat } from './run-session.ts'
import {
  oneLine,
  paintFor,
  printable,
  type Remarks,
  type Shell,
  stepBar,
  wholeNumberFrom,
} from './terminal.ts'
import { stabilityLines } from './views.ts'

// repeat: `ask --repeat`: the same question to the same table several times, all sessions saved.

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
async function* runsOf(
  carrier: Carrier,
  { input, links }: Pick<Opening, 'input' | 'links'>,
  times: number,
  newId: () => string,
) {
  const base = input.seed ?? newId()
  for (let number = 1; number <= times; number++) {
    const again = { ...input, seed: `${base} run ${number}` }
    const session = await carry(carrier, { id: newId(), input: again, links })
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
  const { links } = opening
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
    for await (const session of runsOf(carrier, { input, links }, times, dayId(clock))) {
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

const sharpenedHere = async (
  opening: Opening,
  input: AskInput,
  { providers, protocols: rules }: OpenReach,
  flags: AskTableFlags,
  shell: Shell,
): Promise<AskInput | undefined> => {
  const runtime = createRuntime({ providers, protocols: rules, clock: shell.clock })
  return sharpenedInput(input, signal => runtime.sharpen(opening, signal), flags, shell)
}

/** Others answer through a link, which only a server can open. */
const checkPeopleHere = (seats: Opening['opened']['seats']): void => {
  const others = seats.filter(seat => seat.person && mySeatIn({ seats }) !== seat.id)
  if (others.length === 0) return
  throw new UsageError(
    `${others.map(({ name }) => name).join(', ')} would answer through a link, and no server is running. Start one first: ${programName()} serve`,
  )
}

/** Runs the session in this process, with the models that this terminal's configuration reaches. */
export const askHere = async (
  input: AskInput,
  config: Config,
  archive: Shared,
  flags: AskTableFlags,
  shell: Shell,
  remarks: Remarks,
): Promise<number> => {
  const { cwd, clock } = shell
  const ask = await withTable(input, archive)
  const reach = await openReach(config, { cwd, clock, ask })
  const asker = askerAt(archive, config, shell, flags)
  const settled = (wish: AskInput): Promise<Opening> => resolveAsk(wish, dayId(clock)(), reach, asker)
  const first = await settled(input)
  checkPeopleHere(first.opened.seats)
  const sharper = flags.sharpen ? await sharpenedHere(first, input, reach, flags, shell) : input
  if (!sharper) return exitCodes.done
  const opening = sharper === input ? first : await settled(sharper)
  const store = owningRuns(archive)
  const over = new AbortController()
  reach.refreshBeside(over.signal)
  try {
    if (flags.repeat !== undefined) {
      return await repeatSession(reach, opening, flags.repeat, flags, store, shell)
    }
    const { providers, protocols, searcher } = reach
    const runtime = createRuntime({ providers, protocols, searcher, store, clock })
    if (opening.opened.seats.some(({ person }) => person)) {
      const event = await opening.first(clock)
      if (opening.files.length > 0) await store.keepFiles(event.id, opening.files)
      await store.append(event.id, [event])
      const mine = runWithOwnSeat(runtime, store, [event], clock, protocols)
      return await runSession(
        { estimate: opening.estimate, ...mine, earlier: archive },
        flags,
        shell,
        remarks,
      )
    }
    const start = (signal: AbortSignal) => runtime.begin(opening, signal)
    return await runSession({ estimate: opening.estimate, start, earlier: archive }, flags, shell, remarks)
  } finally {
    // A model list that is still loading must not keep the process alive.
    over.abort()
  }
}
