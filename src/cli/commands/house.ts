/** `house`: the models that come with Roundtable: shows them, fetches, checks and removes them. */
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import { builtIn, builtInNamed, type Weights } from '../../providers/house/built-in.ts'
import { type Condition, conditionOf, removeWeights, weightsFile } from '../../providers/house/weights.ts'
import { hubAddress, weightsCache, weightsFolder } from '../../table/house.ts'
import { houseLabel } from '../../table/house-table.ts'
import { describeWeights, offered, readyAny, readyWeights } from '../session/house-weights.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import type { Shell } from '../terminal/shell.ts'

interface Done {
  readonly lines: readonly string[]
  readonly code?: number
}

/** Without a model, an action is about all of them, or about the one that is chosen. */
type Action = (shell: Shell, model: Weights | undefined, yes: boolean) => Promise<Done>

const conditionWords = (condition: Condition, { id }: Weights): string =>
  ({
    absent: `not fetched yet: \`roundtable house fetch ${id}\` gets it, once`,
    whole: 'ready, and as it should be',
    damaged: `damaged: \`roundtable house remove ${id}\` takes it away, \`roundtable house fetch ${id}\` gets it anew`,
  })[condition]

const outOfReach = (env: Shell['env']): string => {
  const hub = hubAddress(env)
  return hub === undefined
    ? 'not fetched, and ROUNDTABLE_HUB=no'
    : `not fetched, and ${new URL(hub).host} does not offer it now: is there a network?`
}

const show: Action = async (shell, model) => {
  const folder = weightsFolder(shell.env)
  const models = model ? [model] : builtIn
  const conditions = await Promise.all(models.map(weights => conditionOf(folder, weights)))
  const absent = models.filter((_, index) => conditions[index] === 'absent')
  const can = await offered(absent, shell.env)
  const blocks = models.flatMap((weights, index) => {
    const lost = absent.includes(weights) && !can.includes(weights)
    return [
      `house/${weights.id}  ${weights.name}, ${describeWeights(weights, shell.env)}`,
      `  ${lost ? outOfReach(shell.env) : conditionWords(conditions[index]!, weights)}`,
    ]
  })
  return {
    lines: [
      ...blocks,
      `They are kept in ${folder}.`,
      `Where nobody else can answer, the first that is ready does: ${houseLabel}.`,
      'Any other GGUF file sits at the table as house:/path/model.gguf.',
    ],
  }
}

const fetchModel: Action = async (shell, model, yes) => {
  const { path } = model ? await readyWeights(model, shell, yes) : await readyAny(shell, yes)
  return { lines: [`Ready: ${path}`] }
}

const verify: Action = async (shell, model) => {
  const folder = weightsFolder(shell.env)
  const all = await Promise.all(
    (model ? [model] : builtIn).map(async weights => ({
      weights,
      condition: await conditionOf(folder, weights, true),
    })),
  )
  const there = all.filter(({ condition }) => condition !== 'absent')
  const found = there.length > 0 ? there : all.slice(-1)
  return {
    lines: found.map(
      ({ weights, condition }) => `${weightsFile(folder, weights)} is ${conditionWords(condition, weights)}.`,
    ),
    code: found.every(({ condition }) => condition === 'whole') ? exitCodes.done : exitCodes.failed,
  }
}

const remove: Action = async (shell, model) => {
  const cache = weightsCache(shell.env)
  const removed: string[] = []
  for (const weights of model ? [model] : builtIn)
    if (await removeWeights(cache, weights)) removed.push(`Removed ${weights.name}.`)
  return { lines: removed.length > 0 ? removed : ['There was nothing to remove.'] }
}

const actions: Readonly<Record<string, Action>> = { show, fetch: fetchModel, verify, remove }

const actionNamed = (name: string): Action => {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action) return action
  throw new UsageError(`There is no \`house ${name}\`; there are ${Object.keys(actions).join(', ')}.`)
}

const modelNamed = (name: string | undefined): Weights | undefined => {
  if (name === undefined) return undefined
  const weights = builtInNamed(name.replace(/^house\//, ''))
  if (weights) return weights
  const names = builtIn.map(({ id }) => id).join(', ')
  throw new UsageError(`The house has no model "${name}"; it has ${names}.`)
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--yes', 'fetch without asking: the model that is named, or the smallest')
    .action(async (name: string | undefined, model: string | undefined, flags: { yes?: boolean }) => {
      const run = actionNamed(name ?? 'show')
      const { lines, code = exitCodes.done } = await run(shell, modelNamed(model), flags.yes ?? false)
      shell.stdout.write(`${lines.join('\n')}\n`)
      finish(code)
    })
}
