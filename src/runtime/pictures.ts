/** The pictures of a question for a seat that sees, read from beside the log each time: a run may be resumed anywhere. */
import type { Session } from '../core/log/state.ts'
import { picturesIn, pictureTokens } from '../core/question/picture.ts'
import type { StoredFile } from '../core/question/stored-file.ts'
import type { CallPicture } from '../providers/provider.ts'

/** The bytes of a file of a session. */
export type FileOf = (session: string, sha256: string) => Promise<StoredFile | undefined>

/** Undefined if there are none. `missing`: one that isn't there, as a session may be imported without its files. */
export const picturesFor = async (
  { id, question }: Session,
  file: FileOf | undefined,
): Promise<readonly CallPicture[] | { readonly missing: string } | undefined> => {
  const found: CallPicture[] = []
  for (const { exhibit, name, sha256, media, ...size } of picturesIn(question.attachments)) {
    const data = sha256 === undefined ? undefined : (await file?.(id, sha256))?.data
    if (data === undefined) return { missing: name }
    found.push({ exhibit, media, data, tokens: pictureTokens(size) })
  }
  return found.length > 0 ? found : undefined
}
