/** The person at this terminal holds a seat: they are asked right here, and see nothing of a round before they answered it. */
import { UsageError } from '../../core/errors.ts'
import type { LiveEvent } from '../../core/log/live-event.ts'
import { answerBefore, apply, latestRound, type Session } from '../../core/log/state.ts'
import type { Protocol } from '../../protocols/protocol.ts'
import { type OutsideTurn, outsideTurns, waitsOutside } from '../../runtime/outside.ts'
import { paintFor } from '../terminal/paint.ts'
import type { Shell } from '../terminal/shell.ts'
import { askOwnAnswer, readLines } from './own-seat-prompts.ts'

export interface OwnSeat {
  readonly protocols?: readonly Protocol[]
  /** Hands in an answer. Throws UsageError if it is refused. */
  hand(session: Session, seat: string, round: number, answer: Record<string, unknown>): Promise<void>
  /** The person left: nothing more is written here. */
  leave(): void
}

/** The seat of whoever asks. */
export const mySeatIn = ({ seats }: Pick<Session, 'seats'>): string | undefined =>
  seats.find(({ person, model }) => person && model === 'person/me')?.id

const introduction = ({ round }: OutsideTurn): string =>
  round === 0
    ? 'Your seat: answer on your own first. You see the others afterwards.'
    : 'Your seat: read what the others think, then keep your answer or change it.'

/** Asks until the answer is taken, or its time is over. */
const askTurn = async (session: Session, turn: OutsideTurn, own: OwnSeat, shell: Shell): Promise<void> => {
  const look = { columns: shell.stderr.columns || 80, paint: paintFor(shell.stderr) }
  const write = (lines: readonly string[]): void => void shell.stderr.write(`${lines.join('\n')}\n`)
  write(['', ` ${look.paint.strong(introduction(turn))}`, '', ...readLines(turn, look)])
  const last = answerBefore(session, turn.round, turn.seat)
  for (;;) {
    const answer = await askOwnAnswer(session.question, turn, last, shell)
    try {
      await own.hand(session, turn.seat, turn.round, answer)
      return
    } catch (error) {
      if (!UsageError.isInstance(error)) throw error
      write([` ${error.message}`])
      if (shell.clock() >= turn.deadline) return
    }
  }
}

/** The events of a session, without those of a round that the person hasn't answered yet. */
export async function* withOwnSeat(
  events: AsyncIterable<LiveEvent>,
  own: OwnSeat,
  shell: Shell,
): AsyncGenerator<LiveEvent> {
  const source = events[Symbol.asyncIterator]()
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(own.leave)
  let session: Session | undefined
  let held: LiveEvent[] | undefined
  try {
    for (;;) {
      const { value: event, done } = await Promise.race([source.next(), failed.promise])
      if (done) return
      if ('position' in event) session = apply(session, event)
      const mine = session && mySeatIn(session)
      if (held && mine !== undefined) {
        held.push(event)
        if (!session || (latestRound(session)?.handedIn[mine] === undefined && !session.outcome)) continue
        yield* held
        held = undefined
        continue
      }
      yield event
      if (!session || event.type !== 'round-opened' || mine === undefined) continue
      const turn = outsideTurns(session, own.protocols).find(({ seat }) => seat === mine)
      if (!turn) continue
      held = []
      askTurn(session, turn, own, shell).catch(failed.reject)
    }
  } finally {
    await source.return?.()
  }
}

/** The events until nothing but other people is waited for: the session goes on without this terminal. */
export async function* untilOthersAnswer(
  events: AsyncIterable<LiveEvent>,
  onLeave: (session: Session) => void,
  protocols?: readonly Protocol[],
): AsyncGenerator<LiveEvent> {
  let session: Session | undefined
  for await (const event of events) {
    yield event
    if (!('position' in event)) continue
    session = apply(session, event)
    if (!session.seats.some(({ person }) => person)) continue
    const mine = mySeatIn(session)
    const isMine = mine !== undefined && latestRound(session)?.handedIn[mine] === undefined
    if (isMine || !waitsOutside(session, protocols)) continue
    onLeave(session)
    return
  }
}
