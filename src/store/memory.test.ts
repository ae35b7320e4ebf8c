import { archiveContract } from './archive/contract.ts'
import { storeContract } from './contract.ts'
import { memoryStore } from './memory.ts'

storeContract('memory', async () => ({ store: memoryStore() }))
archiveContract('memory', async () => memoryStore())
