/** Tables under a name: saved on a page, configured, or built in. */
import { UsageError } from '../core/errors.ts'
import type { SeatInput } from '../core/question/seat-input.ts'
import { lineups as builtIn, type Lineup, resolveLineup } from '../providers/catalogue/lineups.ts'
import type { Weights } from '../providers/house/built-in.ts'
import type { FoundServer } from '../providers/local.ts'
import { isReady } from './agents.ts'
import { variableFor } from './find-model.ts'
import { houseLabel, houseLineup, houseTable } from './house-table.ts'
import { isConnected, type Lineups, type Reach } from './reach.ts'

/** What choosing a line-up brings. What it doesn't say is taken as usual. */
export interface Brings {
  readonly seats: readonly SeatInput[]
  readonly moderator?: string
  readonly rounds?: number
  readonly protocol?: string
}

export interface LineupChoice extends Brings {
  readonly name: string
  readonly label: string
  readonly origin: 'saved' | 'configuration' | 'built-in'
  /** What would fill the seats that stay empty, in words. */
  readonly missing: readonly string[]
}

/** Who sits at the table, and which seats stayed empty. */
export interface Chosen {
  readonly seats: readonly string[]
  /** Seats that stayed empty, and what would fill them. */
  readonly notes: readonly string[]
}

const usualSize = 6

/** The models of servers that were found on this machine, as many as a usual table has. */
export const seatsAt = (found: readonly FoundServer[]): string[] =>
  found.flatMap(({ id, models }) => Object.keys(models).map(model => `${id}/${model}`)).slice(0, usualSize)

/** One seat for each command-line agent that is logged in. */
export const subscriptionLineup = 'subscriptions'
const subscriptionLabel = 'The agents on this machine that you are logged in to'

export const lineupIds: readonly string[] = [...builtIn.map(({ id }) => id), subscriptionLineup, houseLineup]

/** The agents that can answer, as far as they were asked; and what the others need. */
const agentTable = ({ agents }: Reach): { seats: readonly string[]; missing: readonly string[] } => {
  const installed = agents.installed()
  const seats = installed.filter(isReady).map(({ seat }) => seat)
  if (agents.refusal !== undefined) return { seats, missing: [agents.refusal.replace(/\.$/, '')] }
  if (installed.length === 0) return { seats, missing: ['No agent is installed on this machine'] }
  const out = installed.filter(one => !isReady(one))
  return { seats, missing: out.map(({ label, logIn }) => `${label} isn't logged in: run \`${logIn}\``) }
}

/** If one key fills all empty seats it is named once, instead of a line for each of them. */
const missingWords = ({ missing, fillsAll = [] }: Lineup): readonly string[] =>
  missing.length < 2 || fillsAll.length === 0
    ? missing
    : [`${missing.length} seats are empty. ${fillsAll.join(' or ')} alone would fill them`]

const resolved = (id: string, reach: Reach) => {
  if (id === subscriptionLineup) return agentTable(reach)
  const lineup = resolveLineup(id, reach.catalogue(), isConnected(reach), usualSize, variableFor)
  if (!lineup) return undefined
  const seats = lineup.seats.map(seat => seat.id)
  const found = id === 'local' && seats.length === 0 ? seatsAt(reach.found) : []
  return found.length > 0 ? { seats: found, missing: [] } : { seats, missing: missingWords(lineup) }
}

/** The line-up by a name that nobody knows: with the names of all that there are. */
export const unknownLineup = (name: string, own: Lineups = {}): UsageError => {
  const names = [...new Set([...Object.keys(own), ...lineupIds])]
  return new UsageError(`There is no line-up "${name}"; there are ${names.join(', ')}.`)
}

/** A built-in line-up that can be seated; the built-in model's own table is seated elsewhere, with consent. */
export const lineupNamed = (id: string, reach: Reach): Chosen => {
  const found = resolved(id, reach)
  if (!found) throw unknownLineup(id, reach.usual.lineups)
  if (found.seats.length === 0)
    throw new UsageError(`The line-up ${id} has nobody to seat. ${found.missing.join('. ')}.`)
  return { seats: found.seats, notes: found.missing.map(words => `${words}.`) }
}

/** The strongest model of each maker, or what is served on this machine. Undefined: nobody is connected. */
export const usualSeats = (reach: Reach): readonly string[] | undefined => {
  // With nothing but endpoints of one's own, only their owner knows which of their models belong together.
  const ids = reach.connections.length > 0 ? ['frontier', 'local'] : []
  const seats = ids.map(id => resolved(id, reach)?.seats ?? []).find(some => some.length > 0)
  if (seats) return seats
  if (reach.found.length > 0) return seatsAt(reach.found)
  const agents = reach.agents.agreed() && isAlone(reach) ? agentTable(reach).seats : []
  return agents.length > 0 ? agents : undefined
}

const own = (origin: 'saved' | 'configuration', lineups: Lineups): LineupChoice[] =>
  Object.entries(lineups).map(([name, seats]) => ({ name, label: name, seats, origin, missing: [] }))

/** `ready`: the built-in model that is downloaded; its name if none is. Undefined: there is no built-in model here. */
export type BuiltInState = { readonly ready: Weights } | { readonly absent: string } | undefined

const houseChoice = (state: BuiltInState): LineupChoice[] => {
  if (!state) return []
  const choice = { name: houseLineup, label: houseLabel, origin: 'built-in' } as const
  if ('ready' in state) return [{ ...choice, ...houseTable(state.ready), missing: [] }]
  return [{ ...choice, seats: [], missing: [`${state.absent} isn't downloaded yet`] }]
}

/** Every line-up there is: saved ones come before configured ones, and those before the built-in. */
export const everyLineup = (saved: Lineups, reach: Reach, state: BuiltInState): readonly LineupChoice[] => {
  const all: LineupChoice[] = [
    ...own('saved', saved),
    ...own('configuration', reach.usual.lineups ?? {}),
    ...builtIn.map(({ id, label }) => ({
      name: id,
      label,
      origin: 'built-in' as const,
      ...resolved(id, reach)!,
    })),
    {
      ...{ name: subscriptionLineup, label: subscriptionLabel, origin: 'built-in' as const },
      ...agentTable(reach),
    },
    ...houseChoice(state),
  ]
  return all.filter(({ name }, index) => all.findIndex(other => other.name === name) === index)
}

/** The table of somebody who hasn't chosen one. No seats: nobody can sit there yet. */
export const usualTable = (reach: Reach, state: BuiltInState): Brings => {
  const seats = reach.usual.seats ?? usualSeats(reach)
  if (seats) return { seats }
  return state && 'ready' in state && isAlone(reach) ? houseTable(state.ready) : { seats: [] }
}

/** No key, endpoint or server can answer: agents do if the person agreed, or else the built-in model. */
export const isAlone = ({ providers }: Reach): boolean =>
  providers.every(({ id, scripted, subscription }) => id === 'house' || scripted || subscription)
