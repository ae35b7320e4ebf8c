/** Linear equations with as many unknowns as a table has seats. */

/** Solves A·x = b by elimination with pivots. An unknown whose column has no pivot is zero. */
export const solve = (matrix: readonly (readonly number[])[], right: readonly number[]): number[] => {
  const rows = matrix.map((row, index) => [...row, right[index]!])
  const size = rows.length
  for (let column = 0; column < size; column++) {
    let pivot = column
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row
    }
    ;[rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!]
    const lead = rows[column]![column]!
    if (Math.abs(lead) < 1e-12) continue
    for (let row = 0; row < size; row++) {
      if (row === column) continue
      const factor = rows[row]![column]! / lead
      if (factor === 0) continue
      for (let index = column; index <= size; index++) rows[row]![index]! -= factor * rows[column]![index]!
    }
  }
  return rows.map((row, index) => (Math.abs(row[index]!) < 1e-12 ? 0 : row[size]! / row[index]!))
}
