/** The attachments of a request, read: each has its text afterwards. */
import { UsageError } from '../core/errors.ts'
import type { AttachmentWish } from '../core/question/attachment-wish.ts'
import { exhibitFrom, fileName } from './index.ts'

/** The bytes of a file of an earlier session, as base64. Undefined if there is none. */
export type EarlierFile = (session: string, sha256: string) => Promise<string | undefined>

/** Buffer ignores what isn't base64, and would read a part of it. */
const isBase64 = (data: string): boolean => data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data)

const dataOf = async (
  { name, text, data, session, sha256 }: AttachmentWish,
  earlier: EarlierFile | undefined,
): Promise<string | undefined> => {
  if (data !== undefined || session === undefined) return data
  const found = sha256 === undefined ? undefined : await earlier?.(session, sha256)
  // A session may have been imported without its files: its text is still there.
  if (found !== undefined || text) return found
  throw new UsageError(`Session ${session} has no such file as ${fileName(name)}: attach it again.`)
}

const readOne = async (wish: AttachmentWish, earlier: EarlierFile | undefined): Promise<AttachmentWish> => {
  const data = await dataOf(wish, earlier)
  const name = fileName(wish.name)
  if (data === undefined) {
    const { text = '', media = 'text/plain', places, width, height } = wish
    const size = width === undefined || height === undefined ? {} : { width, height }
    return { name, text, media, ...(places && { places }), ...size }
  }
  if (!isBase64(data)) throw new UsageError(`The data of ${name} isn't base64.`)
  return exhibitFrom({ name, bytes: new Uint8Array(Buffer.from(data, 'base64')) })
}

/** Throws UsageError if one of them can't be read. */
export const readAttachments = async (
  wishes: readonly AttachmentWish[],
  earlier?: EarlierFile,
): Promise<readonly AttachmentWish[]> => {
  const read: AttachmentWish[] = []
  for (const wish of wishes) read.push(await readOne(wish, earlier))
  return read
}
