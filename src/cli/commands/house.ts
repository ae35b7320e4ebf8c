/** `house`: lists, downloads, verifies and removes the built-in models. */
import type { Command } from 'commander'
import { UsageError } from '../../core/errors.ts'
import { builtIn, builtInNamed, type Weights } from '../../providers/house/built-in.ts'
import { aboutEngine, hasEngine, removeEngine } from '../../providers/house/fetch-engine.ts'
import { type Condition, conditionOf, removeWeights, weightsFile } from '../../providers/house/weights.ts'
import { hubAddress, weightsCache, weightsFolder } from '../../table/house.ts'
import { houseLabel } from '../../table/house-table.ts'
import { describeWeights, offered, readyAny, readyEngine, readyWeights } from '../session/house-weights.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { programName } from '../terminal/program-name.ts'
import type { Shell } from '../terminal/shell.ts'

interface Done {
  readonly lines: readonly string[]
  readonly code?: number
}

/** Without a model, an action is about all of them; a download is about the one that the person picks. */
type Action = (shell: Shell, model: Weights | undefined, yes: boolean) => Promise<Done>

const conditionWords = (condition: Condition | 'engine-missing', { id }: Weights): string =>
  ({
    'engine-missing': `downloaded, but its engine isn't. To download it: ${programName()} house download engine`,
    absent: `not downloaded. To download it: ${programName()} house download ${id}`,
    whole: 'downloaded and complete',
    damaged: `damaged. Remove it with \`${programName()} house remove ${id}\`, then download it again`,
  })[condition]

const outOfReach = (env: Shell['env']): string => {
  const hub = hubAddress(env)
  return hub === undefined
    ? 'not downloaded, and ROUNDTABLE_HUB=no forbids it'
    : `not downloaded, and ${new URL(hub).host} can't be reached or doesn't have it. Check your network.`
}

const withEngine = (condition: Condition, { env }: Shell) =>
  condition === 'whole' && !hasEngine(weightsCache(env)) ? 'engine-missing' : condition

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
      `  ${lost ? outOfReach(shell.env) : conditionWords(withEngine(conditions[index]!, shell), weights)}`,
    ]
  })
  return {
    lines: [
      ...blocks,
      `Models are saved in ${folder}.`,
      `If no other model is configured, the first one that is downloaded answers. ${houseLabel}.`,
      'You can also seat a GGUF file of your own, as house:/path/model.gguf.',
    ],
  }
}

const download: Action = async (shell, model, yes) => {
  const { path } = model ? await readyWeights(model, shell, yes) : await readyAny(shell, yes)
  return { lines: [`Ready to use: ${path}`] }
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
      ({ weights, condition }) => `${weightsFile(folder, weights)}: ${conditionWords(condition, weights)}.`,
    ),
    code: found.every(({ condition }) => condition === 'whole') ? exitCodes.done : exitCodes.failed,
  }
}

const remove: Action = async (shell, model) => {
  const cache = weightsCache(shell.env)
  const removed: string[] = []
  for (const weights of model ? [model] : builtIn)
    if (await removeWeights(cache, weights)) removed.push(`Removed ${weights.name}.`)
  if (!model && (await removeEngine(cache))) removed.push('Removed the engine.')
  return { lines: removed.length > 0 ? removed : ['There was nothing to remove.'] }
}

const actions: Readonly<Record<string, Action>> = { show, download, verify, remove }
/** Earlier names of actions: scripts use them. */
const aliases: Readonly<Record<string, Action>> = { fetch: download }

/** The engine by itself: for a file of weights that the person already has. */
const downloadEngine: Action = async (shell, _model, yes) => ({
  lines: [`Ready to use: ${await readyEngine(shell, yes)}`],
})

const engineAction = (name: string | undefined): Action => {
  if (name === 'download' || name === 'fetch') return downloadEngine
  throw new UsageError('The engine can only be downloaded: `house download engine`.')
}

const actionNamed = (name: string): Action => {
  const action = new Map(Object.entries({ ...actions, ...aliases })).get(name)
  if (action) return action
  throw new UsageError(`There is no \`house ${name}\`. Use one of: ${Object.keys(actions).join(', ')}.`)
}

const modelNamed = (name: string | undefined): Weights | undefined => {
  if (name === undefined) return undefined
  const weights = builtInNamed(name.replace(/^house\//, ''))
  if (weights) return weights
  const names = builtIn.map(({ id }) => id).join(', ')
  throw new UsageError(`There is no built-in model "${name}". Use one of: ${names}.`)
}

export const define = (command: Command, shell: Shell, finish: (code: number) => void): void => {
  command
    .option('--yes', 'download without asking: the model that you name, or the smallest one')
    .addHelpText(
      'after',
      `
Actions:
  show      list the models and their state; this is the default
  download  download a model; "fetch" does the same
  verify    check the files of the downloaded models
  remove    delete a downloaded model, or all of them

Models: ${builtIn.map(({ id }) => id).join(', ')}; "engine" downloads only ${aboutEngine}`,
    )
    .action(async (name: string | undefined, model: string | undefined, flags: { yes?: boolean }) => {
      const run = model === 'engine' ? engineAction(name) : actionNamed(name ?? 'show')
      const { lines, code = exitCodes.done } = await run(
        shell,
        model === 'engine' ? undefined : modelNamed(model),
        flags.yes ?? false,
      )
      shell.stdout.write(`${lines.join('\n')}\n`)
      finish(code)
    })
}
