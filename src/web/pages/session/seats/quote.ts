/** Finds quoted words on the page, and selects them. */

/** The text of an element, and for each of its characters where it is. */
const charactersOf = (element: Element): { text: string; at: { node: Text; offset: number }[] } => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const at: { node: Text; offset: number }[] = []
  let text = ''
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue
    for (let offset = 0; offset < node.data.length; offset++) {
      const character = plain(node.data[offset] ?? '')
      if (character === ' ' && text.endsWith(' ')) continue
      text += character
      at.push({ node, offset })
    }
  }
  return { text, at }
}

/** One character for one, so that places stay what they are. */
const plain = (character: string): string => {
  if (/\s/.test(character)) return ' '
  if (/[“”„«»"‘’‚']/.test(character)) return "'"
  if (/[‐‑‒–—―−-]/.test(character)) return '-'
  const lower = character.toLowerCase()
  return lower.length === 1 ? lower : character
}

const flattened = (quote: string): string =>
  [...quote.replace(/[*_`]/g, '').replace(/\s+/g, ' ').trim()]
    .map(plain)
    .join('')
    .replace(/^['. ]+|['. ]+$/g, '')

const rangeOf = (element: Element, quote: string): Range | undefined => {
  const { text, at } = charactersOf(element)
  const words = flattened(quote)
  const start = words === '' ? -1 : text.indexOf(words)
  const [first, last] = [at[start], at[start + words.length - 1]]
  if (!first || !last) return undefined
  const range = new Range()
  range.setStart(first.node, first.offset)
  range.setEnd(last.node, last.offset + 1)
  return range
}

/** Brings the element into view with the quote selected; without the words, the element alone. */
export const showQuote = (element: Element, quote: string | undefined): void => {
  const range = quote === undefined ? undefined : rangeOf(element, quote)
  if (range) {
    getSelection()?.removeAllRanges()
    getSelection()?.addRange(range)
  }
  const place = range?.startContainer.parentElement ?? element
  place.scrollIntoView({ block: 'center', behavior: 'smooth' })
}
