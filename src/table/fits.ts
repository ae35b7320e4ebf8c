/** Whether the question with its attachments fits into what each model takes. Said before anybody is asked. */
import type { Seat } from '../core/log/event.ts'
import { picturesIn, pictureTokens } from '../core/question/picture.ts'
import type { Question } from '../core/question/question.ts'
import { shortNumber } from '../core/wording/numbers.ts'
import type { OpeningFacts } from '../protocols/protocol.ts'
import type { Provider } from '../providers/provider.ts'
import { usualOutputTokens } from '../runtime/ask.ts'
import { resolveModel } from '../runtime/context.ts'

/** A seat or the moderator, with the tokens that its model takes. */
export interface AskedModel {
  readonly name: string
  readonly context: number
  readonly reasoning: boolean
  /** Tokens of the pictures that it gets. */
  readonly pictures: number
}

/** One whose model takes too few. */
export interface Narrow extends AskedModel {
  /** What the question needs, with room for an answer. */
  readonly needs: number
}

export const tokensOfPictures = ({ attachments }: Pick<Question, 'attachments'>): number =>
  picturesIn(attachments).reduce((sum, picture) => sum + pictureTokens(picture), 0)

const askerOf = (
  name: string,
  model: string,
  pictures: number,
  providers: readonly Provider[],
): AskedModel | undefined => {
  const { provider, model: id } = resolveModel(providers, model)
  const { context, reasoning = false } = provider.known(id)
  return context === undefined ? undefined : { name, context, reasoning, pictures }
}

type Table = Pick<OpeningFacts, 'question' | 'seats' | 'moderator' | 'smallModerator'>

/** Without attachments, a small model gets a short prompt of its own. */
const reads = ({ outside, small }: Seat, { attachments }: Question): boolean =>
  !outside && (!small || attachments.length > 0)

/** All whose context is known. A small moderator only reads two headlines. */
export const askersAt = (
  { question, seats, moderator, smallModerator }: Table,
  providers: readonly Provider[],
): AskedModel[] => {
  const seen = tokensOfPictures(question)
  const panel = seats
    .filter(seat => reads(seat, question))
    .map(({ name, model, sees }) => askerOf(name, model, sees ? seen : 0, providers))
  const moderating =
    moderator === null || smallModerator || question.attachments.length === 0
      ? undefined
      : askerOf(`The moderator ${moderator}`, moderator, 0, providers)
  return [...panel, moderating].filter(one => one !== undefined)
}

/** `question`: its tokens, with what seats are told beside it. */
export const narrowAt = (table: Table, question: number, providers: readonly Provider[]): Narrow[] =>
  askersAt(table, providers).flatMap(asker => {
    const needs = question + asker.pictures + usualOutputTokens
    return asker.context < needs ? [{ ...asker, needs }] : []
  })

const tooNarrow = ({ name, context, needs }: Narrow): string =>
  `${name} takes ${shortNumber(context)} tokens, and the question with its attachments needs about ${shortNumber(needs)}: it could not answer.`

/** A sentence for each model that can't read all of it. */
export const fitNotes = (narrow: readonly Narrow[]): string[] =>
  narrow.map(one => `${tooNarrow(one)} Attach less, or seat another model.`)

/** Why a question is refused. */
export const refusalWords = (narrow: readonly Narrow[]): string =>
  `${narrow.map(tooNarrow).join(' ')} Attach less, seat other models, or give all seats excerpts.`
