/** The command-line agents of this machine: which are installed and logged in, and whether they may sit at the table. */
import { makerLabel } from '../models/catalogue.ts'
import { type Environment, variable } from '../models/endpoints.ts'
import type { Provider } from '../models/provider.ts'
import { acpProvider } from './acp.ts'
import {
  type Agent,
  agentProvider,
  findProgram,
  type LoginState,
  programAt,
  scrubbed,
  seatPrefix,
} from './agents.ts'
import { agents as knownAgents, type OwnAgent, ownAgent } from './list.ts'
import type { AcpPlace } from './sandbox.ts'

/** An agent whose program is installed. */
export interface InstalledAgent {
  /** `cli:codex` seats it with its own default model. */
  readonly seat: string
  readonly label: string
  readonly maker: string
  readonly makerLabel: string
  readonly path: string
  /** Models that can be named after a slash. */
  readonly models: readonly string[]
  /** What the person types to log in. */
  readonly logIn: string
  /** `unknown`: it wasn't asked yet, or can't say. */
  readonly state: LoginState
  /** From the person's own configuration. */
  readonly own: boolean
}

/** What this machine's agents offer a table. */
export interface AgentReach {
  /** One for each installed agent, and one for commands that speak the Agent Client Protocol. */
  readonly providers: readonly Provider[]
  /** Why no agent is seated here, in words. */
  readonly refusal?: string
  /** As far as it is known without running anything. */
  installed(): readonly InstalledAgent[]
  /** Asks every agent whether it is logged in, at most once a minute. Never fails. */
  check(): Promise<readonly InstalledAgent[]>
  /** Whether they may be the default table. Undefined: the person hasn't been asked. */
  agreed(): boolean | undefined
  agree(answer: boolean): Promise<void>
  /** The person typed this command, so it may be run. */
  allow(command: string): void
  isAllowed(command: string): boolean
}

export const noAgents: AgentReach = {
  providers: [],
  installed: () => [],
  check: async () => [],
  agreed: () => false,
  agree: async () => {},
  allow() {},
  isAllowed: () => false,
}

export interface AgentOptions {
  /** The person's own environment: what a working folder's files add to it doesn't count. */
  readonly env: Environment
  readonly own?: readonly OwnAgent[]
  /** Commands that the person's own configuration names. */
  readonly commands?: readonly string[]
  /** What it says about the sandbox of some commands that speak the Agent Client Protocol. */
  readonly places?: Readonly<Record<string, AcpPlace>>
  readonly agreed?: boolean | undefined
  readonly refusal?: string | undefined
  /** Keeps the person's answer. */
  readonly save?: (agreed: boolean) => Promise<void>
  readonly clock?: () => number
}

const freshFor = 60_000

const seatOf = (agent: Agent, path: string, own: boolean): InstalledAgent => ({
  seat: `${seatPrefix}${agent.id}`,
  label: agent.label,
  maker: agent.maker,
  makerLabel: makerLabel(agent.maker),
  path,
  models: agent.models,
  logIn: agent.logIn,
  state: 'unknown',
  own,
})

interface Found {
  readonly agent: Agent
  readonly path: string
  readonly own: boolean
}

const findAll = async ({ env, own = [] }: AgentOptions): Promise<readonly Found[]> => {
  const mine = own.map(ownAgent)
  const others = knownAgents.filter(({ id }) => mine.every(one => one.id !== id))
  const each = [...mine, ...others].map(async agent => {
    const path = await findProgram(agent.command, env.PATH)
    return path === undefined ? [] : [{ agent, path, own: mine.includes(agent) }]
  })
  return (await Promise.all(each)).flat()
}

const loginOf = ({ agent, path }: Found, env: Environment): Promise<LoginState> =>
  agent.login(programAt(path, scrubbed(env, agent))).catch(() => 'unknown')

/** `ROUNDTABLE_AGENTS=no` turns the search off. Programs of Windows can't be ended as a group, so none are offered there. */
const isOff = (env: Environment): boolean =>
  variable(env, 'ROUNDTABLE_AGENTS') === 'no' || process.platform === 'win32'

export const openAgents = async (options: AgentOptions): Promise<AgentReach> => {
  const { env, refusal, save, clock = Date.now, commands = [] } = options
  if (isOff(env)) return noAgents
  if (refusal !== undefined) return { ...noAgents, refusal }
  const found = await findAll(options)
  const allowed = new Set(commands)
  let states = found.map(({ agent, path, own }) => seatOf(agent, path, own))
  let agreed = options.agreed
  let checked: { readonly at: number; readonly result: Promise<readonly InstalledAgent[]> } | undefined
  const ask = async (): Promise<readonly InstalledAgent[]> => {
    const logins = await Promise.all(found.map(one => loginOf(one, env)))
    states = states.map((one, index) => ({ ...one, state: logins[index]! }))
    return states
  }
  const isAllowed = (command: string): boolean => allowed.has(command.trim())
  return {
    providers: [
      ...found.map(({ agent, path }) => agentProvider(agent, { path, env })),
      acpProvider({ env, isAllowed, places: options.places }),
    ],
    installed: () => states,
    check() {
      if (!checked || clock() - checked.at > freshFor) checked = { at: clock(), result: ask() }
      return checked.result
    },
    agreed: () => agreed,
    async agree(answer) {
      agreed = answer
      await save?.(answer)
    },
    allow: command => void allowed.add(command.trim()),
    isAllowed,
  }
}

/** It can answer, as far as anybody knows. */
export const isReady = ({ state, own }: InstalledAgent): boolean => own || state === 'in'
