/** An archive that saves nothing new while its disk has no room. Reading and removing still work. */
import type { Room } from '../room.ts'
import type { Archive } from './archive.ts'
import { type ArchiveMethod, archiveFrom, callOn } from './methods.ts'

const saving: ReadonlySet<ArchiveMethod> = new Set([
  ...(['append', 'keepFiles', 'tag', 'saveLineup', 'saveSetting', 'addSetting'] as const),
  ...(['saveRecord', 'addRecord', 'countSpending'] as const),
])

export const withinRoom = (archive: Archive, room: Room): Archive =>
  archiveFrom(async (method, given) => {
    if (saving.has(method)) room.check()
    return callOn(archive, method, given)
  }, archive.close)
