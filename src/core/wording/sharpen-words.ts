/** What every face says about sharper wordings of a question. */
import type { Usage } from '../log/spent.ts'
import { spentCost } from './money.ts'
import { counted, wholeNumber } from './numbers.ts'

export const clearWords = 'The question is clear as it is.'

/** "By lab/moderator: 412 tokens in, 120 out, $0.0012." */
export const sharpenSpent = ({
  moderator,
  usage,
}: {
  readonly moderator: string
  readonly usage: Usage | null
}): string => {
  if (!usage) return `By ${moderator}.`
  const about = usage.estimated ? 'about ' : ''
  const cost = spentCost(usage, 'cost unknown')
  return `By ${moderator}: ${about}${counted(usage.inputTokens, 'token')} in, ${wholeNumber(usage.outputTokens)} out, ${cost}.`
}
