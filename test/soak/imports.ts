/** Imports of mutated sessions. What is accepted is read in every form, sometimes resumed, and then deleted. */
import { openedSchema } from '../../src/api/sessions.ts'
import { exporterNamed } from '../../src/exports/index.ts'
import { sampleLog } from '../sample-session.ts'
import type { Client } from './client.ts'
import { mutated } from './mutations.ts'
import { pick } from './pick.ts'
import { pause, type Stage, steadily } from './stage.ts'

export interface Imports {
  readonly counts: { sent: number; accepted: number; refused: number; failed: number }
  /** One more real session to mutate. */
  add(text: string): void
  readonly done: Promise<void>
}

const mostSources = 40
const forms = ['json', 'markdown', 'html', 'transcript']

export const startImports = (stage: Stage, client: Client, perSecond: number): Imports => {
  const { signal } = stage
  const random = stage.random('imports')
  const sources = ['json', 'transcript'].map(form => exporterNamed(form).write(sampleLog))
  const kept = sources.length
  const counts = { sent: 0, accepted: 0, refused: 0, failed: 0 }

  /** A file that was accepted must be readable. */
  const use = async (id: string, text: string): Promise<void> => {
    const path = `/api/sessions/${encodeURIComponent(id)}`
    const send = async (what: string, rest: string, method = 'GET'): Promise<void> => {
      const since = Date.now()
      stage.isFailure(what, since, await client.send(`${path}${rest}`, { method }), text)
    }
    await send('reading an imported session', '')
    const form = pick(random, forms)
    await send(`exporting an imported session as ${form}`, `/export/${form}`)
    if (random() < 0.05) await send('resuming an imported session', '/resume', 'POST')
    await send('deleting an imported session', '', 'DELETE')
  }

  const one = async (): Promise<void> => {
    const text = mutated(pick(random, sources), random)
    const since = Date.now()
    const reply = await client.send('/api/import', { method: 'POST', body: text, type: 'text/plain' })
    if (stage.isFailure('an import', since, reply, text)) counts.failed++
    // The server was killed: this one isn't counted.
    if (!reply) return pause(200, signal)
    counts.sent++
    if (reply.status === 201) {
      counts.accepted++
      await use(openedSchema.parse(JSON.parse(reply.text)).id, text)
    } else if (reply.status < 500) counts.refused++
  }

  return {
    counts,
    add(text) {
      if (sources.length < mostSources) sources.push(text)
      else sources[kept + Math.floor(random() * (mostSources - kept))] = text
    },
    done: steadily(stage, perSecond, 6, one),
  }
}
