/** Word and Excel files are zip files. They are unpacked once, within a limit, so that a small one can't become huge. */
import { unzipSync, zipSync } from 'fflate'
import { Unreadable } from './reader.ts'

const mostEntries = 5_000
const mostUnpacked = 100_000_000

/** Password-protected Office files are no zip files but in the older format of Office. */
const isOldOffice = (bytes: Uint8Array): boolean => bytes[0] === 0xd0 && bytes[1] === 0xcf

/**
 * The same file, packed without compression. The unpacker gives an entry the room that its header says and no more, so a
 * header that lies can't make it grow.
 */
export const repacked = (bytes: Uint8Array, holds: string): Uint8Array => {
  if (isOldOffice(bytes))
    throw new Unreadable('it is encrypted, or in a format from before 2007: save a copy without a password')
  let entries = 0
  let unpacked = 0
  const filter = ({ originalSize }: { originalSize: number }): boolean => {
    entries++
    unpacked += originalSize
    if (entries > mostEntries || unpacked > mostUnpacked)
      throw new Unreadable(`it would unpack to more than ${mostUnpacked / 1_000_000} MB`)
    return true
  }
  try {
    const files = unzipSync(bytes, { filter })
    if (!files[holds]) throw new Unreadable('its content is not what its name says')
    return zipSync(files, { level: 0 })
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable('it is broken: it cannot be unpacked')
  }
}
