/** The headers of a file of a session: a page shows pictures, and anything else a browser saves. */
import { pictureMedia } from '../core/question/picture.ts'
import { exportPolicy } from './headers.ts'

const isShown = (media: string): boolean => (pictureMedia as readonly string[]).includes(media)

export const fileHeaders = (media: string): Readonly<Record<string, string>> => ({
  'content-type': isShown(media) ? media : 'application/octet-stream',
  // Whatever it says that it is.
  'content-disposition': 'attachment',
  'content-security-policy': exportPolicy,
  'cache-control': 'private, max-age=3600',
})
