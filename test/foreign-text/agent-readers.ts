/** What reads the output of command-line agents. */
import { readOpencode } from '../../src/agents/acp.ts'
import {
  type AgentListener,
  agentFailure,
  commandIn,
  isAgentSeat,
  jsonLines,
  type ReadAgent,
} from '../../src/agents/agents.ts'
import { readClaude } from '../../src/agents/claude.ts'
import { readCodex } from '../../src/agents/codex.ts'
import { readText } from '../../src/agents/list.ts'
import { type ForeignReader, pushed, reads } from './reader.ts'

const deaf: AgentListener = { text() {}, usage() {}, failed() {}, wantsTool() {}, done() {} }

const heard = (read: ReadAgent) => (text: string) => {
  const reader = read(deaf)
  pushed(text, piece => reader.data(piece))
  reader.end(true)
}

export const agentReaders: readonly ForeignReader[] = [
  reads('readClaude', heard(readClaude), '{"type":"result","result":"'),
  reads('readCodex', heard(readCodex), '{"type":"item.completed","item":{"type":"agent_message","text":"'),
  reads('readOpencode', heard(readOpencode), '{"type":"text","part":{"text":"'),
  reads('readText', heard(readText)),
  reads('jsonLines', text => pushed(text, jsonLines(() => {}).data), '{'),
  reads('agentFailure', agentFailure, 'log', 'token '),
  reads('commandIn', commandIn, 'acp:'),
  reads('isAgentSeat', isAgentSeat),
]
