/**
 * Replaces the package `entities` in the pages: its table of 2,000 names is as large as the rest of the parser of Markdown.
 * A name that isn't here is shown as it is written; the parser reads numbers itself.
 */
const named = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }))

export const decodeHTMLStrict = (text: string): string => named.get(text.slice(1, -1)) ?? text
