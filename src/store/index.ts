/** The stores there are. */
export { fileStore } from './files.ts'
export { memoryStore } from './memory.ts'
export { type Listed, PositionTaken, type Store } from './store.ts'
