/** An archive that is opened when it is first used: what goes wrong before that costs no database. */
import type { Archive } from './archive.ts'

export const lazily = (open: () => Promise<Archive>): Archive => {
  let opening: Promise<Archive> | undefined
  const opened = (): Promise<Archive> => {
    opening ??= open()
    return opening
  }
  return {
    append: async (...given) => (await opened()).append(...given),
    read: async (...given) => (await opened()).read(...given),
    list: async () => (await opened()).list(),
    remove: async (...given) => (await opened()).remove(...given),
    find: async (...given) => (await opened()).find(...given),
    tags: async (...given) => (await opened()).tags(...given),
    tag: async (...given) => (await opened()).tag(...given),
    lineups: async () => (await opened()).lineups(),
    saveLineup: async (...given) => (await opened()).saveLineup(...given),
    removeLineup: async (...given) => (await opened()).removeLineup(...given),
    settings: async () => (await opened()).settings(),
    setting: async (...given) => (await opened()).setting(...given),
    saveSetting: async (...given) => (await opened()).saveSetting(...given),
    claimSetting: async (...given) => (await opened()).claimSetting(...given),
    removeSetting: async (...given) => (await opened()).removeSetting(...given),
    // One that could not be opened holds nothing, and has told so.
    close: async () => (await opening?.catch(() => undefined))?.close(),
  }
}
