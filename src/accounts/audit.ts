/** The audit log: who did what to whose, when, and from where. It is only ever added to, and never has contents. */
import { z } from 'zod'
import type { Archive } from '../store/archive/archive.ts'
import { newAccountId } from './secrets.ts'

/** Who acts. `who` is a person's id, or says that nobody is logged in. */
export interface Actor {
  readonly who: string
  /** The network address, or `terminal`. */
  readonly from: string
}

/** Somebody at a terminal of the server's machine. */
export const atTerminal: Actor = { who: 'terminal', from: 'terminal' }

const auditEntrySchema = z.object({
  at: z.string(),
  who: z.string(),
  what: z.string(),
  /** The id of a person, session, key or invitation. */
  whose: z.string().optional(),
  /** What it was set to, or which one of several. */
  detail: z.string().optional(),
  from: z.string(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

export interface Audit {
  add(actor: Actor, what: string, whose?: string, detail?: string): Promise<void>
  /** The newest first; `before` is the `next` of the page before. */
  page(
    limit: number,
    before?: string,
  ): Promise<{ readonly entries: readonly AuditEntry[]; readonly next: string | null }>
}

let added = 0

export const auditIn = (archive: Archive, clock: () => number): Audit => ({
  async add({ who, from }, what, whose, detail) {
    const at = new Date(clock()).toISOString()
    // The time first, so that keys sort by it; then a count, for what this process adds within one millisecond.
    const key = `${at} ${String(added++).padStart(9, '0')} ${newAccountId()}`
    const about = { ...(whose !== undefined && { whose }), ...(detail !== undefined && { detail }) }
    await archive.addRecord('audit', key, { at, who, what, ...about, from }, who)
  },
  async page(limit, before) {
    const found = await archive.records('audit', { limit, ...(before !== undefined && { before }) })
    const entries = found.map(({ value }) => auditEntrySchema.parse(value))
    return { entries, next: found.length === limit ? found.at(-1)!.key : null }
  },
})
