import { evidenceReaders } from './evidence-readers.ts'
import { testLinearTime } from './linear-time.ts'

testLinearTime(evidenceReaders)
