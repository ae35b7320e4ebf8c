/** The agents of this machine as models to choose from: each with its own default, and with the models that it names. */
import type { CatalogueModel, Filters } from '../providers/catalogue/index.ts'
import { familyOf } from '../providers/catalogue/naming.ts'
import { type InstalledAgent, isReady } from './agents.ts'

export interface AgentModel {
  readonly model: CatalogueModel
  /** What the person types to log in; undefined: it can answer. */
  readonly logIn: string | undefined
}

const modelOf = ({ seat, label, maker }: InstalledAgent, name?: string): CatalogueModel => ({
  id: name === undefined ? seat : `${seat}/${name}`,
  provider: seat,
  model: name ?? '',
  name: name === undefined ? label : `${label} (${name})`,
  maker,
  family: familyOf(label),
  abilities: {},
})

/** They run on this machine, but their models don't, so they aren't local. */
export const agentModels = (
  installed: readonly InstalledAgent[],
  search: string,
  { configured, maker, local }: Filters,
): AgentModel[] => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return installed
    .filter(agent => !local && (configured === undefined || isReady(agent)))
    .filter(
      agent =>
        maker === undefined || [agent.maker, agent.makerLabel.toLowerCase()].includes(maker.toLowerCase()),
    )
    .flatMap(agent =>
      [modelOf(agent), ...agent.models.map(name => modelOf(agent, name))].map(model => ({
        model,
        logIn: isReady(agent) ? undefined : agent.logIn,
      })),
    )
    .filter(({ model }) => words.every(word => `${model.id} ${model.name}`.toLowerCase().includes(word)))
}
