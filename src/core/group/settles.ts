/** Whether anything can settle a question. If nothing can, nobody has a purse and nobody is told who was right. */
import type { Session } from '../log/state.ts'

/** Kinds of question that no fact decides. */
const unsettled: readonly string[] = ['taste', 'judgement', 'text']

/** A question whose kind nobody has read may have a right answer. */
export const settles = ({ kind }: Session & { readonly kind?: string }): boolean =>
  kind === undefined || !unsettled.includes(kind)
