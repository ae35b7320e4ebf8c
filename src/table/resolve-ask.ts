/** From a request to an opening: line-ups and files by name, what is configured, the built-in model with consent. */
import { UsageError } from '../core/errors.ts'
import type { Letter } from '../core/letters/book.ts'
import { type SessionEvent, usualCarry } from '../core/log/event.ts'
import { fold, type Session } from '../core/log/state.ts'
import type { SeatInput } from '../core/question/seat-input.ts'
import { afterOf } from '../core/verdict/carry-over.ts'
import type { EarlierFile } from '../evidence/attached.ts'
import { commandIn } from '../providers/agents/names.ts'
import { builtIn, type Weights } from '../providers/house/built-in.ts'
import { type InstalledAgent, isReady } from './agents.ts'
import { type AskInput, isOpenTable, namesIn } from './ask-input.ts'
import { followUpOf } from './follow-up.ts'
import { withWholePath } from './house.ts'
import { houseLineup, houseTable } from './house-table.ts'
import { learnFacts } from './learnt-facts.ts'
import { isAlone, lineupIds, subscriptionLineup, unknownLineup, usualSeats } from './lineups.ts'
import type { OpenReach } from './open-reach.ts'
import { type Links, type Opening, openingOf } from './opening.ts'
import { withPeople } from './people.ts'
import type { Lineups } from './reach.ts'
import { sourcesOf } from './search.ts'
import { type Filled, filledFrom, withUsual } from './usual.ts'

/** Whoever asks, as far as it matters who they are. */
export interface Asker {
  /** Line-ups that were saved on a page. */
  lineups(): Promise<Lineups>
  /**
   * Makes a built-in model ready with the person's consent: the one that was named, or any if nobody else can
   * answer. Throws UsageError if it may not be downloaded.
   */
  builtIn(wanted: Weights | undefined): Promise<Weights>
  /** The letters of a book, by its id. Throws UsageError if there is no such book. */
  letters(book: string): Promise<readonly Letter[]>
  /** Makes the engine ready that runs the person's own files of weights. Throws UsageError if it may not be downloaded. */
  engine(): Promise<void>
  /** The whole log of a session that the request names, with what is withheld from readers. Empty if there is none. */
  log(id: string): Promise<readonly SessionEvent[]>
  /** Asks the person once whether their agents may be the default table. Undefined: nobody could be asked. */
  agents?(ready: readonly InstalledAgent[]): Promise<boolean | undefined>
  /** Names of seats that the person at this terminal typed: commands among them may be run. */
  readonly typed?: readonly string[]
  /** The bytes of a file of an earlier session. */
  file?: EarlierFile
  /** The folder that names of files start in. Absent: a request may not name files of this machine. */
  readonly files?: string
}

const onSeats = (input: AskInput, change: (model: string) => string): AskInput => {
  const seat = (one: SeatInput): SeatInput =>
    typeof one === 'string' ? change(one) : { ...one, model: change(one.model) }
  return {
    ...input,
    ...(input.seats && { seats: input.seats.map(seat) }),
    ...(input.moderator && { moderator: change(input.moderator) }),
  }
}

type Named = Pick<AskInput, 'seats' | 'moderator'>

const knownTo = ({ config }: Pick<OpenReach, 'config'>): string[] => [
  ...builtIn.map(({ id }) => id),
  ...Object.keys(config.house?.models ?? {}),
]

/** Files of this machine that a request or a log names, and the configuration doesn't. */
export const filesNamedBy = (input: Named, reach: Pick<OpenReach, 'config'>): string[] => {
  const known = knownTo(reach)
  return namesIn(input).filter(
    name => /^house[:/]/i.test(name) && !known.includes(name.slice('house/'.length)),
  )
}

/**
 * A request must not name files of this machine: whoever runs the server says which ones there are. A log must not
 * either: it may have been imported.
 */
export const refuseFiles = (input: Named, reach: Pick<OpenReach, 'config'>): void => {
  const [file] = filesNamedBy(input, reach)
  if (file === undefined) return
  throw new UsageError(
    `"${file}" isn't a built-in model here. There are ${knownTo(reach).join(', ')}; others are named in the server's configuration.`,
  )
}

const settledFiles = (input: AskInput, reach: OpenReach, { files }: Asker): AskInput => {
  if (files !== undefined) return onSeats(input, model => withWholePath(model, files))
  refuseFiles(input, reach)
  return input
}

/** The built-in model's own table: by its name, or if nobody is named and nobody else can answer. */
const isHouseTable = (input: AskInput, reach: OpenReach): boolean =>
  input.lineup === houseLineup || (isOpenTable(input) && isAlone(reach) && usualSeats(reach) === undefined)

const withHouse = async ({ input, notes }: Filled, reach: OpenReach, asker: Asker): Promise<Filled> => {
  if (!isHouseTable(input, reach)) return { input, notes }
  const { lineup: _lineup, ...open } = input
  const { seats, ...brings } = houseTable(await asker.builtIn(undefined))
  const filled = filledFrom({ ...open, seats }, brings, reach.protocols)
  return { input: filled.input, notes }
}

/** Built-in models that a request names, whoever else sits there. */
export const builtInNamedBy = (names: readonly string[]): readonly Weights[] =>
  builtIn.filter(({ id }) => names.includes(`house/${id}`))

const namesOwnFile = (input: Named): boolean =>
  namesIn(input).some(name => name.startsWith('house/') && !builtIn.some(({ id }) => name === `house/${id}`))

/** The agents take part in a table of their own, and in the default one if nobody else can answer and the person agrees. */
const settleAgents = async (input: AskInput, reach: OpenReach, asker: Asker): Promise<void> => {
  const { agents } = reach
  if (input.lineup === subscriptionLineup) return void (await agents.check())
  if (!isOpenTable(input) || !isAlone(reach) || agents.installed().length === 0) return
  if (agents.agreed() === false) return
  const ready = (await agents.check()).filter(isReady)
  if (ready.length === 0 || agents.agreed()) return
  const answer = await asker.agents?.(ready)
  if (answer !== undefined) await agents.agree(answer)
}

/** Commands that the person typed may be run. Those of requests, files and earlier sessions may be a stranger's. */
const allowTyped = (reach: OpenReach, { typed = [] }: Asker): void => {
  for (const name of typed) {
    const command = commandIn(name)
    if (command !== undefined) reach.agents.allow(command)
  }
}

const sessionAt = async (id: string, logOf: Asker['log']): Promise<Session> => {
  const log = await logOf(id)
  if (log.length === 0) throw new UsageError(`There is no session "${id}". It may have been deleted.`)
  return fold(log)
}

interface Linked {
  readonly input: AskInput
  readonly links: Links
}

/** The request with what it takes over from the session before, and how it belongs to others. */
export const linked = async (
  given: AskInput,
  { protocols }: Pick<OpenReach, 'protocols'>,
  logOf: Asker['log'],
): Promise<Linked> => {
  const { after, forkedFrom } = given
  if (after === undefined && given.carry !== undefined)
    throw new UsageError('What is carried over has to come from somewhere: name the session to ask on after.')
  const fork = forkedFrom === undefined ? undefined : await sessionAt(forkedFrom, logOf)
  // A fork of a follow-up is told what that one was told, even if the session before is gone.
  if (fork?.after && fork.after.session === after && (given.carry ?? usualCarry) === fork.after.carry)
    return {
      input: given,
      links: {
        ...{ after: fork.after, language: fork.language, forkedFrom: { session: fork.id } },
        ...sourcesOf(fork, given),
      },
    }
  const before = after === undefined ? undefined : await sessionAt(after, logOf)
  return {
    input: before ? followUpOf(before, given, protocols) : given,
    links: {
      ...(before && { after: afterOf(before, given.carry), language: before.language }),
      ...(fork && { forkedFrom: { session: fork.id }, ...sourcesOf(fork, given) }),
    },
  }
}

/** Files are read before anything else: one that can't be read refuses the question. */
export const withExhibits = async (input: AskInput, file: EarlierFile | undefined): Promise<AskInput> => {
  if (!input.attachments?.length) return input
  const { readAttachments } = await import('../evidence/attached.ts')
  return { ...input, attachments: await readAttachments(input.attachments, file) }
}

/** Throws UsageError if the request can't be asked. Nothing is asked of a model yet. */
export const resolveAsk = async (
  given: AskInput,
  id: string,
  reach: OpenReach,
  asker: Asker,
): Promise<Opening> => {
  const { usual, protocols } = reach
  const { input: whole, links } = await linked(given, reach, asker.log)
  const asked = await withExhibits(whole, asker.file)
  const saved = asked.lineup === undefined ? {} : await asker.lineups()
  const usually = withUsual(withPeople(asked), usual, protocols, saved)
  const filled = { ...usually, input: withPeople(usually.input) }
  const { lineup } = filled.input
  if (lineup !== undefined && !lineupIds.includes(lineup))
    throw unknownLineup(lineup, { ...usual.lineups, ...saved })
  const settled = { ...filled, input: settledFiles(filled.input, reach, asker) }
  await reach.refreshFor(settled.input)
  allowTyped(reach, asker)
  await settleAgents(settled.input, reach, asker)
  const { input, notes } = await withHouse(settled, reach, asker)
  if (!isHouseTable(settled.input, reach))
    for (const weights of builtInNamedBy(namesIn(input))) await asker.builtIn(weights)
  if (namesOwnFile(input)) await asker.engine()
  const letters = input.letters && (await Promise.all(input.letters.map(book => asker.letters(book)))).flat()
  const open = (): Opening =>
    openingOf({ ...input, ...(letters && { given: letters }) }, id, reach, notes, links)
  const opening = open()
  return (await learnFacts(opening, reach.providers)) ? open() : opening
}
