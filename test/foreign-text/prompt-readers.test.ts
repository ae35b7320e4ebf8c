import { testLinearTime } from './linear-time.ts'
import { promptReaders } from './prompt-readers.ts'

testLinearTime(promptReaders)
