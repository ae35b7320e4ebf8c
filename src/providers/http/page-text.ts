/** The text of an error page, read in one pass: a page of nothing but `<` must not take longer than any other. */

/** Sections whose text nobody reads, except for the title of a page. */
const hidden = ['script', 'style', 'head']

const entities: readonly (readonly [string, string])[] = [
  ['&nbsp;', ' '],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
]

/** The name of the tag that a piece begins with, with its slash. */
const tagOf = (piece: string): string => /^\/?[a-z]+/i.exec(piece.slice(0, 20))?.[0].toLowerCase() ?? ''

export const pageText = (html: string): string => {
  const [before = '', ...pieces] = html.split('<')
  const tags = pieces.map(tagOf)
  const lastEnd = new Map(tags.map((tag, index) => [tag, index]))
  const lastBracket = pieces.findLastIndex(piece => piece.includes('>'))
  let section: string | undefined
  let inTag = false
  let text = before
  for (const [index, piece] of pieces.entries()) {
    const tag = tags[index]!
    const isEnd = section !== undefined && tag === `/${section}`
    if (isEnd) section = undefined
    else if (
      section === undefined &&
      !inTag &&
      hidden.includes(tag) &&
      (lastEnd.get(`/${tag}`) ?? -1) > index
    )
      section = tag
    // Without a bracket behind it, it isn't a tag.
    if (index > lastBracket) text += `<${piece}`
    const end = piece.indexOf('>')
    inTag = end < 0
    if (!inTag && (section === undefined || tag === 'title')) text += ` ${piece.slice(end + 1)}`
  }
  return entities.reduce((clean, [entity, character]) => clean.replaceAll(entity, character), text)
}
