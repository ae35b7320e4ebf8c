/** The list of archive methods. The pass-through, the socket server and the socket client are made from it. */
import type { Archive } from './archive.ts'

/** Every method but `close`, which is about a connection and not about what is stored. */
export type ArchiveMethod = Exclude<keyof Archive, 'close'>

/** A method of `Archive` that is missing here doesn't compile, and neither does one that `Archive` lacks. */
const methods: Readonly<Record<ArchiveMethod, true>> = {
  append: true,
  read: true,
  list: true,
  keepFiles: true,
  file: true,
  remove: true,
  find: true,
  tag: true,
  lineups: true,
  saveLineup: true,
  removeLineup: true,
  settings: true,
  setting: true,
  saveSetting: true,
  addSetting: true,
  removeSetting: true,
  filing: true,
  own: true,
  record: true,
  ownedRecord: true,
  records: true,
  saveRecord: true,
  addRecord: true,
  removeRecord: true,
  spending: true,
  ledger: true,
  countSpending: true,
  asked: true,
}

export const isArchiveMethod = (name: string): name is ArchiveMethod => Object.hasOwn(methods, name)

type ArchiveCall = (method: ArchiveMethod, given: readonly unknown[]) => Promise<unknown>

/** An archive whose calls all go through one function. */
export const archiveFrom = (call: ArchiveCall, close: () => Promise<void>): Archive => {
  const entries = Object.keys(methods).map(name => {
    const method = name as ArchiveMethod
    return [method, (...given: readonly unknown[]) => call(method, given)] as const
  })
  // The record above holds every method; what is lost here is only that each has its own arguments.
  return { ...Object.fromEntries(entries), close } as unknown as Archive
}

/** The arguments must be those of the method: nothing checks them before the method itself does. */
export const callOn = (
  archive: Archive,
  method: ArchiveMethod,
  given: readonly unknown[],
): Promise<unknown> => (archive[method] as (...given: readonly unknown[]) => Promise<unknown>)(...given)
