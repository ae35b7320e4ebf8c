/** Which way a text runs, by most of its letters: "Claude: …" and an Arabic sentence is an Arabic text. */

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu
const letters = /\p{L}/gu
/** The beginning is enough. */
const mostRead = 400

export const directionOf = (text: string): 'ltr' | 'rtl' => {
  const start = text.slice(0, mostRead)
  const backwards = start.match(rightToLeft)?.length ?? 0
  return backwards * 2 > (start.match(letters)?.length ?? 0) ? 'rtl' : 'ltr'
}
