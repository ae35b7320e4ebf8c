import { draftReaders } from './draft-readers.ts'
import { testLinearTime } from './linear-time.ts'

testLinearTime(draftReaders)
