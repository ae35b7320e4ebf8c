import { testLinearTime } from './linear-time.ts'
import { reportReaders } from './report-readers.ts'

testLinearTime(reportReaders)
