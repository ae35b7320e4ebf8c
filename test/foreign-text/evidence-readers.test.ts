import { testLinearTime } from './linear-time.ts'
import { evidenceReaders } from './evidence-readers.ts'

testLinearTime(evidenceReaders)
