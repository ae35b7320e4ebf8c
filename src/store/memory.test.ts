import { archiveContract } from '../../test/contracts/store-archive-contract.ts'
import { storeContract } from '../../test/contracts/store-contract.ts'
import { memoryStore } from './memory.ts'

storeContract('memory', async () => ({ store: memoryStore() }))
archiveContract('memory', async () => memoryStore())
