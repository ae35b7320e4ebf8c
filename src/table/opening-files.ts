/** What the log and the store keep of a request's attachments. Pure. */
import { UsageError } from '../core/errors.ts'
import type { AttachmentWish } from '../core/question/attachment-wish.ts'
import { mostPictureBytes, mostPictures, picturesIn } from '../core/question/picture.ts'
import type { Attachment, Question } from '../core/question/question.ts'
import type { StoredFile } from '../core/question/stored-file.ts'

/** Bytes that base64 stands for, give or take two. */
const sizeOf = (data: string): number => (data.length * 3) / 4

const checkPictures = (wishes: readonly AttachmentWish[]): void => {
  const pictures = wishes.filter(({ width }) => width !== undefined)
  if (pictures.length > mostPictures)
    throw new UsageError(
      `A question has at most ${mostPictures} pictures, and this one has ${pictures.length}.`,
    )
  const bytes = pictures.reduce((sum, { data = '' }) => sum + sizeOf(data), 0)
  if (bytes > mostPictureBytes)
    throw new UsageError(
      `All pictures of a question have at most ${mostPictureBytes / 1_000_000} MB together: attach fewer, or smaller ones.`,
    )
}

/** An estimate needs no bytes, but seats do. */
export const lostPicture = ({ attachments }: Pick<Question, 'attachments'>): UsageError | undefined => {
  const lost = picturesIn(attachments).find(({ sha256 }) => sha256 === undefined)
  return lost && new UsageError(`The picture ${lost.name} came without its bytes: attach it again.`)
}

/** Text that was handed in as text is an exhibit too; only its bytes are nowhere else. */
export const attachmentsIn = (wishes: readonly AttachmentWish[]): Attachment[] => {
  checkPictures(wishes)
  return wishes.map(({ name, text, data, sha256, places, width, height, media = 'text/plain' }) => {
    if (text === undefined)
      throw new UsageError(`${name} was not read yet: hand its bytes to readExhibit first.`)
    const size = width === undefined || height === undefined ? {} : { width, height }
    return { name, text, media, ...(data !== undefined && { sha256 }), ...(places && { places }), ...size }
  })
}

export const filesIn = (wishes: readonly AttachmentWish[]): StoredFile[] =>
  wishes.flatMap(({ sha256, data, media = 'text/plain' }) =>
    sha256 === undefined || data === undefined ? [] : [{ sha256, media, data }],
  )
