/** The beginning of a long text, cut where a thought ends: whole paragraphs, else whole sentences, else whole words. */

/** Marks that may end a sentence, with the space after them; in Chinese and Japanese none follows. */
const sentenceEnd = /[.!?…](?:["”’)\]]{0,2})(?=\s)|[。！？]/gu

const lastEnd = (text: string, most: number): number =>
  [...text.slice(0, most + 1).matchAll(sentenceEnd)]
    .map(({ 0: mark, index }) => index + mark.length)
    .at(-1) ?? 0

/** At most as long as said, unless not even a word would fit. */
export const shortened = (text: string, most: number): string => {
  if (text.length <= most) return text
  const paragraph = text.slice(0, most + 1).lastIndexOf('\n\n')
  if (paragraph > most / 3) return text.slice(0, paragraph)
  const sentence = lastEnd(text, most)
  if (sentence > most / 3) return text.slice(0, sentence)
  const word = text.slice(0, most).lastIndexOf(' ')
  return `${text.slice(0, word > 0 ? word : most).trimEnd()} …`
}
