/**
 * Whether the disk has room for writing. If a write of the embedded database fails because the disk is full, the database
 * never returns and the whole process hangs, so nothing is written any more well before that.
 */
import { statfsSync } from 'node:fs'
import { UsageError } from '../core/errors.ts'

const megabyte = 2 ** 20

/**
 * Kept free: the database adds 16 MB to its journal at a time, and writes what many sessions append in one moment before
 * anybody looks again.
 */
export const usualReserve = 128 * megabyte

export interface Room {
  has(): boolean
  /** Throws if there is no room. */
  check(): void
}

/** How many bytes this user may still write; without end if the system doesn't say. */
export const freeIn = (folder: string): number => {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

export const roomIn = (folder: string, free: typeof freeIn = freeIn, reserve = usualReserve): Room => ({
  has: () => free(folder) >= reserve,
  check() {
    const left = free(folder)
    if (left >= reserve) return
    throw new UsageError(
      `The disk is almost full: ${Math.floor(left / megabyte)} MB are left for ${folder}, and ${reserve / megabyte} MB must stay free. ` +
        'Nothing new is saved until there is room; what is saved can be read and deleted.',
      'disk-full',
    )
  },
})
