import { agentReaders } from './agent-readers.ts'
import { testLinearTime } from './linear-time.ts'

testLinearTime(agentReaders)
