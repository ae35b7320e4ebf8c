/** The stores there are. Those in Postgres are imported from their own files, when they are needed. */
export type { Archive, Filter, Findings, FoundSession, Page } from './archive/archive.ts'
export { fileStore } from './files.ts'
export { memoryStore } from './memory.ts'
export { type Listed, PositionTaken, type Store } from './store.ts'
