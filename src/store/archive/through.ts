/** An archive whose every call goes through one function, which decides on which archive it is made. */
import type { Archive } from './archive.ts'

export type Use = <T>(call: (archive: Archive) => Promise<T>) => Promise<T>

export const archiveThrough = (use: Use, close: () => Promise<void>): Archive => ({
  append: (...given) => use(archive => archive.append(...given)),
  read: (...given) => use(archive => archive.read(...given)),
  list: () => use(archive => archive.list()),
  remove: (...given) => use(archive => archive.remove(...given)),
  find: (...given) => use(archive => archive.find(...given)),
  tags: (...given) => use(archive => archive.tags(...given)),
  tag: (...given) => use(archive => archive.tag(...given)),
  lineups: () => use(archive => archive.lineups()),
  saveLineup: (...given) => use(archive => archive.saveLineup(...given)),
  removeLineup: (...given) => use(archive => archive.removeLineup(...given)),
  settings: () => use(archive => archive.settings()),
  setting: (...given) => use(archive => archive.setting(...given)),
  saveSetting: (...given) => use(archive => archive.saveSetting(...given)),
  claimSetting: (...given) => use(archive => archive.claimSetting(...given)),
  removeSetting: (...given) => use(archive => archive.removeSetting(...given)),
  close,
})
