/** Finds the model that a person means by a name, and the provider that reaches it, or says what is missing. */
import { UsageError } from '../core/errors.ts'
import { notAllowed } from '../providers/agents/acp.ts'
import { acpId, commandIn, defaultModel, isAgentSeat } from '../providers/agents/names.ts'
import type { CatalogueModel } from '../providers/catalogue/index.ts'
import { undated } from '../providers/catalogue/naming.ts'
import type { Maker } from '../providers/maker.ts'
import { makers } from '../providers/makers/index.ts'
import type { Provider } from '../providers/provider.ts'
import type { MakerConnection, Reach } from './reach.ts'

export interface ResolvedModel {
  readonly provider: Provider
  /** The model's id there. */
  readonly model: string
}

/** `provider/model`, as the log has it. */
export const nameOf = ({ provider, model }: ResolvedModel): string => `${provider.id}/${model}`

const needs = ({ keys, baseURLVariable }: Maker): string => keys[0] ?? baseURLVariable

/** The variable that would connect a provider; its id if it isn't a maker. */
export const variableFor = (provider: string): string => {
  const maker = makers.find(({ id }) => id === provider)
  return maker ? needs(maker) : provider
}

/** The variables of which one must be set for a model to be reached; none: it can be. */
export const missingFor = (model: CatalogueModel, reach: Reach): readonly string[] => {
  const ways = reach.catalogue().routes(model)
  if (ways.some(route => connectionTo(route.model.provider, reach))) return []
  const ids = [...new Set(ways.map(route => route.model.provider))]
  return ids.flatMap(id => makers.filter(maker => maker.id === id).map(needs))
}

export const connectionTo = (provider: string, { connections }: Reach): MakerConnection | undefined =>
  connections.find(({ maker }) => maker.id === provider)

const agentWords = (name: string, { agents }: Reach): string => {
  if (agents.refusal !== undefined) return `"${name}" can't be seated. ${agents.refusal}`
  const seats = agents.installed().map(({ seat }) => seat)
  const there = seats.length > 0 ? `Installed here: ${seats.join(', ')}.` : 'No agent is installed here.'
  return `"${name}" can't be seated: there is no such agent on this machine. ${there}`
}

/** `cli:codex`, `cli:claude/opus`, `acp:some-agent --acp` */
const agentNamed = (name: string, reach: Reach): ResolvedModel | undefined => {
  if (!isAgentSeat(name)) return undefined
  const command = commandIn(name)
  const [id = '', model] = command === undefined ? partsOf(name) : [acpId, command]
  const provider = reach.providers.find(one => one.id === id)
  if (!provider) throw new UsageError(agentWords(name, reach))
  if (command !== undefined && !reach.agents.isAllowed(command))
    throw new UsageError(`${notAllowed(command)}.`)
  return { provider, model: model || defaultModel }
}

const partsOf = (name: string): readonly [string, string] => {
  const slash = name.indexOf('/')
  return slash < 0 ? [name, ''] : [name.slice(0, slash), name.slice(slash + 1)]
}

/** The name alone may settle it, without reading the catalogue. */
const byPrefix = (name: string, reach: Reach): ResolvedModel | undefined => {
  const slash = name.indexOf('/')
  const provider = reach.providers.find(({ id }) => id === name.slice(0, Math.max(0, slash)))
  const model = name.slice(slash + 1)
  if (!provider || model === '') return undefined
  const connection = connectionTo(provider.id, reach)
  // A server of one's own has whatever models it has.
  const own = !connection || connection.maker.keys.length === 0
  return own || Object.hasOwn(connection.models, model) ? { provider, model } : undefined
}

const inCatalogue = (name: string, reach: Reach): ResolvedModel | undefined => {
  const match = reach.catalogue().find(name) ?? reach.catalogue().find(undated(name))
  if (!match) return undefined
  const { model, pinned } = match
  const ways = (
    pinned
      ? [model]
      : reach
          .catalogue()
          .routes(model)
          .map(route => route.model)
  ).filter(way => !way.retired)
  if (ways.length === 0) throw new UsageError(`${model.name} is retired.${nearestWords(name, reach)}`)
  for (const way of ways) {
    const provider = connectionTo(way.provider, reach)?.provider
    if (!provider) continue
    // A person who names a snapshot means that one, not the model as it is today.
    const snapshot = name.startsWith(`${provider.id}/`) && undated(name) !== name
    return { provider, model: snapshot ? name.slice(provider.id.length + 1) : way.model }
  }
  const variables = [
    ...new Set(ways.flatMap(way => makers.filter(({ id }) => id === way.provider).map(needs))),
  ]
  throw new UsageError(
    variables.length > 0
      ? `${pinned ? name : model.name} needs ${variables.join(', or ')}: set it in the environment or in .env.`
      : `${model.name} can't be reached: no provider here serves it.`,
  )
}

const nearestWords = (name: string, { catalogue }: Reach): string => {
  const names = catalogue()
    .nearest(name, 3)
    .map(model => model.name)
  return names.length > 0 ? ` The nearest names are ${names.join(', ')}.` : ''
}

const ownHint = (reach: Reach): string => {
  const own = reach.providers
    .filter(
      ({ id, scripted, subscription }) =>
        id !== 'house' && !scripted && !subscription && !connectionTo(id, reach),
    )
    .map(({ id }) => id)
  return own.length > 0
    ? `Write models of your own endpoints as endpoint/model. Your endpoints: ${own.join(', ')}.`
    : 'To use a server of your own, configure it as an endpoint, and seat endpoint/model-name.'
}

/** Throws UsageError with what to do: set a key, or choose a name that exists. */
export const findModel = (name: string, reach: Reach): ResolvedModel => {
  const found = agentNamed(name, reach) ?? byPrefix(name, reach) ?? inCatalogue(name, reach)
  if (found) return found
  throw new UsageError(
    `"${name}" can't be seated: no model has that name.${nearestWords(name, reach)} ${ownHint(reach)}`,
    'unknown-seat',
  )
}
