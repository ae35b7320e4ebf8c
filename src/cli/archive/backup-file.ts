/** The lines of a backup's file. A small compressed file can unpack to more than any memory holds, so it is bounded. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { PassThrough, pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { UsageError } from '../../core/errors.ts'

export interface UnpackLimits {
  /** How many times larger than the file its contents may be. Sessions shrink to about a tenth. */
  readonly ratio: number
  /** Characters that are always allowed, whatever the ratio. */
  readonly always: number
  /** Characters of one line, which is one session. */
  readonly line: number
}

const usual: UnpackLimits = { ratio: 200, always: 100_000_000, line: 400_000_000 }

export async function* linesOf(path: string, limits: UnpackLimits = usual): AsyncGenerator<string> {
  const packed = path.endsWith('.gz')
  const most = packed ? Math.max(limits.always, (await stat(path)).size * limits.ratio) : Infinity
  // The callback stays empty: the loop below gets the error from the stream that it reads.
  const stream = pipeline(createReadStream(path), packed ? createGunzip() : new PassThrough(), () => {})
  let read = 0
  let length = 0
  /** Joined once when the line ends: joining at every chunk would copy a long line again and again. */
  let pieces: string[] = []
  for await (const chunk of stream.setEncoding('utf8') as AsyncIterable<string>) {
    read += chunk.length
    if (read > most)
      throw new UsageError(
        `The backup unpacks to more than ${limits.ratio} times its size. It is damaged, or was made to fill the disk.`,
      )
    for (const [index, piece] of chunk.split('\n').entries()) {
      if (index > 0) {
        yield pieces.join('')
        pieces = []
        length = 0
      }
      pieces.push(piece)
      length += piece.length
      if (length > limits.line)
        throw new UsageError(
          `The backup has a line of more than ${limits.line} characters. No session is that long.`,
        )
    }
  }
  const rest = pieces.join('')
  if (rest) yield rest
}
