/** What a session has cost so far, in a few words. By itself: the table of costs loads later. */
import type { Session } from '../../../core/log/state.ts'
import { usageOf } from '../../../core/log/usage.ts'
import { dollars, spentCost } from '../../../core/wording/money.ts'
import { wholeNumber } from '../../../core/wording/numbers.ts'
import { cachedWords } from '../../../core/wording/spent-words.ts'

/** For the head of the page; nothing if a session that is over used nothing, such as an imported transcript. */
export const costParts = (session: Session): string[] => {
  const usage = usageOf(session)
  const used = usage.inputTokens + usage.outputTokens
  if (session.outcome && used === 0) return []
  const cap = session.budget?.usd
  const cost = spentCost(usage, 'cost unknown')
  const limit = cap === undefined ? '' : ` of ${dollars(cap)}`
  return [`${cost}${limit}`, `${wholeNumber(used)} tokens${cachedWords(usage)}`]
}
