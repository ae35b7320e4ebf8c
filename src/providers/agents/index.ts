/** All agents that are known by name. Faces, line-up and tests derive from this list. */
import type { Agent } from './agent.ts'
import * as list from './list.ts'

export const agents: readonly Agent[] = Object.values<Agent>(list)
