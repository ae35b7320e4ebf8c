/**
 * The folder of an embedded database whose commits reach the disk. PGlite starts Postgres with fsync off, and its file
 * system ignores the call: a power cut would lose commits that were acknowledged.
 */
import { fsyncSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** Tells Postgres that a write failed: it stops, instead of continuing with data that may not be stored. */
const inputOutputError = 29

interface FileSystems {
  readonly filesystems: { readonly NODEFS: { readonly stream_ops: Record<string, unknown> } }
}

export const startParameters: readonly string[] = [
  ...PGlite.defaultStartParams.filter(parameter => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
]

export class SyncedFolder extends NodeFS {
  /** How often a file was synced to the disk. */
  syncs = 0

  override async init(...[database, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(database, options)
    const hook = ({ FS }: { readonly FS: unknown }): void => {
      ;(FS as FileSystems).filesystems.NODEFS.stream_ops.fsync = ({ nfd }: { readonly nfd: number }) =>
        this.#sync(nfd)
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), hook] } }
  }

  #sync(descriptor: number): number {
    this.syncs++
    try {
      fsyncSync(descriptor)
      return 0
    } catch {
      return inputOutputError
    }
  }
}
