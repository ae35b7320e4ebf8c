/** From a request to an opening: line-ups and files by name, what is configured, the built-in model with consent. */
import { UsageError } from '../core/errors.ts'
import type { SeatInput } from '../core/question/seat-input.ts'
import type { EarlierFile } from '../evidence/attached.ts'
import { builtIn, type Weights } from '../providers/house/built-in.ts'
import { type AskInput, isOpenTable, namesIn } from './ask-input.ts'
import { withWholePath } from './house.ts'
import { houseLineup, houseTable } from './house-table.ts'
import { isAlone, lineupIds, unknownLineup, usualSeats } from './lineups.ts'
import type { OpenReach } from './open-reach.ts'
import { type Opening, openingOf } from './opening.ts'
import type { Lineups } from './reach.ts'
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

/** Files are read before anything else: one that can't be read refuses the question. */
const attachmentsOf = async (
  { attachments }: AskInput,
  { file }: Asker,
): Promise<AskInput['attachments']> => {
  if (!attachments?.length) return attachments
  const { readAttachments } = await import('../evidence/attached.ts')
  return readAttachments(attachments, file)
}

/** Throws UsageError if the request can't be asked. Nothing is asked of a model yet. */
export const resolveAsk = async (
  asked: AskInput,
  id: string,
  reach: OpenReach,
  asker: Asker,
): Promise<Opening> => {
  const { usual, protocols } = reach
  const attachments = await attachmentsOf(asked, asker)
  const saved = asked.lineup === undefined ? {} : await asker.lineups()
  const filled = withUsual(asked, usual, protocols, saved)
  const { lineup } = filled.input
  if (lineup !== undefined && !lineupIds.includes(lineup))
    throw unknownLineup(lineup, { ...usual.lineups, ...saved })
  const settled = { ...filled, input: settledFiles(filled.input, reach, asker) }
  await reach.refreshFor(settled.input)
  const { input, notes } = await withHouse(settled, reach, asker)
  if (!isHouseTable(settled.input, reach))
    for (const weights of builtInNamedBy(namesIn(input))) await asker.builtIn(weights)
  return openingOf({ ...input, ...(attachments && { attachments }) }, id, reach, notes)
}
