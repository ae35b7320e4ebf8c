/** The place of a text that a search has found, with the words that were looked for marked. */

export interface PassagePart {
  readonly text: string
  /** One of the words that were searched for. */
  readonly hit: boolean
}

const word = /[\p{L}\p{M}\p{N}]+/gu

/** Around the first hit, in characters. */
const before = 60
const after = 140

/** What was searched for, without the words that were excluded with a minus. */
const searched = (words: string): string[] =>
  words
    .toLowerCase()
    .split(/\s+/)
    .filter(one => !one.startsWith('-'))
    .flatMap(one => one.match(word) ?? [])

/** How much two words may differ at their ends and still be forms of one word, such as "tuner" and "tuning". */
const ending = 3

const isForm = (one: string, other: string): boolean => {
  const shared = Math.max(3, Math.min(one.length, other.length) - ending)
  return Math.abs(one.length - other.length) <= ending && one.slice(0, shared) === other.slice(0, shared)
}

/** 3: the word itself. 2: it begins so. 1: another form of it. 0: something else. */
const likeness = (found: string, wanted: string): number => {
  if (found === wanted) return 3
  if (found.startsWith(wanted)) return 2
  return isForm(found, wanted) ? 1 : 0
}

interface Hit {
  readonly start: number
  readonly end: number
  readonly wanted: string
  readonly likeness: number
}

const hitsIn = (text: string, wanted: readonly string[]): Hit[] =>
  [...text.matchAll(word)].flatMap(({ 0: found, index }) => {
    const [best] = wanted
      .map(one => ({ wanted: one, likeness: likeness(found.toLowerCase(), one) }))
      .toSorted((one, other) => other.likeness - one.likeness)
    return best && best.likeness > 0 ? [{ start: index, end: index + found.length, ...best }] : []
  })

/** Words that are found as they are weigh more than other forms of them, and each word counts once. */
const worth = (hits: readonly Hit[]): number => {
  const best = new Map<string, number>()
  for (const hit of hits) best.set(hit.wanted, Math.max(best.get(hit.wanted) ?? 0, hit.likeness))
  return [...best.values()].reduce((sum, one) => sum + one, 0)
}

/** The next gap between words, so that no word is cut. */
const gapAfter = (text: string, place: number): number => {
  const gap = text.slice(place, place + 30).search(/\s/)
  return gap === -1 ? place : place + gap
}

const cut = (text: string, hits: readonly Hit[]): PassagePart[] => {
  const first = hits.toSorted((one, other) => other.likeness - one.likeness || one.start - other.start)[0]!
  const start = first.start > before ? Math.min(gapAfter(text, first.start - before), first.start) : 0
  const end = Math.min(text.length, gapAfter(text, first.end + after))
  const parts: PassagePart[] = []
  let place = start
  for (const hit of hits.filter(one => one.start >= start && one.end <= end)) {
    parts.push({ text: text.slice(place, hit.start), hit: false })
    parts.push({ text: text.slice(hit.start, hit.end), hit: true })
    place = hit.end
  }
  parts.push({ text: `${text.slice(place, end)}${end < text.length ? '…' : ''}`, hit: false })
  if (start > 0) parts.unshift({ text: '…', hit: false })
  return parts.filter(part => part.text !== '')
}

/** The text that says most of what was searched for, cut around it; undefined if none has any of the words. */
export const passageOf = <Source extends { readonly text: string }>(
  sources: readonly Source[],
  words: string,
): { readonly source: Source; readonly parts: readonly PassagePart[] } | undefined => {
  const wanted = [...new Set(searched(words))].slice(0, 20)
  const [best] = sources
    .map(source => {
      const text = source.text.replace(/[*_`#]+/g, '').replace(/\s+/g, ' ')
      const hits = hitsIn(text, wanted)
      return { source, text, hits, worth: worth(hits) }
    })
    .filter(one => one.worth > 0)
    .toSorted((one, other) => other.worth - one.worth)
  return best && { source: best.source, parts: cut(best.text, best.hits) }
}
