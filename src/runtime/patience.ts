/** How long the seats of a round may take, by the asker's patience: measured here, and decided in the log. */
import { longestDeadline } from '../core/log/bounds.ts'
import { type Command, commandKey } from '../core/log/command.ts'
import type { Happening } from '../core/log/event.ts'
import { longestWait } from '../core/log/late.ts'
import { isClosed, latestRound, type Session } from '../core/log/state.ts'

export interface Patience {
  /** From now on the table waits for this seat. A call that is made again after a crash gets its whole time. */
  started(command: Command): void
  /** The seats that the table goes on without, now. */
  overdue(session: Session): Happening[]
  stop(): void
}

/** Milliseconds. A longer timer would fire at once, again and again. */
const longestTimer = longestDeadline * 1_000

/** `wake` is called when the next seat may be overdue. */
export const patienceOf = (clock: () => number, wake: () => void): Patience => {
  const since = new Map<string, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    started(command) {
      if (command.type === 'ask-seat') since.set(commandKey(command), clock())
    },
    overdue(session) {
      clearTimeout(timer)
      const round = latestRound(session)
      const wait = round && longestWait(session, round)
      if (!round || wait === undefined || isClosed(session, round)) return []
      const left = session.seats
        .filter(({ id }) => round.handedIn[id] === undefined && !round.overdue?.includes(id))
        .flatMap(({ id }) => {
          const at = since.get(commandKey({ type: 'ask-seat', round: round.index, seat: id }))
          return at === undefined ? [] : [{ seat: id, left: at + wait - clock() }]
        })
      const over = left.filter(one => one.left <= 0)
      if (over.length === 0 && left.length > 0)
        timer = setTimeout(wake, Math.max(1, Math.min(longestTimer, ...left.map(one => one.left))))
      return over.map(({ seat }) => ({ type: 'seat-overdue', round: round.index, seat, by: 'patience' }))
    },
    stop: () => clearTimeout(timer),
  }
}
