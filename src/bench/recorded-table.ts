/** The form that all recordings share: a row for each question with id, gold and what was answered. */
import { UsageError } from '../core/errors.ts'
import { rowsOf } from './csv.ts'

export interface RecordedRow {
  readonly id: string
  readonly gold: string
  /** One for each column; empty if there was no answer. */
  readonly cells: readonly string[]
}

export interface RecordedTable {
  /** The names of the columns after id and gold. */
  readonly columns: readonly string[]
  readonly rows: readonly RecordedRow[]
}

const asked = 'The first line must be id,gold and then the name of each model.'

const columnsOf = (header: readonly string[]): string[] => {
  const [id, gold, ...columns] = header
  if (id?.toLowerCase() !== 'id' || gold?.toLowerCase() !== 'gold' || columns.length === 0)
    throw new UsageError(asked)
  const seen = new Set<string>()
  for (const column of columns) {
    if (column === '') throw new UsageError('A model has no name.')
    if (seen.has(column)) throw new UsageError(`The model ${column} has two columns.`)
    seen.add(column)
  }
  return columns
}

export const recordedTable = (file: string): RecordedTable => {
  const [header, ...rows] = rowsOf(file)
  if (!header) throw new UsageError(`The file is empty. ${asked}`)
  const columns = columnsOf(header.cells)
  if (rows.length === 0) throw new UsageError('The file has no questions.')
  return {
    columns,
    rows: rows.map(({ line, cells }) => {
      const [id = '', gold = '', ...answers] = cells
      if (answers.length !== columns.length)
        throw new UsageError(`Line ${line}: ${cells.length} cells instead of ${columns.length + 2}.`)
      if (gold === '') throw new UsageError(`Line ${line}: ${id} has no right answer.`)
      return { id, gold, cells: answers }
    }),
  }
}
