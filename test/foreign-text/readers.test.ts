import { testLinearTime } from './linear-time.ts'
import { foreignReaders } from './readers.ts'

testLinearTime(foreignReaders)
