/** Excel: the values of each sheet, a row a line. Formulas are not computed: a cell has the value that was saved. */
import type { CellValue } from 'read-excel-file/node'
import { mostParts, type Reader, type TextPart, Unreadable } from '../reader.ts'
import { repacked } from '../unpack.ts'

const cellText = (cell: CellValue | null): string => {
  if (cell === null) return ''
  const value: unknown = cell
  return value instanceof Date ? value.toISOString().replace(/T00:00:00\.000Z$/, '') : String(value)
}

/** A row that ends in empty cells ends at its last full one. */
const rowText = (row: readonly (CellValue | null)[]): string => row.map(cellText).join('\t').trimEnd()

export const sheet: Reader = async bytes => {
  const buffer = Buffer.from(repacked(bytes, 'xl/workbook.xml'))
  const { default: readSheets } = await import('read-excel-file/node')
  try {
    const sheets = await readSheets(buffer)
    if (sheets.length > mostParts) throw new Unreadable(`it has more than ${mostParts} sheets`)
    return sheets.map(({ sheet: label, data }): TextPart => ({ label, text: data.map(rowText).join('\n') }))
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable(
      `it is not an Excel file that can be read (${(error as Error).message.slice(0, 200)})`,
    )
  }
}
