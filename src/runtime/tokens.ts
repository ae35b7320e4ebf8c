/** Estimates tokens if no provider has counted them: before a call, or if it gave no figures. */

/** About four Latin characters to a token, and about one character in other scripts. */
export const tokensIn = (text: string): number => {
  let wide = 0
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x2ff) wide++
  return Math.ceil((text.length - wide) / 4 + wide * 0.8)
}

/** What providers add to the parts of a call: the marks between messages, and how they ask for the form of a reply. */
const addedByProviders = 256

/** No tokeniser makes more tokens of a text than it has bytes, so a budget can rely on this. */
export const mostTokensIn = (parts: readonly string[]): number =>
  parts.reduce((sum, part) => sum + Buffer.byteLength(part), addedByProviders)
