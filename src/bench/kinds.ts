/** Equal rows, told apart only once: recordings hold few different rows, and each is worth counting a single time. */

export interface Kinds {
  /** The kind of each row. */
  readonly of: Int32Array
  /** A row of each kind: the first one. */
  readonly firsts: readonly number[]
}

export const kindsOf = (rows: number, keyOf: (row: number) => string): Kinds => {
  const known = new Map<string, number>()
  const firsts: number[] = []
  const of = Int32Array.from({ length: rows }, (_, row) => {
    const key = keyOf(row)
    const kind = known.get(key)
    if (kind !== undefined) return kind
    firsts.push(row)
    known.set(key, firsts.length - 1)
    return firsts.length - 1
  })
  return { of, firsts }
}
