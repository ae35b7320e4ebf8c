/** The interface of a command-line agent: how it is found, asked whether it is logged in, called without tools, and read. */
import type { ModelCall, TokenUsage } from '../provider.ts'

/** Whoever reads an agent's output tells this what it says. */
export interface AgentListener {
  text(type: 'text' | 'thinking', text: string): void
  usage(usage: TokenUsage): void
  /** The agent's own words for what went wrong; nothing else counts after them. */
  failed(words: string): void
  /** It wants to use a tool. Seats have none, so the call ends here. */
  wantsTool(name: string): void
  /** The reply is complete. */
  done(reason?: 'stop' | 'length'): void
}

export interface AgentReader {
  /** A piece of its output, cut anywhere. */
  data(text: string): void
  /** The output is over. `good`: the program ended without an error. */
  end(good: boolean): void
}

/** Turns what an agent prints into what a listener is told. Throws nothing, whatever is printed. */
export type ReadAgent = (listener: AgentListener) => AgentReader

/** One call of the program. The prompt goes to its standard input: arguments are limited to 128 KiB. */
export interface Invocation {
  readonly args: readonly string[]
  readonly input: string
  /** Besides the scrubbed environment of the person. */
  readonly env?: Readonly<Record<string, string>>
}

/** What a short command of the agent printed. */
export interface Printed {
  readonly good: boolean
  readonly text: string
}

/** A program on this machine that is asked something short. */
export interface Program {
  /** Runs it without a prompt. Never fails: a program that hangs is ended, and isn't good. */
  ask(args: readonly string[]): Promise<Printed>
  /** Whether a file of the person's home has something in it. */
  hasFile(path: string): Promise<boolean>
  readonly env: Readonly<Record<string, string>>
}

/** Which flags and features the installed version has. */
export interface AgentAbilities {
  has(flag: string): boolean
  readonly features: readonly string[]
}

export interface CallPlan extends AgentAbilities {
  readonly call: ModelCall
  /** Absent: the agent's own default. */
  readonly model?: string
  /** Writes a file beside the working folder, and returns its path. */
  file(name: string, text: string): Promise<string>
}

export type LoginState = 'in' | 'out' | 'unknown'

export interface Agent {
  /** `codex` is seated as `cli:codex`. */
  readonly id: string
  readonly label: string
  /** The maker's id in the catalogue. */
  readonly maker: string
  /** The name of its program. */
  readonly command: string
  /** Models to offer besides its own default. */
  readonly models: readonly string[]
  /** Variables of the person that it finds its login with. */
  readonly keeps: readonly string[]
  /** Variables that must not reach it even so. */
  readonly drops?: readonly string[]
  /** What the person types to log in. */
  readonly logIn: string
  /** Prints its flags. Absent: they aren't looked up, because the person wrote the arguments. */
  readonly help?: readonly string[]
  /** Flags without which its tools can't be turned off: a version that lacks one isn't run. */
  readonly needs: readonly string[]
  /** Prints the names of its features, one on a line; and the one that it must have. */
  readonly featureList?: { readonly args: readonly string[]; readonly needs: string }
  login(program: Program): Promise<LoginState>
  plan(plan: CallPlan): Invocation | Promise<Invocation>
  readonly read: ReadAgent
}
