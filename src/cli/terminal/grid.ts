/** Rows of text in columns that fit. */
import { cut, oneLine, padEnd, widthOf } from './cells.ts'
import { type Look, room } from './look.ts'

/** The last column takes what is left, and is cut; the others are as wide as their widest cell. */
export const grid = (rows: readonly (readonly string[])[], look: Look): string[] => {
  const clean = rows.map(row => row.map(oneLine))
  const columns = Math.max(0, ...clean.map(row => row.length))
  const widths = Array.from({ length: columns }, (_, index) =>
    Math.max(0, ...clean.map(row => widthOf(row[index] ?? ''))),
  )
  return clean.map(row => {
    const fixed = row.slice(0, -1).map((cell, index) => padEnd(cell, widths[index]!))
    const used = fixed.reduce((sum, cell) => sum + widthOf(cell) + 2, 1)
    return ` ${[...fixed, cut(row.at(-1) ?? '', Math.max(10, room(look) - used))].join('  ')}`.trimEnd()
  })
}
