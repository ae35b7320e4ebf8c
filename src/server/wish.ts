/** From a request to what the table is asked: line-ups by name, what is configured as usual, and the house at last. */
import { z } from 'zod'
import type { AskBody, ForkBody } from '../api/index.ts'
import { UsageError } from '../core/errors.ts'
import type { Session } from '../core/log/state.ts'
import { type SeatInput, seatInputSchema } from '../core/question/seat-input.ts'
import { builtIn } from '../providers/house/built-in.ts'
import { localServers } from '../providers/local.ts'
import type { Config } from '../table/config.ts'
import { houseInput } from '../table/house-table.ts'
import type { AskInput } from '../table/opening.ts'
import { Refusal } from './problem.ts'
import type { Service } from './service.ts'

export const savedLineups = async ({ engine }: Service): Promise<Record<string, readonly SeatInput[]>> => {
  const saved = z.record(z.string(), z.array(seatInputSchema).catch([])).parse(await engine.archive.lineups())
  return Object.fromEntries(Object.entries(saved).filter(([, seats]) => seats.length > 0))
}

/** A line-up of the person's own comes before the built-in one of that name. */
const lineupOf = async (name: string, service: Service): Promise<Pick<AskInput, 'seats' | 'lineup'>> => {
  const own = { ...service.config.lineups, ...(await savedLineups(service)) }
  return Object.hasOwn(own, name) ? { seats: own[name]! } : { lineup: name }
}

const namesIn = ({ seats = [], moderator }: Pick<AskInput, 'seats' | 'moderator'>): string[] => [
  ...seats.map(seat => (typeof seat === 'string' ? seat : seat.model)),
  ...(moderator ? [moderator] : []),
]

/** A request must not name files of this machine: whoever runs the server says which ones there are. */
export const refuseFiles = (wish: Pick<AskInput, 'seats' | 'moderator'>, { house }: Config): void => {
  const known = [...builtIn.map(({ id }) => id), ...Object.keys(house?.models ?? {})]
  const file = namesIn(wish).find(
    name => /^house[:/]/i.test(name) && !known.includes(name.slice('house/'.length)),
  )
  if (file === undefined) return
  throw new UsageError(
    `"${file}" is no model of the house here: it has ${known.join(', ')}; others are named in the server's configuration.`,
  )
}

/** Where no key is set, whatever is served on this machine sits at the table, or else the house. */
const usualTable = async (wish: AskInput, { table, config, house }: Service): Promise<AskInput> => {
  if (table.reach.connections.length > 0) return wish
  const local = config.endpoints.filter(({ id }) => localServers.some(server => server.id === id))
  const seats = local.flatMap(({ id, models = {} }) => Object.keys(models).map(model => `${id}/${model}`))
  if (seats.length > 0) return { ...wish, seats: seats.slice(0, 6) }
  const hasHouse = table.providers.some(({ id }) => id === 'house')
  const others = table.providers.filter(({ id, scripted }) => id !== 'house' && !scripted)
  if (!hasHouse || others.length > 0) return wish
  const ready = await house.ready()
  if (ready) return houseInput(wish, ready)
  const { name } = await house.state()
  throw new Refusal(
    409,
    `No key and no server is configured, so ${name} would answer, and it is not here yet: agree to fetch it with POST /api/house/fetch, or set a key such as OPENROUTER_API_KEY and start again.`,
  )
}

/** The configured number of rounds goes with the configured protocol. */
const usualOf = (
  { moderator, protocol, rounds, deadline, budget }: Config,
  asked: AskBody,
): Partial<AskInput> => ({
  ...(moderator !== undefined && { moderator }),
  ...(protocol !== undefined && { protocol }),
  ...(rounds !== undefined && asked.protocol === undefined && { rounds }),
  ...(deadline !== undefined && { deadline }),
  ...(budget !== undefined && { budget }),
})

/** Throws UsageError, or a Refusal, where it cannot be asked. */
export const wishFrom = async (body: AskBody, service: Service): Promise<AskInput> => {
  const { config } = service
  const { lineup, ...asked } = body
  const named = lineup === undefined ? {} : await lineupOf(lineup, service)
  if (asked.seats && lineup !== undefined)
    throw new UsageError('Seats and a line-up both say who sits at the table: give one of them.')
  const wish: AskInput = { ...usualOf(config, asked), ...asked, ...named }
  const open = !wish.seats && wish.lineup === undefined
  const seated = open && config.seats ? { ...wish, seats: config.seats } : wish
  const full = open && !config.seats ? await usualTable(seated, service) : seated
  refuseFiles(full, config)
  return full
}

const seatWish = ({ model, name, brief, temperature, effort }: Session['seats'][number]): SeatInput => ({
  model,
  name,
  ...(brief !== undefined && { brief }),
  ...(temperature !== undefined && { temperature }),
  ...(effort && { effort }),
})

/** The same question; what is said anew takes the place of what was, with all that hung on it. */
export const forkedWish = (session: Session, changes: ForkBody): AskBody => {
  const { question } = session
  const table = changes.seats || changes.lineup !== undefined || session.imported
  const { text, format, options, unit, scale, attachments } = question
  return {
    question: text,
    attachments,
    ...(changes.format === undefined && { format, options, ...(format === 'number' && { unit, scale }) }),
    ...(!table && { seats: session.seats.map(seatWish) }),
    ...(!session.imported && { moderator: session.moderator, names: session.names }),
    ...(!session.imported &&
      changes.protocol === undefined && { protocol: session.protocol, rounds: session.rounds }),
    ...(session.language !== null && changes.question === undefined && { language: session.language }),
    ...(session.budget && { budget: session.budget }),
    deadline: session.deadline,
    ...changes,
  }
}
