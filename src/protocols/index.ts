/** Every built-in protocol. Command-line choices, pickers and contract tests come from this list. */
import { UsageError } from '../core/basics.ts'
import type { ModelCommand, ModeratorTask } from '../core/event.ts'
import { crossExamination } from './cross-examination.ts'
import { delphi } from './delphi.ts'
import { change, check, checkAll, group, groupReadings, readRound } from './grouping.ts'
import { hybrid } from './hybrid.ts'
import { market } from './market.ts'
import { challenge, digest, findKind, ruling } from './moderator.ts'
import { poll } from './poll.ts'
import type { ModelStep, Protocol } from './protocol.ts'
import { report } from './report.ts'
import { roundtable } from './roundtable.ts'

export const protocols: readonly Protocol[] = [
  hybrid(),
  roundtable(),
  poll(),
  delphi(),
  crossExamination(),
  market(),
]

export const defaultProtocol = 'hybrid'

/** The built-in protocols and one's own. With two of one id, nobody could tell which of them a log names. */
export const protocolsWith = (own: readonly Protocol[] = []): readonly Protocol[] => {
  const all = [...protocols, ...own]
  const twice = all.find(({ id }, index) => all.findIndex(other => other.id === id) !== index)
  if (!twice) return all
  throw new UsageError(`There are two protocols with the id "${twice.id}": give yours another one.`)
}

export const protocolNamed = (id: string, among: readonly Protocol[] = protocols): Protocol => {
  const found = among.find(protocol => protocol.id === id)
  if (found) return found
  throw new UsageError(
    `There is no protocol "${id}"; there are ${among.map(protocol => protocol.id).join(', ')}.`,
  )
}

// moderator: What the moderator can be asked, by command.

export type ModeratorCommand = Exclude<ModelCommand, { type: 'ask-seat' | 'make-statement' }>

interface Entry {
  readonly task: ModeratorTask
  readonly step: ModelStep<never>
}

const steps: Record<ModeratorCommand['type'], Entry> = {
  'find-kind': { task: 'kind', step: findKind },
  'group-readings': { task: 'readings', step: groupReadings },
  'read-round': { task: 'reading', step: readRound },
  'group-answers': { task: 'group', step: group },
  'check-membership': { task: 'check', step: check },
  'check-memberships': { task: 'check', step: checkAll },
  'write-digest': { task: 'digest', step: digest },
  challenge: { task: 'challenge', step: challenge },
  judge: { task: 'judge', step: ruling },
  'write-report': { task: 'report', step: report },
  'check-change': { task: 'change', step: change },
}

/** The step for a command, with its name in the log. */
export const moderatorStep = (
  command: ModeratorCommand,
): { task: ModeratorTask; step: ModelStep<ModeratorCommand> } =>
  steps[command.type] as { task: ModeratorTask; step: ModelStep<ModeratorCommand> }
