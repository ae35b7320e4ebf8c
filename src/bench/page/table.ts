/** A table of figures. */
import { escaped } from './plot.ts'

/** Rows under heads; every column but the first holds numbers. */
export const tableOf = (
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string => {
  const head = heads.map(
    (text, index) => `<th scope="col"${index > 0 ? ' class="number"' : ''}>${escaped(text)}</th>`,
  )
  const body = rows.map(([first = '', ...cells]) => {
    const rest = cells.map(cell => `<td class="number">${escaped(cell)}</td>`)
    return `<tr><th scope="row">${escaped(first)}</th>${rest.join('')}</tr>`
  })
  return `<div class="scroll"><table><caption>${escaped(caption)}</caption><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}
