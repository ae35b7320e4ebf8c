/** Estimates tokens if no provider has counted them: before a call, or if it gave no figures. */

/** In twentieths of a token, so that sums are exact. */
const perToken = 20
const latin = 5
const wide = 16

const weightAt = (text: string, index: number): number => (text.charCodeAt(index) > 0x2ff ? wide : latin)

const weightOf = (text: string): number => {
  let weight = 0
  for (let index = 0; index < text.length; index++) weight += weightAt(text, index)
  return weight
}

/** About four Latin characters to a token, and about one character in other scripts. */
export const tokensIn = (text: string): number => Math.ceil(weightOf(text) / perToken)

/** Asks for room for a reply of so many tokens in all. Returns how many it may have. */
export type Allow = (tokens: number) => number

/** Counts a reply while it arrives, as `tokensIn` counts the whole of it, and cuts it where its room ends. */
export const replyCount = (allow: Allow) => {
  let weight = 0
  let allowed = 0
  return {
    /** As much of the text as there is room for. */
    take(text: string): string {
      const whole = weight + weightOf(text)
      const tokens = Math.ceil(whole / perToken)
      if (tokens > allowed) allowed = allow(tokens)
      if (tokens <= allowed) {
        weight = whole
        return text
      }
      let end = 0
      for (; weight + weightAt(text, end) <= allowed * perToken; end++) weight += weightAt(text, end)
      // Half a character can't be stored.
      return text.slice(0, end).replace(/[\ud800-\udbff]$/, '')
    },
  }
}

/** What providers add to the parts of a call: the marks between messages, and how they ask for the form of a reply. */
const addedByProviders = 256

/** No tokeniser makes more tokens of a text than it has bytes, so a budget can rely on this. */
export const mostTokensIn = (parts: readonly string[]): number =>
  parts.reduce((sum, part) => sum + Buffer.byteLength(part), addedByProviders)
