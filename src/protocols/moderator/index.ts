/** What the moderator can be asked, by command. */
import type { ModelCommand } from '../../core/log/command.ts'
import type { ModeratorTask } from '../../core/log/event.ts'
import type { ModelStep } from '../model-step.ts'
import { challenge } from './challenge.ts'
import { change } from './change.ts'
import { check } from './check.ts'
import { checkAll } from './check-all.ts'
import { digest } from './digest.ts'
import { group } from './group.ts'
import { findKind } from './kind.ts'
import { readRound } from './read-round.ts'
import { groupReadings } from './readings.ts'
import { report } from './report.ts'
import { ruling } from './ruling.ts'

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
