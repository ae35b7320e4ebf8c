/** Asks in this process. */
import { UsageError } from '../../core/errors.ts'
import { dayId } from '../../runtime/ids.ts'
import { createRuntime } from '../../runtime/runtime.ts'
import type { Shared } from '../../store/shared/shared.ts'
import type { AskInput } from '../../table/ask-input.ts'
import type { Config } from '../../table/config.ts'
import { type Opening, type OpenReach, openReach, resolveAsk } from '../../table/index.ts'
import { owningRuns } from '../archive/own-runs.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { programName } from '../terminal/program-name.ts'
import type { Remarks } from '../terminal/remarks.ts'
import type { Shell } from '../terminal/shell.ts'
import type { AskTableFlags } from './ask-options.ts'
import { withTable } from './ask-request.ts'
import { askerAt } from './asker.ts'
import { mySeatIn } from './own-seat.ts'
import { repeatSession } from './repeat.ts'
import { runSession } from './run-session.ts'
import { runWithOwnSeat } from './run-with-own-seat.ts'
import { sharpenedInput } from './sharpen-question.ts'

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
