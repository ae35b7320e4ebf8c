/** `house`: the model that comes with Roundtable: shows it, fetches it, checks it, removes it. */
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import { floor } from '../../providers/house/index.ts'
import {
  type Condition,
  conditionOf,
  megabytes,
  removeWeights,
  weightsFile,
} from '../../providers/house/weights.ts'
import { weightsFolder } from '../../runtime/house.ts'
import { houseLabel } from '../../runtime/house-table.ts'
import { exitCodes } from '../exit-codes.ts'
import { readyWeights } from '../house-weights.ts'
import type { Shell } from '../shell.ts'

const conditionWords: Record<Condition, string> = {
  absent: 'not fetched yet: `roundtable house fetch` gets it, once',
  whole: 'ready, and as it should be',
  damaged: 'damaged: `roundtable house remove` takes it away, `roundtable house fetch` gets it anew',
}

type Action = (shell: Shell, folder: string, yes: boolean) => Promise<{ lines: string[]; code?: number }>

const actions: Readonly<Record<string, Action>> = {
  async show(_shell, folder) {
    return {
      lines: [
        `house/${floor.id}  ${floor.name}, ${megabytes(floor.bytes)}, ${floor.licence}: ${houseLabel}`,
        `  ${weightsFile(folder, floor)}`,
        `  ${conditionWords[await conditionOf(folder, floor)]}`,
        'Any other GGUF file sits at the table as house:/path/model.gguf.',
      ],
    }
  },
  async fetch(shell, _folder, yes) {
    return { lines: [`Ready: ${await readyWeights(shell, yes)}`] }
  },
  async verify(_shell, folder) {
    const condition = await conditionOf(folder, floor, true)
    return {
      lines: [`${weightsFile(folder, floor)} is ${conditionWords[condition]}.`],
      code: condition === 'whole' ? exitCodes.done : exitCodes.failed,
    }
  },
  async remove(_shell, folder) {
    const removed = await removeWeights(folder, floor)
    return { lines: [removed ? `Removed ${floor.name}.` : 'There was nothing to remove.'] }
  },
}

const actionNamed = (name: string): Action => {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action) return action
  throw new UsageError(`There is no \`house ${name}\`; there are ${Object.keys(actions).join(', ')}.`)
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--yes', 'fetch without asking')
    .action(async (name: string | undefined, flags: { yes?: boolean }) => {
      const run = actionNamed(name ?? 'show')
      const { lines, code = exitCodes.done } = await run(shell, weightsFolder(shell.env), flags.yes ?? false)
      shell.stdout.write(`${lines.join('\n')}\n`)
      finish(code)
    })
}
