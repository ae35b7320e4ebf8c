/** What the log and the store keep of a request's attachments. Pure. */
import { UsageError } from '../core/errors.ts'
import type { AttachmentWish } from '../core/question/attachment-wish.ts'
import type { Attachment } from '../core/question/question.ts'
import type { StoredFile } from '../core/question/stored-file.ts'

/** Text that was handed in as text is an exhibit too; only its bytes are nowhere else. */
export const attachmentsIn = (wishes: readonly AttachmentWish[]): Attachment[] =>
  wishes.map(({ name, text, data, sha256, places, media = 'text/plain' }) => {
    if (text === undefined)
      throw new UsageError(`${name} was not read yet: hand its bytes to readExhibit first.`)
    return { name, text, media, ...(data !== undefined && { sha256 }), ...(places && { places }) }
  })

export const filesIn = (wishes: readonly AttachmentWish[]): StoredFile[] =>
  wishes.flatMap(({ sha256, data, media = 'text/plain' }) =>
    sha256 === undefined || data === undefined ? [] : [{ sha256, media, data }],
  )
