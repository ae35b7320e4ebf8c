/** Pictures among the exhibits: they have no text, and only some models see them. */
import type { Attachment } from './question.ts'

export const pictureMedia = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

/** Bytes of one picture: as base64 it has to stay below the 5 MB that some makers take. */
export const largestPicture = 3_750_000
/** Pixels of a side. Makers refuse more. */
export const longestSide = 8_000
export const mostPictures = 20
/** Bytes of all pictures together: a request of more than 20 MB is refused by some makers. */
export const mostPictureBytes = 12_000_000

/** An exhibit that is a picture, with its number. */
export interface Picture {
  /** From 1. */
  readonly exhibit: number
  readonly name: string
  readonly media: string
  readonly sha256: string | undefined
  readonly width: number
  readonly height: number
}

export const isPicture = ({ width, height }: Pick<Attachment, 'width' | 'height'>): boolean =>
  width !== undefined && height !== undefined

export const picturesIn = (attachments: readonly Attachment[]): Picture[] =>
  attachments.flatMap(({ name, media = '', sha256, width, height }, index) =>
    width === undefined || height === undefined
      ? []
      : [{ exhibit: index + 1, name, media, sha256, width, height }],
  )

/** Makers shrink large pictures, and none counts fewer tokens for a small one. */
const tokenRange = { least: 85, most: 1_600 } as const
/** Pixels for one token. */
const pixelsPerToken = 750

/** Roughly: makers count pixels or tiles, each in its own way. */
export const pictureTokens = ({ width, height }: Pick<Picture, 'width' | 'height'>): number =>
  Math.min(tokenRange.most, Math.max(tokenRange.least, Math.ceil((width * height) / pixelsPerToken)))

/** What a call may be charged for one picture, for a budget that must not be exceeded. */
export const mostPictureTokens = 6_000
