/** From names of models to seats: who sits where, under which letter and name. */
import { notAllowed } from '../agents/acp.ts'
import { acpId, commandIn, defaultModel, isAgentSeat, modelFault } from '../agents/agents.ts'
import { type InstalledAgent, isReady } from '../agents/table.ts'
import type { Weights } from '../builtin/provider.ts'
import { type SeatInput, seatInputSchema } from '../core/ask.ts'
import { aliasFor, counted, UsageError } from '../core/basics.ts'
import { type Letter, type LettersRead, mostLetters, type Seat, type Voice } from '../core/opening.ts'
import { picturesIn, type Question } from '../core/question.ts'
import {
  byAge,
  type Catalogue,
  type CatalogueModel,
  type Filters,
  familyOf,
  isPredecessor,
  placeInLine,
  seesByName,
  successorOf,
  undated,
} from '../models/catalogue.ts'
import { lineups as builtIn, type Lineup, resolveLineup } from '../models/lineups.ts'
import type { FoundServer } from '../models/local.ts'
import { makers } from '../models/makers.ts'
import type { Maker, Provider } from '../models/provider.ts'
import { unseenNote } from '../words/asking.ts'
import { checked, modelOf } from './ask.ts'
import { canWrite, isConnected, type Lineups, type MakerConnection, type Reach } from './reach.ts'

// agentModels: The agents of this machine as models to choose from: each with its own default, and with the models that it names.

export interface AgentModel {
  readonly model: CatalogueModel
  /** What the person types to log in; undefined: it can answer. */
  readonly logIn: string | undefined
}

const agentModelOf = ({ seat, label, maker }: InstalledAgent, name?: string): CatalogueModel => ({
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
      [agentModelOf(agent), ...agent.models.map(name => agentModelOf(agent, name))].map(model => ({
        model,
        logIn: isReady(agent) ? undefined : agent.logIn,
      })),
    )
    .filter(({ model }) => words.every(word => `${model.id} ${model.name}`.toLowerCase().includes(word)))
}

// findModel: Finds the model that a person means by a name, and the provider that reaches it, or says what is missing.

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
  const fault = command === undefined && model ? modelFault(model) : undefined
  if (fault !== undefined) throw new UsageError(`"${name}" can't be seated: ${fault}.`)
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

// houseTable: The table if there is no key and no server: one small built-in model plays three seats.

/** The name of this line-up. */
export const houseLineup = 'house'

export const houseLabel = "One small model plays all three seats. It's a demo: don't rely on its answers"

/** Temperaments that a model of this size can still tell apart, and that pull it in different directions. */
const temperaments = [
  { manner: 'careful', brief: 'Think of what could go wrong.', temperature: 0.3 },
  { manner: 'hopeful', brief: 'Think of what could be gained.', temperature: 0.6 },
  { manner: 'practical', brief: 'Think of what works in practice.', temperature: 0.45 },
] as const

/** One open round: on two cores a second one would take the session over three minutes. */
export const houseTable = ({ id, name }: Pick<Weights, 'id' | 'name'>) => {
  const model = `house/${id}`
  return {
    seats: temperaments.map(({ manner, ...rest }) => ({ model, name: `${name}, ${manner}`, ...rest })),
    moderator: model,
    rounds: 1,
  }
}

// letters: Which letters each seat reads before the sealed round: those of its own line, or all. Pure.

/** Characters that one seat reads: about ten thousand tokens. Beyond that the oldest letters are left out. */
const mostRead = 36_000

/** The oldest first. If there is no letter of the seat's own line, all of them. */
const lineOf = (model: string, letters: readonly Letter[], catalogue: Catalogue): readonly Letter[] => {
  const own = placeInLine(model, catalogue)
  const placed = letters
    .map(letter => ({ letter, place: placeInLine(letter.model, catalogue) }))
    .filter(({ place }) => isPredecessor(place, own))
  return placed.length > 0
    ? placed.toSorted((one, other) => byAge(one.place, other.place)).map(({ letter }) => letter)
    : letters
}

const withinLimits = (letters: readonly Letter[]): readonly Letter[] => {
  const kept: Letter[] = []
  let read = 0
  for (const letter of letters.toReversed()) {
    read += letter.text.length
    if (kept.length >= mostLetters || (read > mostRead && kept.length > 0)) break
    kept.unshift(letter)
  }
  return kept
}

export interface LettersForTable {
  readonly letters?: LettersRead
  readonly notes: readonly string[]
}

/** A person's seat reads none: a book is for models. */
export const lettersFor = (
  seats: readonly Seat[],
  letters: readonly Letter[],
  catalogue: () => Catalogue,
): LettersForTable => {
  if (letters.length === 0) return { notes: [] }
  const lines = seats
    .filter(({ outside }) => !outside)
    .map(({ id, model }) => {
      const line = lineOf(model, letters, catalogue())
      return { id, line, read: withinLimits(line) }
    })
  const used = new Set(lines.flatMap(({ read }) => read))
  const most = Math.max(0, ...lines.map(({ read }) => read.length))
  const cut = Math.max(0, ...lines.map(({ line, read }) => line.length - read.length))
  return {
    letters: {
      given: letters.filter(letter => used.has(letter)),
      bySeat: Object.fromEntries(lines.map(({ id, read }) => [id, read.map(letter => letter.id)])),
    },
    notes: [
      `Each seat first reads ${most === 1 ? 'a letter' : `up to ${counted(most, 'letter')}`} of its line${cut > 0 ? `; the oldest ${cut === 1 ? 'one is' : `${cut} are`} left out` : ''}.`,
    ],
  }
}

// lineups: Tables under a name: saved on a page, configured, or built in.

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

// moderator: Who moderates if nobody said so, and who reads an imported transcript. Pure.

/** A strong model that isn't on the panel, of a maker that isn't either if possible. */
export const moderatorBeside = (panel: readonly string[], reach: Reach): string | undefined => {
  const catalogue = reach.catalogue()
  const sitting = panel.flatMap(name => catalogue.find(name)?.model ?? [])
  const onPanel = (model: CatalogueModel): boolean =>
    catalogue.routes(model).some(route => sitting.some(({ id }) => id === route.model.id))
  const strong = ['frontier', 'open-weights']
    .flatMap(id => resolveLineup(id, catalogue, isConnected(reach), Number.POSITIVE_INFINITY)?.seats ?? [])
    .filter(model => !onPanel(model))
  const neutral = strong.find(model => !sitting.some(({ maker }) => maker === model.maker))
  return (neutral ?? strong[0])?.id
}

/** Billions of parameters, as names such as `qwen3:8b` say; undefined if the name doesn't. */
const sizeIn = (name: string): number | undefined => {
  const size = /(\d{1,4}(?:\.\d{1,2})?)b\b/i.exec(name.slice(0, 200))?.[1]
  return size === undefined ? undefined : Number(size)
}

/** Smaller models lose count of who said what. */
const smallestModerator = 3

const largestFirst = (names: readonly string[]): string[] =>
  names.toSorted((one, other) => (sizeIn(other) ?? 0) - (sizeIn(one) ?? 0))

/** Another model of the servers that sit on the panel: they get to see the question anyway. */
const besideOwn = (panel: readonly ResolvedModel[], reach: Reach): string | undefined => {
  const sitting = panel.map(nameOf)
  const servers = [...new Set(panel.map(({ provider }) => provider))].filter(({ scripted }) => !scripted)
  const served = servers.flatMap(({ id }) => reach.served(id).map(model => `${id}/${model}`))
  const able = served.filter(
    name =>
      canWrite(name) && !sitting.includes(name) && (sizeIn(name) ?? smallestModerator) >= smallestModerator,
  )
  return largestFirst(able)[0]
}

/** The replies of a scripted seat were written in advance: it can't moderate. */
const onPanel = (panel: readonly ResolvedModel[]): string | undefined => {
  const able = panel.filter(({ provider }) => !provider.scripted)
  const large = able.filter(({ provider, model }) => !provider.known(model).small)
  return largestFirst((large.length > 0 ? large : able).map(nameOf))[0]
}

export interface ChosenModerator {
  readonly moderator: string | null
  /** What a person should know about it before the table is asked. */
  readonly notes: readonly string[]
}

const nobody: ChosenModerator = {
  moderator: null,
  notes: ['Nobody moderates: open answers are not grouped, and code writes the report.'],
}

/** What is said at a table of local models doesn't leave the machine just because nobody named a moderator. */
export const moderatorFor = (
  wish: string | null | undefined,
  panel: readonly ResolvedModel[],
  reach: Reach,
): ChosenModerator => {
  if (wish === null) return nobody
  if (wish !== undefined) return { moderator: nameOf(findModel(wish, reach)), notes: [] }
  const keyed = reach.connections.filter(({ maker }) => maker.keys.length > 0)
  const isKeyed = panel.some(({ provider }) => keyed.some(one => one.provider === provider))
  const beside = (isKeyed ? moderatorBeside(panel.map(nameOf), reach) : undefined) ?? besideOwn(panel, reach)
  if (beside !== undefined) return { moderator: beside, notes: [] }
  const sitting = onPanel(panel)
  if (sitting === undefined) return nobody
  return {
    moderator: sitting,
    notes: [`${sitting} sits at the table and also moderates: no model off the table can be reached.`],
  }
}

/** Reads a transcript: whoever was named or is configured, or else a strong connected model. */
export const checkerFor = (wish: string | undefined, reach: Reach): string => {
  const connected = reach.connections.length > 0 ? moderatorBeside([], reach) : undefined
  const name = wish ?? reach.usual.moderator ?? connected
  if (name === undefined)
    throw new UsageError(
      'Nobody is there to read the transcript: name a moderator, or set a key.',
      'no-moderator',
    )
  const found = findModel(name, reach)
  if (found.provider.known(found.model).small)
    throw new UsageError(`${nameOf(found)} is too small to read a transcript: name another moderator.`)
  return nameOf(found)
}

// retiring: Models of line-ups that their providers are about to turn off, and who comes after them.

export interface Retiring {
  /** `provider/model`, as it is seated. */
  readonly model: string
  readonly name: string
  /** The day that the provider's own list says: 2026-12-31. */
  readonly retires: string
  /** The next model of the same family, if the catalogue knows one. */
  readonly successor?: { readonly id: string; readonly name: string }
  /** The line-ups that it sits at. */
  readonly lineups: readonly string[]
}

/** Half a year: makers give about as much notice. */
const soon = 183 * 86_400_000

/** What people who name nobody get. */
const defaultTable = 'default'

/** Whoever can't be seated is told elsewhere. */
const seatedAs = (seat: SeatInput, reach: Reach): string | undefined => {
  try {
    return nameOf(findModel(modelOf(seat), reach))
  } catch (error) {
    if (UsageError.isInstance(error)) return undefined
    throw error
  }
}

const ownTables = (saved: Lineups, reach: Reach): Lineups => {
  const seats = reach.usual.seats ?? usualSeats(reach)
  return { ...reach.usual.lineups, ...saved, ...(seats && { [defaultTable]: seats }) }
}

/** Makers say this in their lists of models; the stored catalogue has no dates. */
export const retiringFrom = (saved: Lineups, reach: Reach, now: number): readonly Retiring[] => {
  const tables = new Map<string, Set<string>>()
  for (const [table, seats] of Object.entries(ownTables(saved, reach)))
    for (const seat of seats) {
      const model = seatedAs(seat, reach)
      if (model !== undefined) tables.set(model, (tables.get(model) ?? new Set()).add(table))
    }
  const catalogue = reach.catalogue()
  return [...tables].flatMap(([model, lineups]): Retiring[] => {
    const known = catalogue.find(model)?.model
    if (known?.retires === undefined || Date.parse(known.retires) - now > soon) return []
    const successor = successorOf(model, catalogue)
    return [
      {
        model,
        name: known.name,
        retires: known.retires,
        ...(successor && { successor: { id: successor.id, name: successor.name } }),
        lineups: [...lineups],
      },
    ]
  })
}

/** "Mistral Medium 3.1 is turned off on 2026-12-31, and Mistral Medium 3.5 comes after it" */
export const retiringWords = ({ retires, successor }: Retiring): string =>
  `turned off on ${retires}${successor ? `; ${successor.name} comes after it` : ''}`

// sight: Who sees the pictures of a question: decided when a seat is taken, and kept in the log.

/** Agents and the built-in model take text only, whatever their model is called. */
const takesText = ({ id, subscription }: Provider): boolean => id === 'house' || subscription === true

interface Looking {
  readonly provider: Provider
  readonly model: string
  /** What was said of the seat. */
  readonly wish: { readonly sees?: boolean | undefined }
}

type Looker = Pick<Seat, 'name' | 'sees'>

/** The names of seats that probably can't see the pictures. */
export const unseenBy = (seats: readonly Looker[]): string[] =>
  seats.filter(({ sees }) => sees === false).map(({ name }) => name)

/** Said before anybody is asked. */
export const unseenNotes = (seats: readonly Looker[]): string[] => {
  const blind = unseenBy(seats)
  return blind.length > 0 ? [unseenNote(blind)] : []
}

/** Undefined if there is nothing to see. */
export const sightOf = (
  { provider, model, wish }: Looking,
  { attachments }: Pick<Question, 'attachments'>,
  { catalogue }: Pick<Reach, 'catalogue'>,
): boolean | undefined => {
  const pictures = picturesIn(attachments)
  if (pictures.length === 0) return undefined
  if (takesText(provider)) return false
  const { pictureMedia } = provider
  if (pictureMedia && !pictures.every(({ media }) => pictureMedia.includes(media))) return false
  return wish.sees ?? provider.known(model).sees ?? seesByName(model, catalogue)
}

/** A model that was found for a seat, and what was said of that seat. */
export interface Sitting extends ResolvedModel {
  readonly wish: Exclude<SeatInput, string>
}

export const sittingFor = (seat: SeatInput, reach: Reach): Sitting => {
  const wish = typeof seat === 'string' ? { model: seat } : seat
  return { ...findModel(wish.model, reach), wish }
}

export const seatsFrom = (
  sittings: readonly Sitting[],
  voice: Voice,
  question: Pick<Question, 'attachments'>,
  reach: Pick<Reach, 'catalogue'>,
): Seat[] => {
  const taken = new Map<string, number>()
  return sittings.map((sitting, index) => {
    const { provider, model, wish } = sitting
    const { name = model.split('/').at(-1) ?? model, maker, small } = provider.known(model)
    const { brief, name: base = name, temperature = voice.temperature, effort = voice.effort } = wish
    const count = (taken.get(base) ?? 0) + 1
    taken.set(base, count)
    const sees = sightOf(sitting, question, reach)
    return {
      id: `s${index + 1}`,
      alias: aliasFor(index),
      // The same model may sit twice, and people must still be able to tell the two apart.
      name: count === 1 ? base : `${base} (${count})`,
      model: nameOf(sitting),
      ...(maker && { maker }),
      ...(brief && { brief }),
      ...(temperature !== undefined && { temperature }),
      ...(effort && { effort }),
      ...(provider.scripted && { scripted: true }),
      ...(small && { small }),
      ...(sees !== undefined && { sees }),
    }
  })
}

/** Who takes a seat of a session that was opened before. */
export const newcomerFor = (
  input: SeatInput,
  question: Pick<Question, 'attachments'>,
  reach: Reach,
): Omit<Seat, 'id' | 'alias'> => {
  const [seat] = seatsFrom([sittingFor(checked(seatInputSchema, input), reach)], {}, question, reach)
  const { id: _id, alias: _alias, ...newcomer } = seat!
  return newcomer
}
