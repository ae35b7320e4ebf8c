/** Text of people and models inside a Markdown document: data that can neither add structure nor leave it. */

/**
 * HTML would be run, an image would be loaded from wherever it points to, a link could run a script,
 * and a link definition would hold for the whole document.
 */
const disarmed = (line: string): string =>
  line
    .replace(/<(?=[a-z/!?])/gi, '&lt;')
    .replace(/!\[/g, '!\\[')
    .replace(/\]\((?!\s*<?(?:https?:\/\/|mailto:))/gi, ']\\(')
    .replace(/\]:/g, ']\\:')

/** A long text as a quotation: its headings, lists and fences stay inside. */
export const quoted = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map(line => (line.trim() === '' ? '>' : `> ${disarmed(line)}`))
    .join('\n')

/** A short text as part of a line of ours. */
export const inline = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>|~]/g, '\\$&')
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(/^[#+=-]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2')

export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    `| ${heads.join(' | ')} |`,
    `|${heads.map(() => ' --- |').join('')}`,
    ...rows.map(row => `| ${row.map(inline).join(' | ')} |`),
  ].join('\n')
