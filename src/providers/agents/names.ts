/** Names of seats that are agents: `cli:codex`, `cli:claude/opus`, `acp:some-agent --acp`. */

/** The id of an agent's provider begins with it. */
export const seatPrefix = 'cli:'
/** Whatever the agent itself would take. */
export const defaultModel = 'default'
/** The provider of agents that speak the Agent Client Protocol; the model is the command. */
export const acpId = 'acp'

/** In a log, `acp:command` is `acp/command`. */
export const isAgentSeat = (name: string): boolean => /^(?:cli:|acp[:/])/.test(name)

/** The command of a seat that names one; undefined if it doesn't. */
export const commandIn = (name: string): string | undefined => /^acp[:/](.+)$/s.exec(name)?.[1]?.trim()
