/** One line per agent. */
export { claude } from './claude.ts'
export { codex } from './codex.ts'
export { opencode } from './opencode.ts'
export { qwen } from './qwen.ts'
