/** Reads the size of a picture from its header. Nothing is decoded, so a small file can't become huge. */

import { imageSize } from 'image-size'
import { largestPicture, longestSide } from '../core/question.ts'
import { pixelsText } from '../words/asking.ts'
import { Unreadable } from './files.ts'

const headerOf = (bytes: Uint8Array) => {
  try {
    // A copy: the library reads past the end of a part of a buffer, into what stands behind it.
    return imageSize(new Uint8Array(bytes))
  } catch {
    return undefined
  }
}

/** The library's name for each kind, and the bytes of its header: it takes bytes that are missing for zeros. */
const kinds: Readonly<Record<string, { readonly type: string; readonly header: number }>> = {
  'image/png': { type: 'png', header: 33 },
  'image/jpeg': { type: 'jpg', header: 20 },
  'image/webp': { type: 'webp', header: 25 },
  'image/gif': { type: 'gif', header: 13 },
}

const isSide = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0

/** Throws Unreadable with the reason. */
export const pictureSize = (bytes: Uint8Array, media: string): { width: number; height: number } => {
  if (bytes.length > largestPicture)
    throw new Unreadable(
      `as a picture it is larger than ${largestPicture / 1_000_000} MB, which not all makers take: make it smaller`,
    )
  const kind = kinds[media]
  const { width, height, type } = headerOf(bytes) ?? {}
  const isWhole = kind !== undefined && bytes.length >= kind.header && type === kind.type
  if (!isWhole || !isSide(width) || !isSide(height))
    throw new Unreadable('it is broken: its header does not say how large the picture is')
  if (width > longestSide || height > longestSide)
    throw new Unreadable(
      `it has ${pixelsText(width, height)}, and makers take at most ${pixelsText(longestSide, longestSide)}: make it smaller`,
    )
  return { width, height }
}
