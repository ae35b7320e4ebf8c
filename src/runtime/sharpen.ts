/** One call to the moderator that a session would have, before there is a session. Nothing of it goes into a log. */
import { UsageError } from '../core/errors.ts'
import type { SessionEvent } from '../core/log/event.ts'
import type { Usage } from '../core/log/spent.ts'
import { fold } from '../core/log/state.ts'
import { failureWords } from '../core/wording/handed-in.ts'
import { readSharpening, type Sharpening, sharpenPrompt } from '../protocols/sharpen.ts'
import { askModel } from './ask-model.ts'
import { meterFor } from './budget.ts'
import { noPages } from './cited-pages.ts'
import { bothMeters } from './payer-meter.ts'
import type { Runner } from './runner.ts'

export interface Sharpened extends Sharpening {
  /** The model that was asked. */
  readonly moderator: string
  /** What the call used. Null: nobody knows. */
  readonly usage: Usage | null
}

/** The moderator was asked and gave nothing that can be used. */
export class SharpeningFailed extends Error {
  override readonly name = 'SharpeningFailed'
}

const failed = (moderator: string, why: string): SharpeningFailed =>
  new SharpeningFailed(
    `${moderator} could not sharpen the question: ${why}. Ask it as it is, or name another moderator.`,
  )

/** Throws UsageError if there is nobody to ask, and SharpeningFailed if the moderator fails. */
export const sharpen = async (runner: Runner, first: SessionEvent): Promise<Sharpened> => {
  const session = fold([first])
  const { moderator } = session
  if (moderator === null)
    throw new UsageError(
      'Nobody can sharpen the question: this table has no moderator. Name a moderator, or ask the question as it is.',
      'no-moderator',
    )
  if (session.smallModerator)
    throw new UsageError(
      `${moderator} is too small to sharpen a question. Name another moderator, or ask the question as it is.`,
      'no-moderator',
    )
  runner.refuse?.(session)
  const context = {
    ...runner,
    queue: runner.openQueue(),
    meter: bothMeters(meterFor(session.budget, []), runner.payer),
    pages: noPages,
  }
  const asked = await askModel<Sharpening>(context, session, {
    prompt: sharpenPrompt(session),
    name: 'sharpen',
    read: raw => readSharpening(raw, session),
  })
  if (asked.status === 'silent') throw failed(moderator, failureWords(asked.error))
  if (asked.status === 'abstained') throw failed(moderator, `it declined: ${asked.words}`)
  return { ...asked.value, moderator, usage: asked.usage ?? null }
}
