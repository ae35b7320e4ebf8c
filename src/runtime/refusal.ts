/** Recognises a model that declines, so that it counts as abstained and not as an opinion. */

/**
 * Narrow on purpose: "I cannot say with certainty" is an answer, "I can't help with that" isn't.
 * A refusal that it misses is shown as the seat's headline, so nothing is hidden.
 */
const declines = new RegExp(
  [
    "^(?:i['’]?m (?:really )?sorry|i am sorry|sorry|i apologi[sz]e|unfortunately)?[,.!:;\\s—-]*(?:but )?",
    "(?:i|we)(?: can(?:no|['’])t| cannot| can not| won['’]t| will not| must decline| am unable| am not able|['’]m unable|['’]m not able)",
    '(?: to)?[^.!?]{0,40}?',
    '(?:help|assist|comply|fulfil|engage|participate|decline|(?:answer|discuss|provide|do|take part in) (?:that|this|it)\\b)',
  ].join(''),
  'i',
)

const longestRefusal = 400

export const isRefusal = (text: string): boolean => {
  const words = text.trim()
  return words.length <= longestRefusal && declines.test(words)
}
