/** Whether the question with its attachments fits into what each model takes. Said before anybody is asked. */
import type { Seat } from '../core/log/event.ts'
import { shortNumber } from '../core/wording/numbers.ts'
import type { Provider } from '../providers/provider.ts'
import { resolveModel } from '../runtime/context.ts'

const isTooSmall = (model: string, tokens: number, providers: readonly Provider[]): number | undefined => {
  const { provider, model: id } = resolveModel(providers, model)
  const { context } = provider.known(id)
  return context !== undefined && context < tokens ? context : undefined
}

/** A sentence for each model that can't read all of it. `tokens`: of the question, and room for an answer. */
export const fitNotes = (
  seats: readonly Pick<Seat, 'name' | 'model' | 'small'>[],
  tokens: number,
  providers: readonly Provider[],
): string[] =>
  seats.flatMap(({ name, model, small }) => {
    // A small model gets a short prompt of its own.
    const context = small ? undefined : isTooSmall(model, tokens, providers)
    if (context === undefined) return []
    return [
      `${name} takes ${shortNumber(context)} tokens, and the question with its attachments needs about ${shortNumber(tokens)}: it could not answer. Attach less, or seat another model.`,
    ]
  })
