/** Seats on this machine: servers that are found, and the house where there is nobody else. */

import type { EndpointSettings } from '../providers/chat/openai-compatible.ts'
import { builtIn } from '../providers/house/built-in.ts'
import { type FoundServer, localServers } from '../providers/local.ts'
import type { Provider } from '../providers/provider.ts'
import type { Config } from '../table/config.ts'
import { openHouse, withWholePath } from '../table/house.ts'
import { houseInput, houseLabel } from '../table/house-table.ts'
import { searchLocal } from '../table/local-servers.ts'
import type { AskInput } from '../table/opening.ts'
import type { Reach } from '../table/reach.ts'
import { readyAny, readyWeights } from './session/house-weights.ts'
import type { Shell } from './terminal/shell.ts'

export interface Machine {
  readonly input: AskInput
  readonly endpoints: readonly EndpointSettings[]
  readonly providers: readonly Provider[]
}

type Finder = () => Promise<readonly FoundServer[]>

const mostLocalSeats = 6

const namesOf = ({ seats = [], moderator }: AskInput): string[] => [
  ...seats.map(seat => (typeof seat === 'string' ? seat : seat.model)),
  ...(moderator ? [moderator] : []),
]

const withWholePaths = (input: AskInput, cwd: string): AskInput => ({
  ...input,
  ...(input.seats && {
    seats: input.seats.map(seat =>
      typeof seat === 'string'
        ? withWholePath(seat, cwd)
        : { ...seat, model: withWholePath(seat.model, cwd) },
    ),
  }),
  ...(input.moderator && { moderator: withWholePath(input.moderator, cwd) }),
})

/** Nobody said who sits at the table, and nobody is configured. */
const isOpenTable = ({ seats, lineup }: AskInput, { providers }: Reach): boolean =>
  !seats && lineup === undefined && providers.length === 0

const namesLocal = (input: AskInput, { providers }: Reach): boolean =>
  localServers.some(
    ({ id }) =>
      providers.every(provider => provider.id !== id) &&
      namesOf(input).some(name => name.startsWith(`${id}/`)),
  )

const seatsAt = (servers: readonly FoundServer[]): string[] =>
  servers
    .flatMap(({ id, models }) => Object.keys(models).map(model => `${id}/${model}`))
    .slice(0, mostLocalSeats)

const seated = async (
  input: AskInput,
  servers: readonly FoundServer[],
  shell: Shell,
  yes: boolean,
): Promise<AskInput> => {
  const seats = seatsAt(servers)
  if (seats.length > 0) return { ...input, seats }
  shell.stderr.write(`No key and no server is configured, so the house answers: ${houseLabel}.\n`)
  return houseInput(input, (await readyAny(shell, yes)).weights)
}

/** Looks for servers only where it matters, and gets the house's weights before the session begins. */
export const machineFor = async (
  wish: AskInput,
  config: Config,
  reach: Reach,
  shell: Shell,
  { yes = false, find = () => searchLocal(config) }: { readonly yes?: boolean; readonly find?: Finder },
): Promise<Machine> => {
  const named = withWholePaths(wish, shell.cwd)
  const open = isOpenTable(named, reach)
  const servers = open || namesLocal(named, reach) ? await find() : []
  const surroundings = { ...shell, env: config.env }
  const input = open ? await seated(named, servers, surroundings, yes) : named
  for (const weights of builtIn)
    if (namesOf(input).includes(`house/${weights.id}`)) await readyWeights(weights, surroundings, yes)
  return {
    input,
    endpoints: servers.filter(({ id }) => reach.providers.every(provider => provider.id !== id)),
    providers: [openHouse(config.house ?? {}, { env: config.env, cwd: shell.cwd })],
  }
}
