/** The table that is laid for whoever has not chosen one. */
import type { LineupReply, SettingsReply } from '../../../api/index.ts'
import { type AskForm, seatForm } from './form.ts'

/** A small model moderates its own table, and one open round is all the patience that it deserves. */
const houseRounds = 1

/** A line-up with what belongs to it. */
export const laid = ({ name, seats }: LineupReply): Partial<AskForm> => {
  const laidSeats = seats.map(seatForm)
  const moderator = laidSeats[0]?.model
  return {
    seats: laidSeats,
    ...(name === 'house' && moderator !== undefined && { moderator, rounds: houseRounds }),
  }
}

/** Somebody's models can be seated without the house. */
export const isConfigured = ({ providers, localServers }: SettingsReply): boolean =>
  localServers.length > 0 || providers.some(provider => provider.configured)

/** The configured table, or the first line-up that has anybody; nobody while the house is not here. */
export const usualTable = (settings: SettingsReply, lineups: readonly LineupReply[]): Partial<AskForm> => {
  if (settings.usual.seats) return { seats: settings.usual.seats.map(seatForm) }
  const first = lineups.find(({ seats, name }) => seats.length > 0 && name !== 'house')
  if (first) return laid(first)
  const house = lineups.find(({ name, seats }) => name === 'house' && seats.length > 0)
  return house && !isConfigured(settings) ? laid(house) : { seats: [] }
}
