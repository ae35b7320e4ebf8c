/** A process that opens, watches and runs sessions until it is killed. Started by `fork`, told what to do by messages. */
import { createHash } from 'node:crypto'
import type { SessionEvent, SessionOpened } from '../../src/core/event.ts'
import { createRoundtable } from '../../src/runtime/roundtable.ts'
import { PositionTaken } from '../../src/store/store.ts'
import { openEngine } from '../../src/worker/open.ts'
import type { Where } from '../../src/worker/place.ts'

export interface Setting {
  readonly where: Where
  readonly baseURL: string
}

export type Order =
  | { readonly type: 'open'; readonly first: SessionEvent & SessionOpened }
  | { readonly type: 'watch'; readonly session: string }
  | { readonly type: 'count' }
  | { readonly type: 'close' }

export type Report =
  | { readonly type: 'ready' }
  | { readonly type: 'opened'; readonly session: string }
  | { readonly type: 'seen'; readonly session: string; readonly position: number; readonly digest: string }
  /** How many sessions are over. */
  | { readonly type: 'over'; readonly count: number }
  | { readonly type: 'running'; readonly sessions: readonly string[] }

export const digestOf = (event: SessionEvent): string =>
  createHash('sha256').update(JSON.stringify(event)).digest('hex')

const say = (report: Report): void => void process.send?.(report)

const main = async ({ where, baseURL }: Setting): Promise<void> => {
  const engine = await openEngine({
    where,
    table: (store, slots) => createRoundtable({ endpoints: [{ id: 'lab', baseURL }], store, slots }),
  })
  const open = async (first: SessionEvent & SessionOpened): Promise<void> => {
    await engine.queue.open(first).catch(error => {
      // Asked again after a kill: it was stored before that.
      if (!(error instanceof PositionTaken)) throw error
    })
    say({ type: 'opened', session: first.id })
  }
  const watch = (session: string): void => {
    engine.bus.subscribe(session, event => {
      if ('position' in event)
        say({ type: 'seen', session, position: event.position, digest: digestOf(event) })
    })
  }
  const count = async (): Promise<void> => {
    const listed = await engine.archive.list()
    say({ type: 'over', count: listed.filter(({ outcome }) => outcome !== null).length })
  }
  const close = async (): Promise<void> => {
    await engine.close()
    process.exit(0)
  }
  process.on('message', (order: Order) => {
    if (order.type === 'open') void open(order.first)
    else if (order.type === 'watch') watch(order.session)
    else if (order.type === 'count') void count()
    else void close()
  })
  process.on('disconnect', () => process.exit(1))
  setInterval(() => say({ type: 'running', sessions: engine.running() }), 50)
  say({ type: 'ready' })
}

const setting = process.argv[2]
if (process.send && setting) await main(JSON.parse(setting) as Setting)
