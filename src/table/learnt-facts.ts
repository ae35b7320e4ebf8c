/** A server of one's own is asked what its models take, if that decides whether a question can be asked. */
import { isPicture } from '../core/question/picture.ts'
import type { Provider } from '../providers/provider.ts'
import { resolveModel } from '../runtime/context.ts'
import type { Opening } from './opening.ts'

/** Characters. Shorter attachments fit every model. */
const longText = 10_000

const isDemanding = ({ opened: { question } }: Opening): boolean =>
  question.attachments.some(isPicture) ||
  question.attachments.reduce((sum, { text }) => sum + text.length, 0) > longText

/** Whether anything was learnt. Each server is asked once, and its providers remember it. */
export const learnFacts = async (opening: Opening, providers: readonly Provider[]): Promise<boolean> => {
  if (!isDemanding(opening)) return false
  const { seats, moderator } = opening.opened
  const models = [
    ...seats.filter(({ outside }) => !outside).map(({ model }) => model),
    moderator ?? [],
  ].flat()
  const unknown = models
    .map(name => resolveModel(providers, name))
    .filter(({ provider, model }) => provider.known(model).context === undefined)
  const found = await Promise.all(unknown.map(({ provider, model }) => provider.facts(model)))
  return found.some(({ context, sees }) => (context ?? sees) !== undefined)
}
