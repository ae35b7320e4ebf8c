/** What reads the output of command-line agents. */
import type { AgentListener, ReadAgent } from '../../src/providers/agents/agent.ts'
import { readClaude } from '../../src/providers/agents/claude.ts'
import { readCodex } from '../../src/providers/agents/codex.ts'
import { agentFailure } from '../../src/providers/agents/failure.ts'
import { jsonLines } from '../../src/providers/agents/json-lines.ts'
import { commandIn, isAgentSeat } from '../../src/providers/agents/names.ts'
import { readOpencode } from '../../src/providers/agents/opencode.ts'
import { readText } from '../../src/providers/agents/own.ts'
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
