/** Finds out which flags and features the installed version of an agent has, once for each file. */
import { stat } from 'node:fs/promises'
import type { Agent, AgentAbilities } from './agent.ts'
import { shortCommand } from './short-command.ts'

/** Names of flags in a help text. */
const flagsIn = (text: string): Set<string> => new Set(text.match(/(?<![\w-])--?[a-z][a-z-]*/gi) ?? [])

const featuresIn = (text: string): string[] =>
  text.split('\n').flatMap(line => /^([a-z][\w.-]{0,99})\s/i.exec(line)?.[1] ?? [])

const looked = new Map<string, Promise<AgentAbilities | string>>()

const look = async (
  agent: Agent,
  path: string,
  env: Readonly<Record<string, string>>,
): Promise<AgentAbilities | string> => {
  const { help, featureList, needs, label } = agent
  if (!help) return { has: () => true, features: [] }
  const [flags, features] = await Promise.all([
    shortCommand(path, help, env).then(({ text }) => flagsIn(text)),
    featureList
      ? shortCommand(path, featureList.args, env).then(({ text }) => featuresIn(text))
      : ([] as string[]),
  ])
  const missing = [
    ...needs.filter(flag => !flags.has(flag)),
    ...(featureList && !features.includes(featureList.needs) ? [featureList.needs] : []),
  ]
  if (missing.length > 0)
    return `this version of ${label} can't be asked without its tools: it doesn't know ${missing.join(', ')}. Update it`
  return { has: (flag: string) => flags.has(flag), features }
}

/** In words, if its tools can't be turned off: then it must not be run. */
export const abilitiesOf = async (
  agent: Agent,
  path: string,
  env: Readonly<Record<string, string>>,
): Promise<AgentAbilities | string> => {
  const version = await stat(path).then(({ mtimeMs, size }) => `${mtimeMs} ${size}`, String)
  const key = `${agent.id} ${path} ${version}`
  const known = looked.get(key) ?? look(agent, path, env)
  looked.set(key, known)
  const abilities = await known
  // A busy machine may have been too slow for an answer: the next call asks again.
  if (typeof abilities === 'string') looked.delete(key)
  return abilities
}
